package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A robots.txt on somebody else's server, from the redirect to the rule. */
class RobotsElsewhereTest {
  @TempDir private Path directory;

  private String data() {
    return directory.resolve("data").toString();
  }

  private Said crawl(Site site, String... flags) {
    List<String> all = new ArrayList<>(List.of("crawl", "--delay", "0", "--data", data()));
    all.add(site.url("/"));
    all.addAll(List.of(flags));
    return Commands.run(all.toArray(String[]::new));
  }

  @Test
  void it_is_read_there_and_nothing_else_is_though_that_server_is_out_of_scope() {
    try (Site there = Site.open().page("/", "There").page("/map.xml", "no map");
        Site here = Site.open()) {
      String other = "there.example:" + there.port();
      String url = "http://" + other + "/";
      here.redirect("/robots.txt", url + "robots.txt");
      there.robots("User-agent: *", "Disallow: /private", "Sitemap: " + url + "map.xml");
      here.page("/", "Here", "/private", "/open", url).page("/open", "Open");
      Said said = crawl(here, "--resolve", other + ":127.0.0.1");
      assertThat(said.lastLine())
          .startsWith("done: 2 pages (2 × 200), 1 URL denied by robots.txt in ");
      assertThat(here.asked()).containsExactly("/robots.txt", "/", "/open");
      assertThat(there.asked()).containsExactly("/robots.txt");
      assertThat(Commands.run("doctor", "--data", data()).code()).isZero();
      assertThat(Commands.run("domain", "--data", data(), other).out()).contains("exhausted");
      assertThat(Commands.run("why", "--data", data(), other).out()).contains("all its URLs");
    }
  }

  @Test
  void where_it_may_not_be_asked_for_the_urls_fail_and_why_says_so() {
    try (Site inner = Site.open().robots("");
        Site site =
            Site.open()
                .redirect("/robots.txt", "http://localhost:" + inner.port() + "/robots.txt")) {
      Said said = crawl(site);
      assertThat(said.out()).contains("failed  " + site.url("/") + "  redirect");
      assertThat(inner.connections()).isZero();
      assertThat(Commands.run("why", "--data", data(), "127.0.0.1:" + site.port()).out())
          .contains(site.url("/robots.txt") + " redirects; until its target has been read");
      assertThat(Commands.run("doctor", "--data", data()).code()).isZero();
    }
  }
}
