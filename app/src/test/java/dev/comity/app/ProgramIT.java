package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.PageFile;
import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program among other programs: its streams, its environment and its exit codes. */
class ProgramIT {
  @TempDir private Path directory;

  @Test
  void the_demo_ends_by_itself_and_writes_nothing_on_standard_error() {
    try (Program program =
        Program.start(directory, "demo", "--delay", "20ms", "--only", "lighthouse.example")) {
      Said said = program.ended();
      assertThat(said.code()).isZero();
      assertThat(said.err()).isEmpty();
      assertThat(said.out())
          .contains("The sites' own log: 11 requests, 0 of them for what robots.txt forbids.")
          .doesNotContain("\u001b");
      String apart = said.out().replaceAll("(?s).*began at least ([0-9.]+) s apart.*", "$1");
      assertThat(Double.parseDouble(apart)).isGreaterThanOrEqualTo(0.020);
    }
  }

  @Test
  void on_a_terminal_the_live_view_goes_to_standard_error_and_is_gone_in_the_end() {
    try (Program program =
        Program.start(
            directory,
            List.of("-Dcomity.terminal=100"),
            List.of(),
            "demo",
            "--delay",
            "0",
            "--only",
            "lighthouse.example")) {
      Said said = program.ended();
      assertThat(said.code()).isZero();
      assertThat(said.out()).doesNotContain("\u001b", "\r");
      assertThat(said.err())
          .startsWith("\r\u001b[J")
          .contains("0 pages, 0.0/s", " at work", " of 256 in flight")
          .endsWith("\u001b[J");
    }
  }

  @Test
  void pages_on_standard_output_have_it_to_themselves() {
    try (Site site = Site.open().page("/", "Grüße", "/gone");
        Program program =
            Program.start(directory, "crawl", site.url("/"), "--delay", "0", "--out", "-")) {
      Said said = program.ended();
      assertThat(said.code()).isZero();
      Map<String, Integer> statuses =
          PageFile.pages(said.out()).stream()
              .collect(
                  Collectors.toMap(
                      page -> page.get("url").stringValue(),
                      page -> page.get("status").intValue()));
      assertThat(statuses).isEqualTo(Map.of(site.url("/"), 200, site.url("/gone"), 404));
      assertThat(said.out()).contains("\"title\":\"Grüße\"");
      assertThat(said.err().lines()).hasSize(4);
      assertThat(said.err()).contains("200     " + site.url("/"), "done: 2 pages");
    }
  }

  @Test
  void where_pages_have_standard_output_progress_in_json_goes_to_standard_error() {
    try (Site site = Site.open().page("/", "Home", "/gone");
        Program program =
            Program.start(
                directory,
                "crawl",
                site.url("/"),
                "--delay=0",
                "--json",
                "--log-format=json",
                "-o-")) {
      Said said = program.ended();
      assertThat(said.code()).isZero();
      assertThat(PageFile.pages(said.out())).hasSize(2);
      assertThat(said.out()).doesNotContain("\"event\"");
      assertThat(said.err().lines())
          .allMatch(line -> line.startsWith("{\"time\":"))
          .anyMatch(line -> line.contains("\"event\":\"progress\""))
          .anyMatch(line -> line.contains("\"event\":\"summary\""));
    }
  }

  @Test
  void quiet_and_with_pages_on_standard_output_only_the_last_words_are_on_standard_error() {
    try (Site site = Site.open().page("/", "Home", "/gone");
        Program program = Program.start(directory, "crawl", site.url("/"), "--delay=0", "-qo-")) {
      Said said = program.ended();
      assertThat(PageFile.pages(said.out())).hasSize(2);
      assertThat(said.err().lines()).hasSize(1);
      assertThat(said.err()).startsWith("done: 2 pages (1 × 200, 1 × 404) in ");
    }
  }

  @Test
  void where_reports_and_log_share_a_stream_the_summary_is_there_once() {
    try (Site site = Site.open().page("/", "Home");
        Program program =
            Program.start(
                directory,
                "crawl",
                site.url("/"),
                "--delay=0",
                "-qo-",
                "--json",
                "--log-format=json")) {
      assertThat(program.ended().err().lines().filter(line -> line.contains("\"summary\"")))
          .hasSize(1);
    }
  }

  @Test
  void when_nobody_reads_the_pages_any_more_the_crawl_ends() throws Exception {
    // The pipe is closed on the reader's side before the first page is sent.
    try (Site site = Site.open().page("/", "Home", "/1").page("/1", "One", "/2")) {
      CountDownLatch closed = new CountDownLatch(1);
      site.play(
          "/robots.txt",
          wire -> {
            if (closed.await(1, TimeUnit.MINUTES)) {
              wire.send(Replies.status("404 Not Found"));
            }
          });
      try (Program program =
          Program.piped(directory, "crawl", site.url("/"), "--delay", "0", "-q", "-o", "-")) {
        site.awaitRequest("/robots.txt");
        program.closeReader();
        closed.countDown();
        Said said = program.ended();
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.err())
            .isEqualTo("comity: cannot write the pages any further: Broken pipe\n");
        assertThat(site.asked()).containsExactly("/robots.txt", "/");
      }
    }
  }

  @Test
  void when_nobody_reads_its_progress_any_more_the_crawl_ends() throws Exception {
    try (Site site = Site.open().page("/", "Home", "/1");
        Program program =
            Program.piped(directory, "crawl", site.url("/"), "--delay", "60s", "--json", "-q")) {
      site.awaitRequest("/robots.txt");
      program.closeReader();
      Said said = program.ended();
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.err()).startsWith("comity: cannot write the lines of --json");
      assertThat(site.asked()).containsExactly("/robots.txt");
    }
  }
}
