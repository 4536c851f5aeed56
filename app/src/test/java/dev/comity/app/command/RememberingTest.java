package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.PageFile;
import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One crawl after the other on the same data directory. */
class RememberingTest {
  @TempDir private Path directory;

  @Test
  void what_is_crawled_to_the_end_is_not_asked_again_because_it_was_named_again() {
    try (Site site = Site.open().page("/", "Home", "/a")) {
      assertThat(crawl(site.url("/")).out()).startsWith("Run 1 begins in " + directory);
      int asked = site.asked().size();
      Said again = crawl(site.url("/"));
      assertThat(again.code()).isZero();
      assertThat(again.out().lines())
          .hasSize(3)
          .contains(
              "127.0.0.1:%d is left out: all that is known of it is crawled; --again asks for it"
                      .formatted(site.port())
                  + " again");
      assertThat(again.lastLine()).startsWith("nothing left to do: 0 pages in ");
      assertThat(site.asked()).hasSize(asked);
    }
  }

  @Test
  void a_second_crawl_on_the_same_file_of_pages_is_refused_before_it_asks_anything()
      throws IOException {
    Path file = directory.resolve("pages.jsonl");
    List<Said> refused = new ArrayList<>();
    try (Site other = Site.open().page("/", "Other");
        Site site = Site.open().page("/", "Home", "/1")) {
      site.play(
          "/1",
          wire -> {
            String data = directory.resolve("elsewhere").toString();
            refused.add(
                Commands.run("crawl", other.url("/"), "--data", data, "--out", file.toString()));
            wire.send(Replies.html("one"));
          });
      assertThat(crawl(site.url("/"), "--out", file.toString()).code()).isZero();
      assertThat(refused.getFirst().code()).isEqualTo(2);
      assertThat(refused.getFirst().err())
          .startsWith(
              "comity: another crawl writes to %s: wait for it, stop it, or name another file with"
                      .formatted(file)
                  + " --out");
      assertThat(other.connections()).isZero();
      assertThat(new PageFile(file).statuses()).containsOnlyKeys(site.url("/"), site.url("/1"));
      // Its lock went with it.
      assertThat(crawl(site.url("/"), "--again", "--out", file.toString()).code()).isZero();
    }
  }

  @Test
  void again_asks_for_all_of_it_again_and_the_counters_still_add_up() {
    try (Site site = Site.open().page("/", "Home", "/a", "/b").page("/a", "A")) {
      crawl(site.url("/"));
      Said again = crawl(site.url("/"), "--again");
      assertThat(again.out()).contains("3 URLs asked again.").doesNotContain("left out");
      assertThat(again.lastLine()).startsWith("done: 3 pages (2 × 200, 1 × 404) in ");
      assertThat(pages(site)).containsExactlyInAnyOrder("/", "/a", "/b", "/", "/a", "/b");
      assertSound();
    }
  }

  @Test
  void a_spent_budget_leaves_the_rest_to_the_next_run() {
    try (Site site =
        Site.open().page("/", "Home", "/a", "/b", "/c").page("/a", "A").page("/b", "B")) {
      Said first = crawl(site.url("/"), "--max-pages", "2");
      assertThat(first.lastLine()).startsWith("page budget spent (--max-pages gives more): 2 pag");
      Said second = crawl(site.url("/"), "--max-pages", "2");
      assertThat(second.out()).startsWith("Run 2 begins");
      assertThat(pages(site)).containsExactlyInAnyOrder("/", "/a", "/b", "/c");
      assertSound();
    }
  }

  @Test
  void a_page_that_three_processes_died_with_is_left_alone_and_in_the_closing_words() {
    try (Site site = Site.open().page("/", "Home", "/a", "/b").page("/a", "A").page("/b", "B")) {
      crawl(site.url("/"), "--max-pages", "2");
      new Shelf(directory)
          .run(
              "INSERT INTO in_flight (url_id, domain_id, taken, taken_at, deaths)"
                  + " SELECT id, domain_id, 1, 0, 2 FROM domain_frontier WHERE target = '/b'");
      Said said = crawl(site.url("/"), "--max-pages", "3");
      assertThat(said.lastLine()).contains("1 URL set aside (processes died while asking them)");
      assertThat(pages(site)).containsExactlyInAnyOrder("/", "/a");
    }
  }

