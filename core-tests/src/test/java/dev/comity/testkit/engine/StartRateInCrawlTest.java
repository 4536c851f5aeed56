package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A rate for all requests together, in a whole crawl. */
class StartRateInCrawlTest {
  private static final Duration QUICK = Duration.ofMillis(10);

  private final Rehearsal rehearsal = new Rehearsal();

  private void sites(int count) {
    for (int number = 0; number < count; number++) {
      String host = "http://site" + number + ".example";
      rehearsal.web.site(host).page("/", "/1", "/2").latency(Duration.ZERO, QUICK);
      rehearsal.seed(host + "/");
    }
  }

  private List<Instant> starts() {
    return rehearsal.web.visits().stream().map(Visit::startedAt).sorted().toList();
  }

  @Test
  void the_starts_of_all_domains_are_spaced() {
    sites(30);
    rehearsal.maxRate = 5;
    rehearsal.run();
    List<Instant> starts = starts();
    // robots.txt and three pages each.
    assertThat(starts).hasSize(120);
    for (int number = 1; number < starts.size(); number++) {
      assertThat(Duration.between(starts.get(number - 1), starts.get(number)))
          .isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }
    // And no slower than that: while there is work, no start is wasted.
    assertThat(Duration.between(starts.getFirst(), starts.getLast()))
        .isLessThan(Duration.ofMillis(200 * 119 + 2000));
  }

  @Test
  void without_one_domains_do_not_wait_for_each_other() {
    sites(30);
    rehearsal.run();
    assertThat(Duration.between(starts().getFirst(), starts().getLast()))
        .isLessThan(Duration.ofSeconds(12));
  }

  @Test
  void who_waits_for_its_start_holds_no_place() {
    rehearsal.maxInFlight = 1;
    rehearsal.maxRate = 2;
    sites(4);
    rehearsal.run();
    assertThat(starts()).hasSize(16);
    assertThat(Duration.between(starts().getFirst(), starts().getLast()))
        .isBetween(Duration.ofMillis(7500), Duration.ofMillis(9500));
  }

  @Test
  void a_stop_waits_for_nobody_in_line() {
    sites(30);
    rehearsal.maxRate = 0.001;
    Instant stopped = Rehearsal.START.plusSeconds(30);
    rehearsal.runAndStopAt(stopped);
    assertThat(rehearsal.time.instant()).isEqualTo(stopped);
    assertThat(starts()).hasSize(1);
  }
}
