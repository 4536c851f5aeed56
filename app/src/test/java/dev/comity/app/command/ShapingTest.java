package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import org.junit.jupiter.api.Test;

/** What shapes a crawl: subtree, user agent, dropped parameters. */
class ShapingTest {

  @Test
  void a_subtree_is_left_by_no_link() {
    try (Site site =
        Site.open()
            .page("/docs/index.html", "Docs", "/docs/a", "../", "/other", "b?c=1")
            .page("/docs/a", "A", "/docs/d/e")
            .page("/docs/b", "B")
            .page("/docs/d/e", "E")) {
      Said said = crawl(site.url("/docs/index.html"), "--scope", "subtree");
      assertThat(said.code()).isZero();
      assertThat(site.asked())
          .containsExactlyInAnyOrder(
              "/robots.txt", "/docs/index.html", "/docs/a", "/docs/b?c=1", "/docs/d/e");
    }
  }

  @Test
  void a_bot_of_ones_own_is_named_to_sites_and_known_to_robots_txt() {
    try (Site site =
        Site.open()
            .robots("User-agent: comity", "Disallow: /", "", "User-agent: mybot", "Disallow: /no")
            .page("/", "Home", "/no", "/yes")
            .page("/yes", "Yes")) {
      Said said = crawl(site.url("/"), "--user-agent", "MyBot/1.0", "--contact", "me@example.org");
      assertThat(said.code()).isZero();
      assertThat(site.asked()).containsExactlyInAnyOrder("/robots.txt", "/", "/yes");
      assertThat(site.requests())
          .allSatisfy(
              request ->
                  assertThat(request.headers())
                      .contains("User-Agent: MyBot/1.0 (+me@example.org)"));
    }
    for (String wrong : new String[] {"Mozilla/5.0", "My Bot 2/1\r\nX: y", "1Bot"}) {
      Said said = crawl("http://127.0.0.1:1/", "--user-agent", wrong);
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err()).contains("a user agent begins with the bot's own name");
    }
  }

  @Test
  void links_that_differ_in_tracking_parameters_are_one_page() {
    try (Site site =
        Site.open()
            .page("/", "Home", "/a?utm_source=x", "/a?utm_source=y&fbclid=1", "/a?id=1&gclid=2")
            .page("/a", "A")
            .page("/a?id=1", "A1")) {
      assertThat(crawl(site.url("/"), "--drop-params", "tracking").code()).isZero();
      assertThat(site.asked()).containsExactlyInAnyOrder("/robots.txt", "/", "/a", "/a?id=1");
    }
    Said said = crawl("http://127.0.0.1:1/", "--drop-params", "a b");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("drop-params has \"a b\"");
  }

  private static Said crawl(String... arguments) {
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--delay";
    all[arguments.length + 1] = "0";
    return Commands.crawl(all);
  }
}