  @Test
  void a_larger_budget_goes_on_with_the_run_and_its_file() throws IOException {
    Path file = directory.resolve("pages.jsonl");
    try (Site site =
        Site.open().page("/", "Home", "/a", "/b", "/c").page("/a", "A").page("/b", "B")) {
      crawl(site.url("/"), "--max-pages", "2", "--out", file.toString());
      List<String> written = Files.readAllLines(file);
      assertThat(written).hasSize(2);
      Said second = crawl(site.url("/"), "--max-pages", "3", "--out", file.toString());
      assertThat(second.out()).startsWith("Continuing run 1 in ");
      assertThat(Files.readAllLines(file)).hasSize(3).startsWith(written.toArray(String[]::new));
      Said third = crawl(site.url("/"), "--out", file.toString());
      assertThat(third.out()).startsWith("Continuing run 1 in ");
      assertThat(third.lastLine()).startsWith("done: 1 page ");
      assertThat(new PageFile(file).statuses()).hasSize(4);
      assertThat(pages(site)).containsExactlyInAnyOrder("/", "/a", "/b", "/c");
      assertSound();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--max-depth 1, --max-depth 2",
    "--max-depth 1, --max-depth 9",
    "--max-depth 0, --max-depth 3",
    "--exclude /deep, --max-pages 2000",
    "--include /[ab]$, --max-pages 2000",
    "--include /a$, --include /a$ --include /[ab] --include /deep",
  })
  void what_depth_or_patterns_left_out_is_due_when_they_are_wider(String narrow, String wide)
      throws IOException {
    Path file = directory.resolve("pages.jsonl");
    try (Site site =
        Site.open()
            .page("/", "Home", "/a", "/b", "/deep/1")
            .page("/a", "A", "/", "/deep/2", "/a")
            .page("/b", "B", "/deep/2")
            .page("/deep/2", "Deep", "/b")) {
      crawl(more(narrow, site.url("/"), "--out", file.toString()));
      List<String> written = Files.readAllLines(file);
      assertThat(written).hasSizeLessThan(5);
      Said wider = crawl(more(wide, site.url("/"), "--out", file.toString()));
      assertThat(wider.out()).startsWith("Continuing run 1 in ").doesNotContain("left out");
      assertThat(Files.readAllLines(file)).startsWith(written.toArray(String[]::new)).hasSize(5);
      assertThat(pages(site)).containsExactlyInAnyOrder("/", "/a", "/b", "/deep/1", "/deep/2");
      assertSound();
    }
  }

  @ParameterizedTest
  @CsvSource({"host, seeds", "host, any", "domain, seeds"})
  void a_wider_scope_goes_on_with_the_run_and_reads_the_known_pages_links_again(
      String narrow, String wide) throws IOException {
    Path file = directory.resolve("pages.jsonl");
    try (Site other = Site.open().page("/", "Other").page("/x", "X", "/y").page("/y", "Y");
        Site site = Site.open()) {
      site.page("/", "Home", "/a", "/gone").page("/a", "A", other.url("/x"), "/");
      String[] command = {site.url("/"), other.url("/"), "--out", file.toString()};
      crawl(more("--scope " + narrow, command));
      List<String> written = Files.readAllLines(file);
      assertThat(written).hasSize(4);
      Said wider = crawl(more("--scope " + wide, command));
      assertThat(wider.code()).isZero();
      assertThat(wider.out())
          .startsWith("Continuing run 1 in ")
          .contains("4 pages so far. Its scope is wider: 3 known pages are asked once more, for l")
          .doesNotContain("left out");
      assertThat(wider.lastLine()).startsWith("done: 2 pages (2 × 200) in ");
      assertThat(Files.readAllLines(file)).startsWith(written.toArray(String[]::new)).hasSize(6);
      assertThat(new PageFile(file).statuses()).hasSize(6);
      assertThat(pages(site)).containsExactlyInAnyOrder("/", "/a", "/gone", "/", "/a");
      assertThat(pages(other)).containsExactlyInAnyOrder("/", "/", "/x", "/y");
      assertSound();

      // The same command once more is a new run, which finds nothing left.
      assertThat(crawl(more("--scope " + wide, command)).lastLine())
          .startsWith("nothing left to do: 0 pages in ");
      assertThat(pages(site)).hasSize(5);
      Said again = crawl(more("--scope " + wide + " --again", command));
      assertThat(again.lastLine()).startsWith("done: 6 pages (5 × 200, 1 × 404) in ");
      assertSound();
    }
  }

