package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far a crawl goes, told by what the servers were asked for. */
class ReachTest {

  @Test
  void what_robots_txt_forbids_is_never_asked_for() {
    try (Site site =
        Site.open()
            .robots("User-agent: comity", "Disallow: /private", "Allow: /private/but", "")
            .page("/", "Home", "/private/diary", "/private/but-this", "/privateer")) {
      Said said = crawl(site.url("/"));
      assertThat(said.code()).isZero();
      assertThat(site.asked()).containsExactlyInAnyOrder("/robots.txt", "/", "/private/but-this");
    }
  }

  @Test
  void robots_txt_that_asks_for_more_than_ten_minutes_ends_the_crawl_with_a_code_of_its_own() {
    try (Site site = Site.open().robots("User-agent: *", "Crawl-delay: 3600").page("/", "Home")) {
      Said said = crawl(site.url("/"));
      assertThat(said.code()).isEqualTo(4);
      assertThat(said.lastLine())
          .startsWith("what is left may not be asked before 20")
          .contains(": 0 pages in ");
      assertThat(site.asked()).containsExactly("/robots.txt");
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1 page", "3, 3 pages"})
  void the_page_budget_is_spent_to_the_page(int budget, String spoken) {
    try (Site site =
        Site.open().page("/", "Home", "/a", "/b", "/c", "/d").page("/a", "A").page("/b", "B")) {
      Said said = crawl(site.url("/"), "--max-pages", String.valueOf(budget));
      assertThat(said.code()).isZero();
      assertThat(said.lastLine())
          .startsWith("page budget spent (--max-pages gives more): " + spoken + " (");
      assertThat(site.asked()).hasSize(1 + budget);
    }
  }

  @Test
  void links_are_followed_to_the_depth_given_and_redirects_are_no_step_down() {
    try (Site site =
        Site.open()
            .page("/", "Home", "/one")
            .redirect("/one", "/moved")
            .page("/moved", "Moved", "/two")
            .page("/two", "Two", "/three")) {
      assertThat(crawl(site.url("/"), "--max-depth", "1").code()).isZero();
      assertThat(site.asked()).containsExactlyInAnyOrder("/robots.txt", "/", "/one", "/moved");
    }
    try (Site site = Site.open().page("/", "Home", "/one")) {
      assertThat(crawl(site.url("/"), "--max-depth", "0").code()).isZero();
      assertThat(site.asked()).containsExactly("/robots.txt", "/");
    }
  }

  @Test
  void seeds_may_link_to_each_other_unless_the_scope_is_the_host() {
    for (String scope : List.of("seeds", "host", "SEEDS", "Domain")) {
      try (Site there = Site.open().page("/", "There").page("/linked", "Linked");
          Site here = Site.open().page("/", "Here", there.url("/linked"), "/inside")) {
        Said said = crawl(here.url("/"), there.url("/"), "--scope", scope);
        assertThat(said.err()).isEmpty();
        assertThat(said.code()).isZero();
        assertThat(pages(here)).containsExactlyInAnyOrder("/", "/inside");
        if (scope.equalsIgnoreCase("seeds")) {
          assertThat(pages(there)).containsExactlyInAnyOrder("/", "/linked");
        } else {
          assertThat(pages(there)).as(scope).containsExactly("/");
        }
      }
    }
  }

  @Test
  void a_redirect_does_not_lead_out_of_the_scope() {
    try (Site elsewhere = Site.open().page("/x", "Elsewhere");
        Site site = Site.open().page("/", "Home", "/away").redirect("/away", elsewhere.url("/x"))) {
      Said said = crawl(site.url("/"));
      assertThat(said.lastLine()).startsWith("done: 2 pages (1 × 200, 1 × 302) in ");
      assertThat(elsewhere.connections()).isZero();
    }
  }

  @Test
  void an_inner_address_nobody_gave_as_a_seed_is_not_connected_to_whatever_the_scope() {
    try (Site inner = Site.open().page("/", "Inner")) {
      String byName = "http://localhost:" + inner.port() + "/";
      try (Site site = Site.open().page("/", "Home", byName)) {
        Said said = crawl(site.url("/"), "--scope", "any");
        assertThat(said.out()).contains("failed  " + byName + "  address_denied");
        assertThat(inner.connections()).isZero();
      }
    }
  }

  @Test
  void includes_and_excludes_choose_among_links_but_not_among_seeds() {
    try (Site site =
        Site.open()
            .page("/", "Home", "/docs/a", "/docs/b", "/docs/b.old", "/blog/c", "/wiki/d", "/e")) {
      Said said =
          crawl(
              site.url("/"),
              "--include",
              "/docs/",
              "--include",
              "/wiki/",
              "--exclude",
              "\\.old$",
              "--exclude",
              "/docs/a");
      assertThat(said.code()).isZero();
      assertThat(site.asked()).containsExactlyInAnyOrder("/robots.txt", "/", "/docs/b", "/wiki/d");
    }
  }

  /**
   * What was asked for beside robots.txt: a domain that was done before a link to it turned up is
   * taken up again, and asked for its rules again.
   */
  private static List<String> pages(Site site) {
    return site.asked().stream().filter(path -> !path.equals("/robots.txt")).toList();
  }

  private static Said crawl(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--delay", "0"));
    all.addAll(List.of(arguments));
    return Commands.crawl(all.toArray(String[]::new));
  }
}
