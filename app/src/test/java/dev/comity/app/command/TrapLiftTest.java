package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A calendar on a small site, from the first crawl to the operator who wants it all the same. */
class TrapLiftTest {
  private static final int DAYS = 30;
  private static final int BEYOND = 9;

  @TempDir private Path home;
  private List<String> place = List.of();

  private Said crawl(Site site) {
    return said(
        "crawl", "--delay", "1ms", "--barren-pages", "5", "--max-depth", "50", site.url("/"));
  }

  private Said said(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(place);
    return Commands.run(all.toArray(String[]::new));
  }

  private static Site calendar() {
    Site site = Site.open().page("/", "Home", "/day/0", "/about").page("/about", "About us");
    for (int day = 0; day < DAYS; day++) {
      site.page(
          "/day/" + day,
          "Day " + day,
          "/day/" + (day + 1),
          "/day/" + (day + 2),
          "/day/" + (day + BEYOND));
    }
    return site;
  }

  private static long days(Site site) {
    return site.asked().stream().filter(path -> path.startsWith("/day/")).count();
  }

  @BeforeEach
  void keepInADirectory() {
    place = List.of("--data", home.toString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_trap_is_left_shown_counted_and_lifted(boolean onServer) {
    if (onServer) {
      place = List.of("--db", PostgresServer.shared().newDatabase());
    }
    try (Site site = calendar()) {
      String name = "127.0.0.1:" + site.port();
      Said first = crawl(site);
      assertThat(first.code()).isZero();
      assertThat(first.out())
          .contains(name + ": nothing more is asked of /day/#: its pages say the same");
      assertThat(first.lastLine()).contains("left alone as traps");
      assertThat(site.asked()).contains("/about");
      // Five that count, found on five pages that lead to two or three each, and what was under
      // way.
      assertThat(days(site)).isBetween(6L, 20L);

      assertThat(said("domain", name).out())
          .contains("Traps")
          .containsPattern(
              "/day/# is not asked since 20.*: its pages say the same, but for numbers");
      assertThat(said("why", name).out()).contains("  - /day/# is not asked since 20");
      assertThat(said("domain", name, "--json").out())
          .contains("\"traps\":[{\"template\":\"/day/#\"")
          .contains("\"reason\":\"same_text\"");
      assertThat(said("doctor").code()).isZero();

      Said wrong = said("trap-lift", name, "/month/#");
      assertThat(wrong.code()).isEqualTo(2);
      assertThat(wrong.err()).contains("no suppressed template of " + name + " is /month/#");
      Said lifted = said("trap-lift", name, "/day/#");
      assertThat(lifted.code()).isZero();
      assertThat(lifted.out()).contains(name + ": ").contains(" queued again");

      assertThat(crawl(site).code()).isZero();
      // Those beyond the last are linked and not there.
      assertThat(days(site)).isEqualTo(DAYS + BEYOND);
      assertThat(said("doctor").code()).isZero();
      assertThat(said("trap-lift", name).err()).contains("nothing of " + name + " is suppressed");
    }
  }

  @Test
  void links_into_a_trap_that_were_never_queued_are_told_of_at_the_end_and_in_the_list() {
    try (Site site = Site.open().page("/", "Home", "/day/0")) {
      for (int day = 0; day < DAYS; day++) {
        site.page("/day/" + day, "Day " + day, "/day/" + (day + 1));
      }
      String name = "127.0.0.1:" + site.port();
      // One that is new, one found on it, and five found on one like it; the last has a link. By
      // the hash of the server's port a page's origin may be taken for a known one, seldom twice.
      Said crawled = crawl(site);
      long days = days(site);
      assertThat(days).isBetween(7L, 9L);
      String pages = (days + 1) + " pages (" + (days + 1) + " × 200)";
      assertThat(crawled.lastLine()).contains(pages + ", 1 link left alone as traps in ");
      assertThat(said("domains").out())
          .contains("  └─ traps: 1 link left alone (comity domain " + name + " lists them)\n");
      assertThat(said("domains", "--json").out())
          .contains("\"suppressed\":0,\"links_suppressed\":1,");
    }
  }

  @Test
  void with_barren_pages_0_nothing_is_taken_for_a_trap() {
    try (Site site = calendar()) {
      Said said =
          Commands.crawl(
              "--delay", "1ms", "--barren-pages", "0", "--max-depth", "50", site.url("/"));
      assertThat(said.code()).isZero();
      assertThat(days(site)).isEqualTo(DAYS + BEYOND);
    }
    assertThat(Commands.crawl("--barren-pages", "-1", "http://127.0.0.1:1/").err())
        .contains("barren-pages is -1, but must be from 0 to 200");
  }
}