  @Test
  void a_wider_scope_asks_for_no_links_where_no_page_can_be_had() throws IOException {
    Path file = directory.resolve("pages.jsonl");
    try (Site other = Site.open().page("/", "Other").page("/x", "X");
        Site site = Site.open()) {
      site.page("/", "Home", other.url("/x"));
      String[] command = {site.url("/"), other.url("/"), "--out", file.toString()};
      crawl(more("--scope host --max-pages 2", command));
      crawl(more("--scope seeds --max-pages 2", command));
      assertThat(pages(site)).containsExactly("/");
      assertSound();
      crawl(more("--scope seeds --max-pages 3", command));
      assertThat(pages(site)).containsExactly("/", "/");
      assertThat(pages(other)).containsExactly("/", "/", "/x");
      assertThat(new PageFile(file).statuses()).hasSize(3);
      assertSound();
    }
  }

  @Test
  void a_reset_of_all_asks_for_pages_whose_links_were_still_to_be_asked_for() {
    try (Site other = Site.open().page("/", "Other");
        Site site = Site.open().page("/", "Home")) {
      String[] command = {site.url("/"), other.url("/")};
      crawl(more("--scope host --max-pages 2", command));
      crawl(more("--scope seeds --max-pages 2", command));
      String[] reset = {"domain-reset", "127.0.0.1:" + site.port(), "--all", "--data"};
      Said said = Commands.run(more(directory.toString(), reset));
      assertThat(said.code()).as(said.err()).isZero();
      assertSound();
      assertThat(crawl(more("--scope seeds --max-pages 9 --again", command)).lastLine())
          .startsWith("done: 1 page (1 × 200) in ");
      assertThat(pages(site)).containsExactly("/", "/");
      assertThat(pages(other)).containsExactly("/", "/");
      assertSound();
    }
  }

  @Test
  void a_known_page_whose_links_cannot_be_had_any_more_stays_the_page_it_was() {
    try (Site other = Site.open().page("/", "Other");
        Site site = Site.open().page("/", "Home", "/a", "/b", "/c")) {
      site.page("/a", "A").page("/b", "B").page("/c", "C");
      crawl(site.url("/"), other.url("/"), "--scope", "host");
      site.reply("/a", Replies.ok("application/pdf", new byte[1]));
      site.reply("/b", Replies.status("404 Not Found"));
      site.reply("/c", Replies.status("302 Found", "Location: /d"));
      Said wider = crawl(site.url("/"), other.url("/"), "--scope", "seeds");
      assertThat(wider.lastLine()).startsWith("done: 1 page (1 × 404) in ");
      assertThat(pages(site).subList(4, 9)).containsExactlyInAnyOrder("/", "/a", "/b", "/c", "/d");
      assertSound();
    }
  }

  @Test
  void a_scope_without_bounds_takes_up_what_other_crawls_left_of_other_sites() {
    try (Site other = Site.open().page("/", "Other", "/y").page("/x", "X");
        Site site = Site.open()) {
      site.page("/", "Home", other.url("/x"));
      crawl(other.url("/"), "--max-pages", "1");
      crawl(site.url("/"), "--scope", "host");
      assertThat(pages(other)).containsExactly("/");
      Said wider = crawl(site.url("/"), "--scope", "any");
      assertThat(wider.out()).startsWith("Continuing run 2 in ").contains("1 known page is");
      assertThat(pages(other)).containsExactlyInAnyOrder("/", "/y", "/x");
      assertSound();
    }
  }

  private static String[] more(String options, String... arguments) {
    return Stream.concat(Arrays.stream(arguments), Arrays.stream(options.split(" ")))
        .toArray(String[]::new);
  }

  @Test
  void the_same_command_after_a_spent_budget_begins_a_run_that_goes_on_with_the_file()
      throws IOException {
    Path file = directory.resolve("pages.jsonl");
    Path other = directory.resolve("other.jsonl");
    try (Site site = Site.open().page("/", "Home", "/a", "/b", "/c", "/d")) {
      crawl(site.url("/"), "--max-pages", "2", "--out", file.toString());
      List<String> written = Files.readAllLines(file);
      Said second = crawl(site.url("/"), "--max-pages", "2", "--out", file.toString());
      assertThat(second.out()).startsWith("Run 2 begins in ");
      assertThat(Files.readAllLines(file)).hasSize(4).startsWith(written.toArray(String[]::new));
      crawl(site.url("/"), "--max-pages", "2", "--out", other.toString());
      assertThat(Files.readAllLines(other)).hasSize(1);
      assertThat(pages(site)).containsExactlyInAnyOrder("/", "/a", "/b", "/c", "/d");
      assertSound();
    }
  }

