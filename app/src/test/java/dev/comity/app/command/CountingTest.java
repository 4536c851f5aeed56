package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every command means the same by a page, and what is no HTML uses up no budget. */
class CountingTest {
  private static final String PDF =
      Replies.ok("application/pdf", "%PDF-1.4".getBytes(StandardCharsets.UTF_8));

  @TempDir private Path home;

  private Path data() {
    return home.resolve("data");
  }

  private Path out() {
    return home.resolve("pages.jsonl");
  }

  private Said crawl(String... arguments) {
    String[] usual = {
      "crawl", "--delay", "0", "--data", data().toString(), "--out", out().toString()
    };
    return Commands.run(
        Stream.concat(Stream.of(usual), Stream.of(arguments)).toArray(String[]::new));
  }

  private JsonNode told(String... command) {
    String[] arguments =
        Stream.concat(Stream.of(command), Stream.of("--json", "--data", data().toString()))
            .toArray(String[]::new);
    return new JsonMapper()
        .readTree(Commands.run(arguments).out().lines().findFirst().orElseThrow());
  }

  private static String[] paths(String form, int number) {
    return IntStream.range(0, number).mapToObj(form::formatted).toArray(String[]::new);
  }

  /** As many files as given before nine pages, on a home page that has links to all. */
  private static Site site(String files, int number) {
    String[] pages = paths("/page%d.html", 9);
    Site site =
        Site.open()
            .page(
                "/",
                "Home",
                Stream.concat(Stream.of(paths(files, number)), Stream.of(pages))
                    .toArray(String[]::new));
    for (String file : paths(files, number)) {
      site.reply(file, PDF);
    }
    for (String page : pages) {
      site.page(page, "A page", "/doc0.pdf");
    }
    return site;
  }

  @Test
  void sixty_files_before_ten_pages_leave_the_budget_to_the_pages() throws IOException {
    try (Site site = site("/doc%d.pdf", 60)) {
      Said said = crawl(site.url("/"), "--max-pages", "30");
      assertThat(said.code()).isZero();
      assertThat(said.lastLine())
          .startsWith("done: 10 pages (10 × 200), 60 URLs skipped (not HTML) in ");
      assertThat(site.asked()).hasSize(11).noneMatch(path -> path.endsWith(".pdf"));
      assertThat(Files.readAllLines(out())).hasSize(10);
      assertThat(told("runs").get("pages").longValue()).isEqualTo(10);
      JsonNode domain = told("domains");
      assertThat(domain.get("pages").longValue()).isEqualTo(10);
      assertThat(domain.get("skipped").longValue()).isEqualTo(60);
      assertThat(domain.get("errors").longValue()).isZero();
      assertThat(
              Commands.run("domain", "127.0.0.1:" + site.port(), "--data", data().toString()).out())
          .contains("  skipped            60 of a type that is not kept");
      assertThat(Commands.run("doctor", "--data", data().toString()).code()).isZero();
    }
  }

  @Test
  void answers_that_are_not_kept_are_limited_to_as_many_as_pages() throws IOException {
    try (Site site = site("/view?doc=%d", 60)) {
      Said said = crawl(site.url("/"), "--max-pages", "30");
      assertThat(said.lastLine())
          .startsWith(
              "as many answers not kept as pages are allowed (--max-pages gives more): 1 page (1 ×"
                  + " 200), 30 URLs skipped (not HTML: 30 application/pdf) in ");
      assertThat(Files.readAllLines(out())).hasSize(1);
      assertThat(told("runs").get("pages").longValue()).isEqualTo(1);
    }
  }

  @Test
  void a_file_that_is_named_as_a_start_is_asked_and_that_is_said() {
    try (Site site = Site.open().reply("/report.pdf", PDF)) {
      Said said = crawl(site.url("/report.pdf"));
      assertThat(said.out().lines())
          .contains(
              site.url("/report.pdf") + " is named as a start and asked, though only HTML is kept.",
              "skipped " + site.url("/report.pdf") + "  application/pdf");
      assertThat(said.lastLine())
          .startsWith("done: 0 pages, 1 URL skipped (not HTML: 1 application/pdf) in ");
      assertThat(site.asked()).contains("/report.pdf");
    }
  }

  @Test
  void a_page_that_is_asked_again_is_the_same_page() {
    try (Site site = Site.open().page("/", "Home", "/a", "/gone", "/b.zip").page("/a", "A")) {
      crawl(site.url("/"));
      Said again = crawl(site.url("/"), "--again");
      assertThat(again.out()).contains("3 URLs asked again.");
      assertThat(again.lastLine()).startsWith("done: 3 pages (2 × 200, 1 × 404) in ");
      JsonNode domain = told("domains");
      assertThat(domain.get("pages").longValue()).isEqualTo(3);
      assertThat(domain.get("discovered").longValue()).isEqualTo(4);
      assertThat(told("runs").get("pages").longValue()).isEqualTo(3);
      assertThat(Commands.run("doctor", "--data", data().toString()).code()).isZero();
    }
  }

  @Test
  void nothing_that_is_kept_in_memory_alone_is_counted_otherwise() throws IOException {
    try (Site site = site("/doc%d.pdf", 60)) {
      Said said =
          Commands.run(
              "crawl",
              "--ephemeral",
              "--delay",
              "0",
              "--max-pages",
              "30",
              "--out",
              out().toString(),
              site.url("/"));
      assertThat(said.lastLine())
          .startsWith("done: 10 pages (10 × 200), 60 URLs skipped (not HTML) in ");
      assertThat(List.copyOf(Files.readAllLines(out()))).hasSize(10);
    }
  }
}
