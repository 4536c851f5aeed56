package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.SeenRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator sets terms of a domain while another process crawls it; the origin's log judges. */
class OperatorBesideCrawlIT {
  @TempDir private Path home;

  private Said run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--data", home.resolve("comity-data").toString()));
    Said said = Commands.run(all.toArray(String[]::new));
    assertThat(said.err()).isEmpty();
    return said;
  }

  private static Site site(int pages) {
    String[] links = IntStream.range(0, pages).mapToObj(n -> "/" + n).toArray(String[]::new);
    Site site = Site.open().page("/", "Home", links);
    Stream.of(links).forEach(link -> site.page(link, "Page " + link));
    return site;
  }

  private Program crawl(Site site, String delay) {
    return Program.start(home, "crawl", site.url("/"), "--delay", delay);
  }

  /** What the origin got after that time. */
  private static List<SeenRequest> after(Site site, Instant time) {
    return site.requests().stream().filter(request -> request.at().isAfter(time)).toList();
  }

  @Test
  void a_paused_domain_gets_one_more_request_at_most_and_goes_on_where_it_was_when_resumed()
      throws Exception {
    try (Site site = site(8)) {
      String name = "127.0.0.1:" + site.port();
      try (Program crawl = crawl(site, "700ms")) {
        site.awaitRequest("/2");
        assertThat(run("domain", "set", name, "--pause").out().strip())
            .isEqualTo(name + ": paused");
        Instant paused = Instant.now();
        Said said = crawl.ended();
        assertThat(after(site, paused)).hasSizeLessThanOrEqualTo(1);
        assertThat(said.code()).isEqualTo(4);
        assertThat(said.out())
            .contains(
                name + ": paused by the operator; `comity domain set " + name + " --resume` lets");
        assertThat(said.lastLine()).startsWith("what is left is paused by the operator (");
      }
      assertThat(run("why", name).out())
          .contains("next request: not a matter of time (paused by the operator)");
      int asked = site.asked().size();
      try (Program again = crawl(site, "0")) {
        Said said = again.ended();
        assertThat(said.code()).isEqualTo(4);
        assertThat(said.out()).contains(name + " is left out: paused by the operator");
        assertThat(site.asked()).hasSize(asked);
      }
      assertThat(run("domain", "set", name, "--resume").out().strip())
          .isEqualTo(name + ": resumed");
      try (Program last = crawl(site, "0")) {
        assertThat(last.ended().code()).isZero();
      }
      assertThat(site.asked())
          .filteredOn(path -> !path.equals("/robots.txt"))
          .hasSize(9)
          .doesNotHaveDuplicates();
      assertThat(run("runs", "--json").out().lines()).as("one run").hasSize(1);
      assertThat(run("doctor").code()).isZero();
    }
  }

  @Test
  void a_domain_that_is_resumed_is_asked_again_while_the_crawl_goes_on_with_another()
      throws Exception {
    try (Site site = site(4);
        Site other = site(40)) {
      String name = "127.0.0.1:" + site.port();
      String busy = "127.0.0.1:" + other.port();
      try (Program crawl =
          Program.start(home, "crawl", site.url("/"), other.url("/"), "--delay", "500ms")) {
        site.awaitRequest("/0");
        run("domain", "set", name, "--pause");
        other.awaitRequest("/5");
        int asked = site.asked().size();
        run("domain", "set", name, "--resume");
        site.awaitRequest("/3");
        assertThat(asked).as("asked while it was paused").isLessThanOrEqualTo(5);
        run("domain", "set", busy, "--min-interval", "0");
        assertThat(crawl.ended().code()).isZero();
      }
    }
  }

  @Test
  void a_longer_interval_holds_after_the_next_request_and_the_default_ends_it() throws Exception {
    Duration interval = Duration.ofSeconds(3);
    try (Site site = site(12)) {
      String name = "127.0.0.1:" + site.port();
      try (Program crawl = crawl(site, "200ms")) {
        site.awaitRequest("/2");
        run("domain", "set", name, "--min-interval", "3s");
        Instant set = Instant.now();
        while (after(site, set).size() < 3) {
          assertThat(crawl.isRunning()).isTrue();
          Thread.onSpinWait();
        }
        assertThat(run("why", name).out())
            .startsWith(name + ": 3 s between requests, set by the minimum interval")
            .contains("the operator has set its minimum interval to 3 s");
        run("domain", "set", name, "--min-interval", "default");
        Said said = crawl.ended();
        assertThat(said.code()).isZero();
        assertThat(said.out())
            .contains(
                name + ": 3 s between requests instead of 0.2 s, set by the minimum interval");
        List<SeenRequest> seen = after(site, set);
        // The origin may notice the first of them late on a busy machine: half is left for that.
        assertThat(Duration.between(seen.get(0).at(), seen.get(1).at()))
            .isGreaterThan(interval.dividedBy(2));
        assertThat(Duration.between(seen.get(1).at(), seen.get(2).at()))
            .isGreaterThan(interval.dividedBy(2));
      }
    }
  }

  /** A site whose pages are answered when the latch opens; its home is answered at once. */
  private static Site slowSite(int pages, CountDownLatch answered) {
    Site site = site(pages);
    for (int page = 0; page < pages; page++) {
      String html = Replies.html(Site.html("Page " + page));
      site.play(
          "/" + page,
          wire -> {
            // The bound only keeps a broken test from hanging.
            answered.await(1, TimeUnit.MINUTES);
            wire.send(html);
          });
    }
    return site;
  }

  /** Five requests may be in flight, and none of them is answered while the operator speaks. */
  private void noRequestAfterTheNext(String... command) throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    try (Site site = slowSite(20, answered);
        Site other = site(40);
        Program crawl =
            Program.start(home, "crawl", site.url("/"), other.url("/"), "--delay", "1s")) {
      List<String> all = new ArrayList<>(List.of(command));
      all.set(all.indexOf("NAME"), "127.0.0.1:" + site.port());
      // Four more could start, a second from one to the next.
      site.awaitRequest("/0");
      run(all.toArray(String[]::new));
      Instant set = Instant.now();
      int asked = other.asked().size();
      // The other site is the clock: five seconds of its pace go by.
      while (other.asked().size() < asked + 5) {
        assertThat(crawl.isRunning()).isTrue();
        Thread.onSpinWait();
      }
      assertThat(after(site, set)).hasSizeLessThanOrEqualTo(1);
      answered.countDown();
    }
  }

  @Test
  void a_pause_is_obeyed_at_once_while_no_request_is_answered() throws Exception {
    noRequestAfterTheNext("domain", "set", "NAME", "--pause");
  }

  @Test
  void a_longer_interval_is_obeyed_at_once_while_no_request_is_answered() throws Exception {
    noRequestAfterTheNext("domain", "set", "NAME", "--min-interval", "1m");
  }

  @Test
  void a_block_is_obeyed_at_once_while_no_request_is_answered() throws Exception {
    noRequestAfterTheNext("domain-block", "NAME");
  }
}
