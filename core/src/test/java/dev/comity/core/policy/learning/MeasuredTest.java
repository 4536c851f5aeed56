package dev.comity.core.policy.learning;

import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.comity.core.policy.learning.LearnedDelay.Incident;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MeasuredTest {
  private static final Instant EMPTY = START.plusSeconds(100);

  @Test
  void a_site_that_never_opened_is_measured_from_its_refusal() {
    Measured it = measured(1, 10, Evidence.NEVER, 1, 2);
    assertThat(it.opening()).isEqualTo(200); // Two seconds for ten.
    assertThat(it.spread()).isZero();
    assertThat(it.cycle()).isZero();
    assertThat(it.first()).isTrue();
  }

  @Test
  void a_single_refusal_and_a_rest_ten_times_our_own_was_told() {
    assertThat(measured(1, 10, START, 1, 20).told()).isFalse();
    assertThat(measured(1, 10, START, 1, 20.001).told()).isTrue();
    assertThat(measured(3, 10, START, 1, 30).told()).isFalse();
    assertThat(measured(3, 10, START, 1, 30.001).told()).isTrue();
    assertThat(measured(1, 10, START, 2, 60).told()).isFalse();
  }

  @Test
  void more_than_one_refusal_or_a_time_that_was_told_is_a_closure() {
    assertThat(measured(1, 10, START, 1, 2).lasting()).isFalse();
    assertThat(measured(1, 10, START, 1, 60).lasting()).isTrue();
    assertThat(measured(1, 10, START, 2, 2).lasting()).isTrue();
  }

  @Test
  void only_what_was_started_before_the_refused_request_is_its_burst() {
    assertThat(measured(10, 10, START, 1, 2).burst()).isEqualTo(10); // 100 s, one in ten.
    assertThat(measured(10, 12, START, 1, 2).burst()).isEqualTo(10);
    assertThat(measured(10, 9, START, 1, 2).burst()).isEqualTo(9);
    assertThat(measured(300, 9, START, 1, 2).burst()).isEqualTo(1);
  }

  @Test
  void a_second_run_tells_only_if_it_was_longer_and_drew_more() {
    Measured it = measured(0.2, 50, START, 1, 2); // 50 in a row, one in 200 ms.
    assertThat(it.moreThan(5)).isEqualTo(46);
    assertThat(it.spacingIfFull(5, 100)).isCloseTo((50.65 * 200 - 4.35 * 100) / 46, offset(1e-6));
    assertThat(it.spacingIfFull(1, 100)).isZero(); // There was no burst.
    assertThat(it.spacingIfFull(2, 100)).isPositive();
    assertThat(it.spacingIfFull(50, 204)).isPositive();
    assertThat(it.spacingIfFull(51, 200)).isZero(); // No more were served.
    assertThat(it.spacingIfFull(50, 210)).isZero(); // And it took no longer.
  }

  private static Measured measured(
      double delay, int served, Instant open, int refusals, double recovery) {
    Incident over =
        new Incident(
            refusals,
            seconds(delay),
            seconds(delay),
            Evidence.NEVER,
            open,
            served,
            EMPTY,
            Duration.ZERO);
    return Measured.of(over, served, EMPTY, EMPTY.plus(seconds(recovery)));
  }
}
