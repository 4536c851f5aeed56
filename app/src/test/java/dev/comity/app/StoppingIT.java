package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.comity.app.support.PageFile;
import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Wire;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crawl that is told to end does so soon, in order, and says so. */
class StoppingIT {
  @TempDir private Path directory;

  @Test
  void told_to_end_while_a_server_stays_silent_it_ends_with_whole_lines_and_asks_nothing_more()
      throws Exception {
    try (Site site =
        Site.open()
            .page("/", "Home", "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9")
            .play("/1", Wire::hold)) {
      PageFile file = new PageFile(directory.resolve("pages.jsonl"));
      try (Program program =
          Program.start(
              directory, "crawl", site.url("/"), "--delay", "2s", "-o", file.path().toString())) {
        site.awaitRequest("/1");
        program.signal("TERM");
        Said said = program.ended();
        assertThat(said.code()).isEqualTo(143);
        assertThat(said.err()).isEmpty();
        assertThat(said.lastLine())
            .startsWith("stopped: 1 page (1 × 200) in ")
            .endsWith(", 3 requests");
        assertThat(file.statuses()).isEqualTo(Map.of(site.url("/"), 200));
        assertThat(site.asked()).containsExactly("/robots.txt", "/", "/1");
      }
    }
  }

  @Test
  void an_answer_under_way_is_waited_for_and_kept_but_its_links_are_not_asked() throws Exception {
    assumeTrue(
        Files.isDirectory(Path.of("/proc/self/task")),
        "this system does not list the threads of a process");
    CountDownLatch stopping = new CountDownLatch(1);
    try (Site site = Site.open().page("/", "Home", "/slow", "/other")) {
      site.play(
          "/slow",
          wire -> {
            if (stopping.await(1, TimeUnit.MINUTES)) {
              wire.send(Replies.html(Site.html("Slow", "/next")));
            }
          });
      PageFile file = new PageFile(directory.resolve("pages.jsonl"));
      try (Program program =
          Program.start(
              directory, "crawl", site.url("/"), "--delay", "2s", "-o", file.path().toString())) {
        site.awaitRequest("/slow");
        program.signal("TERM");
        program.awaitStopHeard();
        stopping.countDown();
        Said said = program.ended();
        assertThat(said.code()).isEqualTo(143);
        assertThat(said.lastLine())
            .startsWith("stopped: 2 pages (2 × 200) in ")
            .endsWith(", 3 requests");
        assertThat(file.statuses()).isEqualTo(Map.of(site.url("/"), 200, site.url("/slow"), 200));
        assertThat(site.asked()).containsExactly("/robots.txt", "/", "/slow");
      }
    }
  }

  @Test
  void interrupted_while_it_waits_for_its_turn_it_ends_without_asking_again() throws Exception {
    assumeTrue(
        isHeeded(2), "this build was started with SIGINT ignored (nohup, or in the background)");
    try (Site site = Site.open().page("/", "Home")) {
      try (Program program = Program.start(directory, "crawl", site.url("/"), "--delay", "9m")) {
        site.awaitRequest("/robots.txt");
        program.signal("INT");
        Said said = program.ended();
        assertThat(said.code()).isEqualTo(130);
        assertThat(said.err()).isEmpty();
        // Where it came to that, it has also said what it waits for.
        assertThat(said.out().lines().filter(line -> !line.contains(": waiting until ")))
            .hasSize(2);
        assertThat(said.lastLine()).startsWith("stopped: 0 pages in ").endsWith(", 1 request");
        assertThat(site.asked()).containsExactly("/robots.txt");
      }
    }
  }

  @Test
  void a_summary_for_programs_has_the_signals_exit_code() throws Exception {
    try (Site site = Site.open().page("/", "Home")) {
      try (Program program =
          Program.start(directory, "crawl", site.url("/"), "--delay", "9m", "--json")) {
        site.awaitRequest("/robots.txt");
        program.signal("TERM");
        Said said = program.ended();
        assertThat(said.code()).isEqualTo(143);
        assertThat(said.lastLine()).contains("\"end\":\"stopped\"", "\"exit_code\":143");
      }
    }
  }

  @Test
  void told_twice_it_does_not_wait_for_anything() throws Exception {
    assumeTrue(
        Files.isDirectory(Path.of("/proc/self/task")),
        "this system does not list the threads of a process");
    try (Site site = Site.open().page("/", "Home", "/1").play("/1", Wire::hold)) {
      try (Program program = Program.start(directory, "crawl", site.url("/"), "--delay", "0")) {
        site.awaitRequest("/1");
        program.signal("TERM");
        program.awaitStopHeard();
        program.signal("TERM");
        Said said = program.ended();
        assertThat(said.code()).isEqualTo(143);
        // In order, it would have said so.
        assertThat(said.out()).doesNotContain("stopped");
      }
    }
  }

  @Test
  void told_to_end_while_nothing_can_be_written_it_says_what_is_wrong_and_ends() throws Exception {
    Site site = Site.open();
    StringBuilder links = new StringBuilder();
    for (int page = 0; page < 8000; page++) {
      links.append("<a href=\"/").append("long".repeat(200)).append(page).append("\">on</a>");
    }
    site.reply("/", Replies.html(links.toString()));
    try (site;
        Program program =
            Program.confined(directory, 8000, "crawl", site.url("/"), "--delay", "0")) {
      while (program.isRunning() && !program.saidSoFar().contains("Nothing more is asked: ")) {
        program.endsWithin(Program.A_LOOK);
      }
      int asked = site.asked().size();
      program.signal("TERM");
      Said said = program.ended();
      assertThat(said.code()).isEqualTo(143);
      assertThat(said.err()).doesNotContain("Exception").hasLineCount(1).startsWith("comity: ");
      // Those under way when it was said may have arrived since: five at most to one domain. And 32
      // decided pages may gather before the domain waits for the store. There was time for
      // hundreds.
      assertThat(site.asked()).hasSizeBetween(asked, asked + 5 + 32);
    }
  }

  /** A process started in the background without job control ignores SIGINT, and so do its own. */
  private static boolean isHeeded(int signal) throws Exception {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return true;
    }
    return Files.readString(status)
        .lines()
        .filter(line -> line.startsWith("SigIgn:"))
        .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
        .noneMatch(ignored -> (ignored >> (signal - 1) & 1) == 1);
  }
}
