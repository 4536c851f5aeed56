package dev.comity.app.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.comity.app.support.Commands;
import dev.comity.app.support.PageFile;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a crawl says to whoever started it, and to the shell. */
class WordsTest {
  @TempDir private Path directory;

  @Test
  void every_page_is_a_line_and_the_last_line_sums_up() {
    try (Site site = Site.open().page("/", "Home", "/gone")) {
      Said said = Commands.crawl(site.url("/"), "--delay", "0");
      assertThat(said.code()).isZero();
      assertThat(said.err()).isEmpty();
      List<String> lines = said.out().lines().toList();
      assertThat(lines).hasSize(4);
      assertThat(lines.get(0)).startsWith("Run 1 begins in ");
      assertThat(lines.get(1)).matches("200     \\Q" + site.url("/") + "\\E  \\d+ ms");
      assertThat(lines.get(2)).matches("404     \\Q" + site.url("/gone") + "\\E  \\d+ ms");
      assertThat(lines.get(3))
          .matches("done: 2 pages \\(1 × 200, 1 × 404\\) in \\d+(\\.\\d)? s, 3 requests");
    }
  }

  @Test
  void quiet_leaves_only_the_last_line() {
    try (Site site = Site.open().page("/", "Home", "/gone")) {
      Said said = Commands.crawl(site.url("/"), "--delay", "0", "--quiet");
      assertThat(said.out().lines().count()).isEqualTo(1);
      assertThat(said.lastLine()).startsWith("done: 2 pages (1 × 200, 1 × 404) in ");
      assertThat(said.err()).isEmpty();
    }
  }

