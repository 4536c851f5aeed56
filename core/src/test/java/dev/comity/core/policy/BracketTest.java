package dev.comity.core.policy;

import static dev.comity.core.policy.Script.START;
import static dev.comity.core.policy.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.comity.core.policy.Evidence.Closure;
import dev.comity.core.policy.Learning.Incident;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one incident leaves, number by number. Times are seconds after the start. */
class BracketTest {
  private final LearningDraft known = new LearningDraft(Learning.NOTHING);

  @Test
  void the_first_incident_gives_a_guess_from_opening_to_opening() {
    Bracket bracket = bracket(0.2, 8, Double.NaN, 0, 1.6, 1, 1.6, 3.7);
    assertThat(bracket.low()).isEqualTo(200);
    assertThat(bracket.high()).isCloseTo(1.02 * 3_700 / 8, offset(0.01));
    assertThat(bracket.best()).isEqualTo(bracket.high());
    assertThat(bracket(0.2, 3, Double.NaN, 0, 0.6, 1, 0.6, 2.7).best()).isZero();
    assertThat(bracket(0.2, 4, Double.NaN, 0, 0.6, 1, 0.6, 2.7).best()).isPositive();
  }

  @Test
  void what_was_served_from_refusal_to_refusal_bounds_the_delay_from_above() {
    Bracket bracket = bracket(0.4, 12, 0, 2.1, 6.5, 1, 6.5, 8.6);
    assertThat(bracket.low()).isEqualTo(400);
    assertThat(bracket.high()).isCloseTo(1.02 * 6_500 / 12, offset(0.01));
    assertThat(bracket.best()).isEqualTo(bracket.high());
    assertThat(bracket.patience()).isEqualTo(100);
  }

  @Test
  void a_delay_that_is_known_to_be_long_enough_is_not_forgotten_for_a_longer_one() {
    known.floor = Optional.of(seconds(0.5));
    assertThat(bracket(0.4, 12, 0, 2.1, 6.5, 1, 6.5, 8.6).high()).isEqualTo(500);
    known.guessed = true;
    assertThat(bracket(0.4, 12, 0, 2.1, 6.5, 1, 6.5, 8.6).high()).isGreaterThan(550);
  }

  @Test
  void where_most_of_the_time_was_rest_there_is_no_telling() {
    assertThat(bracket(0.4, 2, 0, 2.1, 2.9, 1, 2.9, 5).best()).isZero();
    assertThat(bracket(0.4, 2, 0, 2.1, 2.9, 1, 2.9, 5).patience()).isZero();
    // The time is twice the requests themselves, and no longer.
    assertThat(bracket(0.4, 10, 0, 2.1, 8, 1, 8, 10.1).best()).isPositive();
    assertThat(bracket(0.4, 10, 0, 2.1, 8.01, 1, 8.01, 10.1).best()).isZero();
  }

  @Test
  void after_many_served_a_refusal_costs_a_quarter_at_once() {
    assertThat(bracket(0.4, 19, 0, 2.1, 12, 1, 12, 14).best())
        .isCloseTo(1.02 * 12_000 / 19, offset(0.01));
    assertThat(bracket(0.4, 20, 0, 2.1, 12, 1, 12, 14).best()).isEqualTo(500);
  }

  @Test
  void a_measured_delay_is_kept_for_a_minute() {
    assertThat(bracket(3, 12, 0, 2.1, 40, 1, 40, 43).patience()).isEqualTo(17);
  }

  @Test
  void a_bucket_that_did_not_overflow_is_measured_from_both_sides() {
    known.burst = 18;
    Bracket bracket = bracket(0.28, 9, 0, 2.1, 4.6, 1, 4.6, 6.7);
    assertThat(bracket.low()).isCloseTo(460, offset(0.01));
    assertThat(bracket.high()).isCloseTo(1.02 * 4_600 / 8, offset(0.01));
    assertThat(bracket.best()).isCloseTo(1.02 * 4_600 / 9, offset(0.01));
    known.burst = 17;
    assertThat(bracket(0.28, 9, 0, 2.1, 4.6, 1, 4.6, 6.7).low()).isEqualTo(280);
    known.burst = 100;
    assertThat(bracket(0.28, 3, 0, 2.1, 4.6, 1, 4.6, 6.7).low()).isEqualTo(280);
    assertThat(bracket(0.28, 9, 0, 10.1, 12.53, 1, 12.53, 14.6).low()).isEqualTo(280);
    assertThat(bracket(0.28, 9, 0, 10.1, 12.51, 1, 12.51, 14.6).low()).isGreaterThan(1_000);
    known.noise = Noise.found(0.01);
    assertThat(bracket(0.28, 9, 0, 2.1, 4.6, 1, 4.6, 6.7).low()).isEqualTo(280);
  }