  @Test
  void more_pages_of_a_domain_go_on_with_the_run_and_its_file() throws IOException {
    Path file = directory.resolve("pages.jsonl");
    try (Site site = Site.open().page("/", "Home", "/a", "/b", "/c")) {
      crawl(site.url("/"), "--max-pages-per-domain", "2", "--out", file.toString());
      crawl(site.url("/"), "--max-pages-per-domain", "4", "--out", file.toString());
      assertThat(Files.readAllLines(file)).hasSize(4);
      assertThat(pages(site)).containsExactlyInAnyOrder("/", "/a", "/b", "/c");
      assertSound();
    }
  }

  @Test
  void a_domain_has_its_own_pages_of_a_run_and_another_is_not_kept_from_its_own() {
    try (Site large = Site.open().page("/", "Large", "/1", "/2", "/3");
        Site small = Site.open().page("/", "Small")) {
      Said said = crawl(large.url("/"), small.url("/"), "--max-pages-per-domain", "2");
      assertThat(pages(large)).hasSize(2);
      assertThat(pages(small)).hasSize(1);
      assertThat(said.out())
          .contains(
              "127.0.0.1:%d has had its share of this run (--max-pages-per-domain gives more)"
                  .formatted(large.port()));
    }
  }

  @Test
  void a_crawl_of_other_sites_leaves_alone_what_an_earlier_one_has_left() {
    try (Site first = Site.open().page("/", "First", "/a", "/b").page("/a", "A");
        Site second = Site.open().page("/", "Second")) {
      crawl(first.url("/"), "--max-pages", "1");
      assertThat(crawl(second.url("/")).lastLine()).startsWith("done: 1 page ");
      assertThat(pages(first)).containsExactly("/");
      assertThat(crawl(first.url("/")).lastLine()).startsWith("done: 2 pages ");
      assertThat(pages(first)).containsExactlyInAnyOrder("/", "/a", "/b");
      assertSound();
    }
  }

  @Test
  void a_blocked_site_is_named_with_the_reason_the_end_and_the_way_and_the_others_are_crawled() {
    try (Site closed = Site.open().robots("User-agent: *", "Disallow: /");
        Site open = Site.open().page("/", "Open", "/next")) {
      crawl(closed.url("/"));
      int asked = closed.asked().size();
      Said said = crawl(closed.url("/"), open.url("/"));
      assertThat(said.code()).isZero();
      assertThat(said.out())
          .containsPattern(
              "127.0.0.1:%d is left out: blocked \\(robots_denied\\) until 20[^;]* UTC; `comity"
                      .formatted(closed.port())
                  + " domain-reset 127.0.0.1:%d` opens it".formatted(closed.port()));
      assertThat(closed.asked()).hasSize(asked);
      assertThat(pages(open)).hasSize(2);
    }
  }

  @Test
  void a_crawl_that_keeps_nothing_leaves_nothing() throws IOException {
    try (Site site = Site.open().page("/", "Home")) {
      Path data = directory.resolve("data");
      Said said =
          Commands.run(
              "crawl", site.url("/"), "--delay", "0", "--ephemeral", "--data", data.toString());
      assertThat(said.out().lines()).hasSize(2);
      assertThat(data).doesNotExist();
    }
  }

  @Test
  void a_new_run_replaces_the_file_of_pages() {
    try (Site site = Site.open().page("/", "Home", "/a").page("/a", "A")) {
      PageFile file = new PageFile(directory.resolve("pages.jsonl"));
      crawl(site.url("/"), "--max-pages", "1", "-o", file.path().toString());
      assertThat(file.statuses()).containsOnlyKeys(site.url("/"));
      crawl(site.url("/"), "--exclude", "/nothing", "-o", file.path().toString());
      assertThat(file.statuses()).containsOnlyKeys(site.url("/a"));
      assertThat(file.page(site.url("/a")).get("seq").longValue()).isPositive();
      assertThat(file.page(site.url("/a")).get("referrer").stringValue()).isEqualTo(site.url("/"));
    }
  }

  private static List<String> pages(Site site) {
    return site.asked().stream().filter(path -> !path.equals("/robots.txt")).toList();
  }

  private void assertSound() {
    Said doctor = Commands.run("doctor", "--data", directory.toString());
    assertThat(doctor.code()).as(doctor.out()).isZero();
  }

  private Said crawl(String... arguments) {
    List<String> all =
        new ArrayList<>(List.of("crawl", "--delay", "0", "--data", directory.toString()));
    all.addAll(List.of(arguments));
    return Commands.run(all.toArray(String[]::new));
  }
}
