package dev.comity.app;

import static dev.comity.app.Settled.NOON;
import static dev.comity.app.Settled.URL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.SystemTimeline;
import dev.comity.core.outcome.Category;
import dev.comity.core.port.Settlement;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The counts behind the live line and the closing words, and both of these as they are spoken. */
class TallyTest {
  private final Tally tally = new Tally();

  @Test
  void at_first_there_is_nothing() {
    assertThat(tally.spoken()).isEqualTo("0 pages");
    assertThat(tally.pages()).isZero();
    assertThat(tally.requests()).isZero();
    assertThat(tally.failures()).isZero();
    assertThat(line()).isEqualTo("0 pages, 0 failed, 0 requests");
  }

  @Test
  void pages_are_counted_by_status_lowest_first_and_the_rest_by_reason() {
    settle(Settled.answered(404), Settled.answered(200), Settled.answered(200));
    settle(Settled.answered(301), Settled.denied(), Settled.denied());
    settle(Settled.failed(Category.TIMEOUT), Settled.failed(Category.TOO_LARGE));
    settle(Settled.failed(Category.TIMEOUT));
    assertThat(tally.spoken())
        .isEqualTo(
            "4 pages (2 × 200, 1 × 301, 1 × 404), 2 URLs denied by robots.txt, 1 failed"
                + " (too_large), 2 failed (timeout)");
    assertThat(tally.pages()).isEqualTo(4);
    assertThat(tally.failures()).isEqualTo(3);
  }

  @Test
  void one_is_not_spoken_of_as_many() {
    settle(Settled.answered(200), Settled.denied());
    tally.started(URL.domain(), Settled.attempt(URL, NOON));
    assertThat(tally.spoken()).isEqualTo("1 page (1 × 200), 1 URL denied by robots.txt");
    assertThat(line()).isEqualTo("1 page, 0 failed, 1 request");
  }

  @Test
  void a_url_that_is_asked_again_later_is_not_counted_yet() {
    settle(Settled.later());
    assertThat(tally.spoken()).isEqualTo("0 pages");
  }

  @Test
  void while_nothing_may_be_asked_the_live_line_says_why_and_how_long() {
    tally.started(URL.domain(), Settled.attempt(URL, NOON));
    tally.waiting(URL.domain(), NOON.plusMillis(2500), "keeping 3000 ms between starts");
    assertThat(line())
        .isEqualTo(
            "0 pages, 0 failed, 1 request; site.example in 2.5 s: keeping 3000 ms between starts");
  }

  @Test
  void a_wait_that_is_over_is_not_spoken_of() {
    tally.waiting(URL.domain(), NOON, "resting");
    assertThat(line()).isEqualTo("0 pages, 0 failed, 0 requests");
    tally.waiting(URL.domain(), NOON.plus(Duration.ofMinutes(3)), "resting");
    assertThat(line()).endsWith("; site.example in 3 min: resting");
    tally.started(URL.domain(), Settled.attempt(URL, NOON));
    assertThat(line()).isEqualTo("0 pages, 0 failed, 1 request");
  }

  private void settle(Settlement... settlements) {
    for (Settlement settlement : settlements) {
      tally.settled(URL.domain(), settlement);
    }
  }

  private String line() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    try (LiveLine live =
        new LiveLine(new Screen(nowhere, nowhere, 0), tally, new SystemTimeline())) {
      return live.text(NOON);
    }
  }
}
