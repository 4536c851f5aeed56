package dev.comity.app.monitor;

import static dev.comity.app.support.Settled.NOON;
import static dev.comity.app.support.Settled.URL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.output.JsonLines;
import dev.comity.app.support.Settled;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Settlement;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The counts behind the live view and the summary, and these as they are spoken. */
class CrawlCountsTest {
  private final CrawlCounts counts = new CrawlCounts();

  @Test
  void at_first_there_is_nothing() {
    assertThat(counts.spoken()).isEqualTo("0 pages");
    assertThat(counts.pages()).isZero();
    assertThat(counts.requests()).isZero();
    assertThat(counts.failures()).isZero();
  }

  @Test
  void pages_are_counted_by_status_lowest_first_and_the_rest_by_reason() {
    settle(Settled.answered(404), Settled.answered(200), Settled.answered(200));
    settle(Settled.answered(301), Settled.denied(), Settled.denied());
    settle(Settled.failed(Category.TIMEOUT), Settled.failed(Category.TOO_LARGE));
    settle(Settled.failed(Category.TIMEOUT));
    assertThat(counts.spoken())
        .isEqualTo(
            "4 pages (2 × 200, 1 × 301, 1 × 404), 2 URLs denied by robots.txt, 1 failed"
                + " (too_large), 2 failed (timeout)");
    assertThat(counts.pages()).isEqualTo(4);
    assertThat(counts.failures()).isEqualTo(3);
  }

  @Test
  void one_is_not_spoken_of_as_many() {
    settle(Settled.answered(200), Settled.denied());
    counts.started(URL.domain(), Settled.attempt(URL, NOON));
    assertThat(counts.spoken()).isEqualTo("1 page (1 × 200), 1 URL denied by robots.txt");
  }

  @Test
  void a_domain_that_was_closed_is_spoken_of_with_its_reason() {
    Standing closed =
        new Standing(
            DomainStatus.UNREACHABLE,
            Optional.of(CloseReason.CONNECTION_FAILED),
            Optional.of(NOON),
            1);
    counts.ended(URL.domain(), new Ending.Closed(closed));
    counts.ended(URL.domain(), new Ending.Exhausted());
    assertThat(counts.spoken()).isEqualTo("0 pages, 1 domain closed (connection_failed)");
    assertThat(JsonLines.line(counts.fields()))
        .contains("\"domains_closed_by_reason\":{\"connection_failed\":1}");
  }

  @Test
  void a_url_that_is_asked_again_later_is_not_counted_yet() {
    settle(Settled.later());
    assertThat(counts.spoken()).isEqualTo("0 pages");
  }

  @Test
  void a_site_that_asks_us_to_slow_down_is_counted() {
    RateLimited slower = new RateLimited(429, Optional.empty());
    counts.answered(
        URL.domain(),
        Settled.attempt(URL, NOON),
        new Fetched(slower, Optional.empty(), Duration.ZERO, 0));
    assertThat(counts.refusals()).isEqualTo(1);
  }

  @Test
  void what_was_left_alone_as_a_trap_is_spoken_of_be_it_queued_or_only_linked() {
    settle(Settled.suppressed());
    assertThat(counts.spoken()).isEqualTo("0 pages, 1 URL left alone as traps");
    counts.leftOut(URL.domain(), 2);
    counts.leftOut(URL.domain(), 3);
    assertThat(counts.spoken()).isEqualTo("0 pages, 1 URL and 5 links left alone as traps");
    assertThat(JsonLines.line(counts.fields()))
        .contains("\"suppressed\":1,\"links_suppressed\":5,");
  }

  @Test
  void all_of_it_has_names_for_programs() {
    settle(Settled.answered(404), Settled.answered(200), Settled.failed(Category.TIMEOUT));
    assertThat(JsonLines.line(counts.fields()))
        .isEqualTo(
            "{\"pages\":2,\"by_status\":{\"200\":1,\"404\":1},\"failed\":1,"
                + "\"failed_by_reason\":{\"timeout\":1},\"domains_closed_by_reason\":{},\"denied\":0,\"denied_by_wish\":0,\"content_dropped_by_wish\":0,\"suppressed\":0,\"links_suppressed\":0,\"skipped\":0,\"seeds_moved\":0,\"set_aside\":0,"
                + "\"refused\":0,\"links_left_out\":0,\"images_found\":0,\"images_kept\":0,\"images_not_taken\":0,\"requests\":0}");
  }

  private void settle(Settlement... settlements) {
    for (Settlement settlement : settlements) {
      counts.settled(URL.domain(), settlement);
    }
  }
}
