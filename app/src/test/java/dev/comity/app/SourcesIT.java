package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.SeenRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources in processes of their own; the log of the origins judges. */
class SourcesIT {
  /** The origin stamps a request when it has read it, and the machine may be busy just then. */
  private static final Duration JITTER = Duration.ofMillis(40);

  @TempDir private Path home;

  private Said run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--data", home.resolve("comity-data").toString()));
    Said said = Commands.run(all.toArray(String[]::new));
    assertThat(said.err()).isEmpty();
    return said;
  }

  private static Site site(String... paths) {
    Site site = Site.open();
    Stream.of(paths).forEach(path -> site.page(path, "Page " + path));
    return site;
  }

  private static List<Instant> starts(Site... sites) {
    return Stream.of(sites)
        .flatMap(site -> site.requests().stream())
        .filter(request -> !request.line().contains(" /robots.txt "))
        .filter(request -> !request.line().contains(" /plain"))
        .map(SeenRequest::at)
        .sorted()
        .toList();
  }

  private static void areApart(List<Instant> starts, Duration interval) {
    for (int n = 1; n < starts.size(); n++) {
      assertThat(Duration.between(starts.get(n - 1), starts.get(n)))
          .as("start " + n + " of " + starts)
          .isGreaterThanOrEqualTo(interval.minus(JITTER));
    }
  }

  /** Kills it, unless it has come to its end on a machine that was busy meanwhile. */
  private static void kill(Program crawl) throws Exception {
    if (!crawl.endsWithin(Program.A_LOOK)) {
      crawl.signal("KILL");
    }
    crawl.ended();
  }

  @Test
  void three_hosts_of_one_source_are_never_asked_closer_than_its_interval_whatever_is_killed()
      throws Exception {
    try (Site one = site("/1", "/4", "/7");
        Site two = site("/2", "/5", "/8");
        Site three = site("/3", "/6", "/9")) {
      run(
          "source",
          "add",
          "news",
          "--interval",
          "1.2",
          one.url("/1"),
          two.url("/2"),
          three.url("/3"),
          one.url("/4"),
          two.url("/5"),
          three.url("/6"));
      try (Program crawl = Program.start(home, "crawl")) {
        while (starts(one, two, three).size() < 2) {
          crawl.endsWithin(Program.A_LOOK);
        }
        kill(crawl);
      }
      try (Program again = Program.start(home, "crawl", "--delay", "0")) {
        while (starts(one, two, three).size() < 4) {
          again.endsWithin(Program.A_LOOK);
        }
        // Two processes add beside it, and both add the same URL.
        try (Program first =
                Program.start(home, "add", "--source", "news", one.url("/7"), two.url("/8"));
            Program second =
                Program.start(home, "add", "--source", "news", two.url("/8"), three.url("/9"))) {
          List<String> answers =
              Stream.of(first.ended(), second.ended())
                  .flatMap(said -> said.out().lines())
                  .map(line -> line.split(" ", -1)[0])
                  .sorted()
                  .toList();
          assertThat(answers).hasSize(4).containsOnlyOnce("duplicate");
        }
        kill(again);
      }
      if (!run("source", "list", "--json").out().contains("\"unfinished\":0")) {
        try (Program last = Program.start(home, "crawl", "--delay", "0")) {
          assertThat(last.ended().code()).isZero();
        }
      }
      List<Instant> starts = starts(one, two, three);
      // A killed process may have asked one URL that it had not settled.
      assertThat(starts).hasSizeBetween(9, 11);
      areApart(starts, Duration.ofMillis(1200));
      assertThat(run("doctor").code()).isZero();
    }
  }

  @Test
  void a_deferred_url_is_asked_by_itself_and_a_plain_one_of_its_host_before_it() throws Exception {
    try (Site site = site("/1", "/2", "/plain")) {
      run("source", "add", "news", "--interval", "6", site.url("/1"));
      try (Program crawl = Program.start(home, "crawl", "--scope", "any")) {
        site.awaitRequest("/1");
        Said deferred = run("add", site.url("/2"), "--source", "news");
        // The crawl may have ended already: then the next one asks it.
        assertThat(deferred.out()).startsWith("deferred");
        assertThat(run("add", site.url("/plain")).out()).startsWith("enqueued");
        crawl.ended();
        if (!site.asked().contains("/2") || !site.asked().contains("/plain")) {
          try (Program next = Program.start(home, "crawl", "--scope", "any")) {
            assertThat(next.ended().code()).isZero();
          }
        }
      }
      assertThat(site.asked())
          .filteredOn(path -> !path.equals("/robots.txt"))
          .containsExactly("/1", "/plain", "/2");
      areApart(starts(site), Duration.ofSeconds(6));
    }
  }

  @Test
  void a_shorter_interval_is_heeded_by_a_running_crawl() throws Exception {
    try (Site site = site("/1", "/2")) {
      run("source", "add", "news", "--interval", "300", site.url("/1"), site.url("/2"));
      try (Program crawl = Program.start(home, "crawl")) {
        site.awaitRequest("/1");
        run("source", "set", "news", "--interval", "off");
        assertThat(crawl.ended().code()).isZero();
      }
      assertThat(site.asked()).contains("/2");
    }
  }
}