  @Test
  void a_window_lies_between_how_long_it_was_closed_and_when_it_opened() {
    Bracket minute = bracket(0.2, 60, Double.NaN, 0, 12, 5, 42, 74);
    assertThat(minute.low()).isCloseTo(42_000 / 60.0, offset(0.01));
    assertThat(minute.high()).isCloseTo(1.02 * 74_000 / 60, offset(0.01));
    assertThat(minute.best()).isCloseTo(1_020, offset(0.01));
    assertThat(minute.inferred()).isTrue();
    // No usual length lies between these.
    assertThat(bracket(0.2, 60, Double.NaN, 0, 12, 5, 62, 100).best())
        .isCloseTo(1.02 * 100_000 / 60, offset(0.01));
  }

  @ParameterizedTest
  @CsvSource({
    "9, 12, 10",
    "14, 16, 15",
    "19, 25, 20",
    "29, 50, 30",
    "50, 100, 60",
    "110, 200, 120",
    "200, 400, 300",
    "500, 800, 600",
    "800, 1000, 900",
    "1100, 1300, 1200",
    "1500, 2000, 1800",
    "3500, 3800, 3600",
    "7000, 8000, 7200",
    "10000, 11000, 10800",
    "14000, 15000, 14400",
    "20000, 25000, 21600",
    "28000, 30000, 28800",
    "43000, 50000, 43200",
    "55000, 110000, 86400",
    "600000, 610000, 604800",
    "15000, 90000, 86400"
  })
  void usual_lengths_of_windows_are_known(double closed, double opened, double length) {
    assertThat(bracket(1, 1000, Double.NaN, 0, 5, 9, closed, opened).best())
        .isCloseTo(1.02 * length, offset(0.01));
  }

  @Test
  void a_site_that_says_when_it_opens_is_believed() {
    Bracket told = bracket(1, 100, Double.NaN, 0, 100, 1, 100, 3_600);
    assertThat(told.low()).isCloseTo(0.95 * 36_000, offset(0.01));
    assertThat(told.high()).isCloseTo(1.02 * 36_000, offset(0.01));
    assertThat(told.inferred()).isTrue();
    // Ten times the first rest, or the delay, may be a rest of our own.
    assertThat(bracket(1, 100, Double.NaN, 0, 100, 1, 100, 120).inferred()).isFalse();
    assertThat(bracket(1, 100, Double.NaN, 0, 100, 1, 100, 120.1).inferred()).isTrue();
    assertThat(bracket(3, 100, Double.NaN, 0, 300, 1, 300, 330).inferred()).isFalse();
    assertThat(bracket(3, 100, Double.NaN, 0, 300, 1, 300, 330.1).inferred()).isTrue();
  }

  @Test
  void closed_for_longer_than_was_served_before_is_a_ban_unless_it_happens_again() {
    known.floor = Optional.of(seconds(0.5));
    Bracket ban = bracket(0.45, 50, 0, 2.1, 25, 9, 530, 800);
    assertThat(ban.low()).isEqualTo(450);
    assertThat(ban.high()).isEqualTo(500);
    assertThat(ban.patience()).isEqualTo(100);
    assertThat(bracket(0.6, 50, 0, 2.1, 25, 9, 530, 800).high()).isCloseTo(618, offset(0.01));
    known.closure = Optional.of(new Closure(seconds(700), 50));
    assertThat(bracket(0.45, 50, 0, 2.1, 25, 9, 530, 800).inferred()).isTrue();
    known.closure = Optional.of(new Closure(seconds(700), 67));
    assertThat(bracket(0.45, 50, 0, 2.1, 25, 9, 530, 800).inferred()).isFalse();
    known.closure = Optional.of(new Closure(seconds(387), 50));
    assertThat(bracket(0.45, 50, 0, 2.1, 25, 9, 530, 800).inferred()).isFalse();
  }

  @Test
  void a_refusal_adds_three_parts_in_a_hundred_at_least() {
    known.floor = Optional.of(seconds(2));
    assertThat(bracket(2, 1_000, 0, 2.1, 2_002, 1, 2_002, 2_004.1).high())
        .isCloseTo(2_060, offset(0.01));
  }

  /** All in seconds; the incident before is none where it is not a number. */
  private Bracket bracket(
      double delay,
      int served,
      double emptyBefore,
      double open,
      double empty,
      int refusals,
      double lastTry,
      double start) {
    Incident over =
        new Incident(
            refusals,
            seconds(delay),
            seconds(delay),
            Double.isNaN(emptyBefore) ? Slots.NEVER : at(emptyBefore),
            at(open),
            served,
            at(lastTry));
    return Bracket.after(Measured.of(over, at(empty), at(start)), known);
  }

  private static Instant at(double seconds) {
    return START.plus(Duration.ofMillis(Math.round(seconds * 1000)));
  }
}