  @Test
  void a_crawl_without_a_single_page_has_failed() {
    try (Site site = Site.open().robots("User-agent: *", "Disallow: /").page("/", "Home")) {
      Said said = Commands.crawl(site.url("/"), "--delay", "0", "-q");
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.lastLine())
          .startsWith(
              "done: 0 pages, 1 URL denied by robots.txt, 1 domain closed (robots_denied) in ")
          .endsWith(", 1 request");
    }
  }

  @Test
  void a_title_made_to_upset_terminals_stays_in_its_line_and_off_the_screen() {
    String title =
        "red\u001b[31m \u009b2J\r\nover\u202ewrite\u2028next\u0085line \u007f \ud83d\ude00";
    try (Site site = Site.open().page("/", title + "&#xD800;&#27;]0;owned&#7;.")) {
      PageFile file = new PageFile(directory.resolve("pages.jsonl"));
      Said said = Commands.crawl(site.url("/"), "--delay", "0", "-o", file.path().toString());
      assertThat(file.pages()).hasSize(1);
      // White space is folded, and half a surrogate pair is no character.
      assertThat(file.page(site.url("/")).get("title").stringValue())
          .isEqualTo(
              "red\u001b[31m \u009b2J over\u202ewrite\u2028next\u0085line \u007f \ud83d\ude00\ufffd"
                  + "\u001b]0;owned\u0007.");
      assertThat(file.text().chars().filter(WordsTest::movesATerminal)).containsExactly((int) '\n');
      assertThat(file.text()).contains("\\u001B[31m", "\\u202E", "\ud83d\ude00\ufffd");
      assertThat((said.out() + said.err()).chars().filter(WordsTest::movesATerminal))
          .containsOnly((int) '\n');
    }
  }

  private static boolean movesATerminal(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  @Test
  void a_url_made_to_upset_terminals_is_shown_in_its_normal_form() {
    try (Site site = Site.open()) {
      site.reply("/", Replies.html("<a href=\"/a\u001b[2J\r\n\u202eb\">on</a>"));
      Said said = Commands.crawl(site.url("/"), "--delay", "0");
      assertThat(said.out()).contains("404     " + site.url("/a%1B[2J%E2%80%AEb") + "  ");
    }
  }

  @Test
  void a_file_that_cannot_be_opened_is_named_before_anything_is_asked() {
    Path nowhere = directory.resolve("missing").resolve("pages.jsonl");
    try (Site site = Site.open()) {
      Said said = Commands.crawl(site.url("/"), "--delay", "0", "--out", nowhere.toString());
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err().lines())
          .containsExactly(
              "comity: cannot write to "
                  + nowhere
                  + ": its directory does not exist; name another file with --out",
              "Try: comity crawl --help");
      assertThat(site.connections()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--max-pages 0 | max-pages is 0, but must be at least 1",
        "--max-pages-per-domain 0 | max-pages-per-domain is 0, but must be at least 1",
        "--max-depth -1 | max-depth is -1, but must be at least 0; 0 crawls the seeds alone",
        "--delay soon | Invalid value for option '--delay': 'soon' is not a duration; write one"
            + " like 500ms, 2s, 1.5s, 10m or 1h",
        "--delay -1s | Invalid value for option '--delay': '-1s' is not a duration; write one like"
            + " 500ms, 2s, 1.5s, 10m or 1h",
        "--contact nobody | contact: a contact is a URL (https://…) or a mail address, without"
            + " spaces or parentheses: nobody",
        "--scope world | Invalid value for option '--scope': 'world' is none of subtree, host,"
            + " domain, seeds, any",
      })
  void a_setting_that_makes_no_sense_is_named_with_its_value_and_the_rule(
      String setting, String words) {
    try (Site site = Site.open()) {
      String[] option = setting.split(" ", -1);
      Said said = Commands.crawl(site.url("/"), option[0], option[1]);
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.out()).isEmpty();
      assertThat(said.err().lines())
          .containsExactly("comity: " + words, "Try: comity crawl --help");
      assertThat(site.connections()).isZero();
    }
  }

  @Test
  void a_pattern_or_a_seed_that_cannot_be_read_is_refused_with_the_reason() {
    Said pattern = Commands.crawl("http://127.0.0.1/", "--include", "(");
    assertThat(pattern.code()).isEqualTo(2);
    assertThat(pattern.err()).startsWith("comity: include: ").contains("\"(\"");
    Said seed = Commands.crawl("ftp://127.0.0.1/\u001b[2J");
    assertThat(seed.code()).isEqualTo(2);
    assertThat(seed.err()).startsWith("comity: ").contains("\\u001B[2J").doesNotContain("\u001b");
    assertThat(Commands.crawl().code()).isEqualTo(2);
  }

  @Test
  void the_help_names_every_scope_as_it_is_written_and_the_usual_one() {
    String help = Commands.run("crawl", "--help").out().replaceAll("\\s+", " ");
    assertThat(help).contains("Follow links to: subtree (the paths of the seeds), host,");
  }

  @Test
  void a_full_disk_ends_the_crawl_with_one_line_that_says_so() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "this system has no device that is always full");
    try (Site site = Site.open().page("/", "Home", "/next")) {
      Said said = Commands.crawl(site.url("/"), "--delay", "0", "--out", full.toString());
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.err())
          .isEqualTo(
              "comity: cannot write the pages any further: No space left on device"
                  + System.lineSeparator());
      assertThat(site.asked()).containsExactly("/robots.txt", "/");
    }
  }

  @Test
  void the_demo_judges_the_crawl_by_its_sites_own_log() {
    Said said = Commands.run("demo", "--delay", "0", "--only", "lighthouse.example");
    assertThat(said.code()).isZero();
    assertThat(said.err()).isEmpty();
    List<String> lines = said.out().lines().toList();
    assertThat(lines.get(0))
        .isEqualTo("1 site of a small web inside this process, crawled as any others would be:");
    assertThat(lines.get(1)).isEqualTo("  lighthouse.example   answers at once");
    assertThat(lines.get(2))
        .startsWith("done: 9 pages (7 × 200, 1 × 301, 1 × 404), 1 URL denied by robots.txt in ")
        .endsWith(", 11 requests");
    assertThat(lines.get(4)).startsWith("SITE                REQUESTS  OK  REFUSED  DELAY  SET BY");
    assertThat(lines.get(6))
        .startsWith("lighthouse.example        11   9        0    0 s  ")
        .endsWith("  exhausted");
    assertThat(lines.get(8))
        .endsWith("The sites' own log: 11 requests, 0 of them for what robots.txt forbids.");
  }

  @Test
  void a_site_the_demo_does_not_have_is_named_beside_those_it_has() {
    Said said = Commands.run("demo", "--only", "moon.example");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err())
        .startsWith("comity: --only: there is no site 'moon.example' in the demo; there are light");
  }
}
