package dev.comity.app.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.Main;
import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A crawl as programs watch it: progress, summary, log, and the time it may take. */
class CrawlMonitorTest {
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path home;

  private static List<JsonNode> objects(String text) {
    return text.lines().map(JSON::readTree).toList();
  }

  private static List<String> events(String text) {
    return objects(text).stream().map(line -> line.get("event").stringValue()).toList();
  }

  @Test
  void with_json_standard_output_has_progress_and_a_summary_and_nothing_else() {
    try (Site site = Site.open().page("/", "Home", "/gone")) {
      Said said = Commands.crawl(site.url("/"), "--delay", "0", "--json");
      assertThat(said.code()).isZero();
      List<String> events = events(said.out());
      assertThat(events.getFirst()).isEqualTo("progress");
      assertThat(events.getLast()).isEqualTo("summary");
      assertThat(events.subList(0, events.size() - 1)).containsOnly("progress");
      JsonNode summary = objects(said.out()).getLast();
      assertThat(summary.get("end").stringValue()).isEqualTo("finished");
      assertThat(summary.get("pages").intValue()).isEqualTo(2);
      assertThat(summary.get("by_status").get("404").intValue()).isEqualTo(1);
      assertThat(summary.get("requests").intValue()).isEqualTo(3);
      assertThat(summary.get("exit_code").intValue()).isZero();
      assertThat(said.err().lines()).singleElement().asString().startsWith("Run 1 begins in ");
    }
  }

  @Test
  void the_summary_has_the_exit_code_the_command_ends_with() throws IOException {
    try (Site site = Site.open().page("/", "Home")) {
      Path seeds = Files.writeString(home.resolve("seeds"), "no seed at all\n");
      Said said =
          Commands.crawl(
              site.url("/"), "--seeds", seeds.toString(), "--delay", "0", "--json", "-q");
      assertThat(said.code()).isEqualTo(6);
      assertThat(objects(said.out()).getLast().get("exit_code").intValue()).isEqualTo(6);
    }
  }

  @Test
  void a_log_in_json_has_standard_error_to_itself() {
    try (Site site =
        Site.open().robots("User-agent: *", "Disallow: /").page("/", "Home", "/gone")) {
      Said said = Commands.crawl(site.url("/"), "--delay", "0", "--log-format", "json");
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.out()).isEmpty();
      assertThat(events(said.err())).containsExactly("note", "closed", "summary");
      assertThat(objects(said.err()))
          .allMatch(line -> line.has("time") && line.has("level"))
          .element(1)
          .satisfies(
              closed -> {
                assertThat(closed.get("domain").stringValue())
                    .isEqualTo("127.0.0.1:" + site.port());
                assertThat(closed.get("reason").stringValue()).isEqualTo("robots_denied");
              });
    }
  }

  @Test
  void progress_and_log_have_each_a_stream_to_themselves() {
    try (Site site = Site.open().page("/", "Home")) {
      Path out = home.resolve("pages");
      Said said =
          Commands.crawl(
              site.url("/"),
              "--delay",
              "0",
              "--json",
              "--log-format",
              "json",
              "-o",
              out.toString());
      assertThat(events(said.out())).contains("progress").last().isEqualTo("summary");
      assertThat(events(said.err())).containsExactly("note", "exhausted", "summary");
    }
  }

  @Test
  void once_nobody_reads_the_progress_nothing_more_is_asked() throws IOException {
    Writer gone = Writer.nullWriter();
    gone.close();
    try (Site site = Site.open().page("/", "Home", "/1").page("/1", "One")) {
      StringWriter err = new StringWriter();
      int code =
          Main.commandLine()
              .setOut(new PrintWriter(gone))
              .setErr(new PrintWriter(err, true))
              .execute("crawl", site.url("/"), "--ephemeral", "--delay", "60s", "--json");
      assertThat(code).isEqualTo(1);
      assertThat(err.toString()).contains("comity: cannot write the lines of --json");
      assertThat(site.asked()).isSubsetOf("/robots.txt");
    }
  }

  @Test
  void a_crawl_whose_time_is_up_ends_in_order_and_goes_on_next_time() {
    try (Site site = Site.open().page("/", "Home", "/1").page("/1", "One")) {
      String data = home.resolve("data").toString();
      Said first =
          Commands.run(
              "crawl", site.url("/"), "--data", data, "--delay", "60s", "--max-time", "50ms");
      assertThat(first.code()).isZero();
      assertThat(first.lastLine()).startsWith("time is up (--max-time gives more): 0 pages in ");
      Said runs = Commands.run("runs", "--data", data, "--json");
      assertThat(JSON.readTree(runs.out()).get("end_reason").stringValue())
          .isEqualTo("the time it was given is over");
      Said second =
          Commands.run("crawl", site.url("/"), "--data", data, "--delay", "0", "--json", "-q");
      assertThat(objects(second.out()).getLast().get("pages").intValue()).isEqualTo(2);
    }
  }

  @Test
  void settings_that_make_no_sense_are_named() {
    assertThat(Commands.crawl("http://localhost/", "--max-time", "0").err())
        .startsWith("comity: max-time is 0.0 s, but must be more than 0");
    assertThat(Commands.crawl("http://localhost/", "--metrics", "70000").err())
        .startsWith(
            "comity: metrics is 70000, but must be a port from 0 to 65535, with an IP address");
    for (String wrong : List.of("example.org:0", "0:0:0", ":9464", "127.0.0.1", "-1")) {
      assertThat(Commands.crawl("http://localhost/", "--metrics", wrong).err())
          .startsWith("comity: metrics is " + wrong + ", but must be a port from 0 to 65535,");
    }
    assertThat(Commands.crawl("http://localhost/", "--log-format", "xml").code()).isEqualTo(2);
  }
}
