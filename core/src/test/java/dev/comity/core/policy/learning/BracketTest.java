package dev.comity.core.policy.learning;

import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.comity.core.policy.Slots;
import dev.comity.core.policy.learning.Evidence.Closure;
import dev.comity.core.policy.learning.LearnedDelay.Incident;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one incident leaves, number by number. Times are seconds after the start. */
class BracketTest {
  private final LearningDraft known = new LearningDraft(LearnedDelay.NOTHING);
  private Duration waited = Duration.ZERO;
  private int row;

  @Test
  void the_first_incident_gives_a_guess_from_opening_to_opening() {
    Bracket bracket = bracket(0.2, 8, Double.NaN, 0, 1.6, 1, 1.6, 3.7);
    assertThat(bracket.low()).isEqualTo(200);
    assertThat(bracket.high()).isCloseTo(1.02 * 3_700 / 8, offset(0.01));
    assertThat(bracket.best()).isEqualTo(bracket.high());
    assertThat(bracket(0.2, 3, Double.NaN, 0, 0.6, 1, 0.6, 2.7).best()).isZero();
    assertThat(bracket(0.2, 4, Double.NaN, 0, 0.6, 1, 0.6, 2.7).best()).isPositive();
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
  void hardly_a_burst_leaves_all_between_what_was_waited_in_vain_and_what_was_not() {
    waited = seconds(57);
    Bracket one = bracket(1, 1, Double.NaN, 0, 1, 3, 61, 301);
    assertThat(one).isEqualTo(new Bracket(57_000, 1.02 * 301_000, 0, 0));
    waited = seconds(6);
    Bracket three = bracket(1, 3, Double.NaN, 0, 3, 2, 6, 30);
    assertThat(three).isEqualTo(new Bracket(2_000, 1.02 * 10_000, 0, 0));
    assertThat(bracket(1, 4, Double.NaN, 0, 3, 2, 6, 30).spent()).isEqualTo(4);
    waited = seconds(2);
    assertThat(bracket(1, 3, Double.NaN, 0, 3, 2, 6, 30).low()).isEqualTo(1_000);
  }

  @Test
  void a_delay_below_one_that_is_long_enough_leaves_what_is_between() {
    known.floor = Optional.of(seconds(0.5));
    assertThat(bracket(0.4, 12, 0, 2.1, 6.5, 1, 6.5, 8.6)).isEqualTo(new Bracket(400, 500, 0, 0));
    known.floor = Optional.of(seconds(0.7));
    assertThat(bracket(0.4, 12, 0, 2.1, 6.5, 1, 6.5, 8.6).high())
        .isCloseTo(1.02 * 6_500 / 12, offset(0.01));
  }

  @Test
  void a_delay_that_was_long_enough_and_is_refused_makes_way_for_one_as_far_away() {
    known.floor = Optional.of(seconds(2));
    known.refused = Optional.of(seconds(1.9));
    row = 100;
    assertThat(again(2).high()).isCloseTo(2_000 * 2 / 1.9, offset(0.01));
    assertThat(again(2).best()).isEqualTo(again(2).high());
    row = 99;
    assertThat(again(2).high()).isCloseTo(2_000 * (2 / 1.9) * (2 / 1.9), offset(0.01));
    known.refused = Optional.of(seconds(1.99));
    row = 100;
    assertThat(again(2).high()).isCloseTo(2_060, offset(0.01));
    known.refused = Optional.of(seconds(1));
    assertThat(again(2).high()).isCloseTo(2_500, offset(0.01));
    known.refused = Optional.empty();
    assertThat(again(2).high()).isCloseTo(2_060, offset(0.01));
    assertThat(again(2).spent()).isZero();
  }

  @Test
  void it_is_never_longer_than_what_was_served_by() {
    known.floor = Optional.of(seconds(2));
    known.refused = Optional.of(seconds(1));
    row = 1;
    assertThat(bracket(2, 1_000, 0, 2.1, 2_202, 1, 2_202, 2_204.1).high())
        .isCloseTo(1.02 * 2_202, offset(0.01));
  }

  /** Refused again at a delay that was long enough, after so long that nothing else bounds it. */
  private Bracket again(double delay) {
    return bracket(delay, 1_000, 0, 2.1, 5_000, 1, 5_000, 5_002.1);
  }

  @Test
  void a_bucket_that_did_not_overflow_is_measured_from_both_sides() {
    known.guessed = true;
    known.floor = Optional.of(seconds(0.3));
    Bracket bracket = bracket(0.28, 9, 0, 2.1, 4.6, 1, 4.6, 6.7);
    assertThat(bracket.low()).isCloseTo(460, offset(0.01));
    assertThat(bracket.high()).isCloseTo(1.02 * 4_600 / 8, offset(0.01));
    assertThat(bracket.best()).isCloseTo(1.02 * 4_600 / 9, offset(0.01));
    assertThat(bracket.spent()).isEqualTo(3);
    assertThat(bracket(0.28, 4, 0, 2.1, 4.6, 1, 4.6, 6.7).spent()).isEqualTo(3);
    assertThat(bracket(0.28, 3, 0, 2.1, 4.6, 1, 4.6, 6.7).spent()).isZero();
    known.noise = Noise.found(0.01);
    assertThat(bracket(0.28, 9, 0, 2.1, 4.6, 1, 4.6, 6.7).low()).isEqualTo(280);
    known.noise = Noise.NONE;
    known.guessed = false;
    assertThat(bracket(0.28, 9, 0, 2.1, 4.6, 1, 4.6, 6.7).spent()).isZero();
  }

  @Test
  void two_runs_of_a_full_bucket_at_two_delays_give_its_rate() {
    Bracket bracket = secondRun(20);
    assertThat(bracket.best()).isCloseTo(1.02 * RATE_OF_TWO_RUNS, offset(0.01));
    assertThat(bracket.low()).isEqualTo(90);
    assertThat(bracket.high()).isEqualTo(bracket.best());
    assertThat(bracket.spent()).isEqualTo(4);
    known.noise = Noise.found(0.01);
    assertThat(secondRun(20).best()).isZero();
  }

  @Test
  void a_second_run_that_was_hardly_longer_than_the_first_tells_less() {
    assertThat(secondRun(8).spent()).isEqualTo(4);
    assertThat(secondRun(8).high()).isEqualTo(secondRun(8).best());
    assertThat(secondRun(7).best()).isCloseTo(160.14, offset(0.01));
    assertThat(secondRun(7).high()).isEqualTo(150);
    assertThat(secondRun(4).best()).isZero();
  }

  @Test
  void a_delay_that_was_long_enough_and_is_near_the_measured_rate_is_kept() {
    assertThat(secondRun(7).spent()).isEqualTo(4);
    enough = 1.1 * 0.16014;
    assertThat(secondRun(7).spent()).isEqualTo(4);
    assertThat(secondRun(7).high()).isCloseTo(176, offset(1.0));
    enough = 1.2 * 0.16014;
    assertThat(secondRun(7).spent()).isZero();
    assertThat(secondRun(7).high()).isCloseTo(192, offset(1.0));
  }

  @Test
  void a_measured_rate_replaces_a_delay_that_was_long_enough_and_is_refused() {
    enough = 0.101;
    assertThat(secondRun(20).high()).isEqualTo(101);
    enough = 0.09;
    assertThat(secondRun(20).high()).isCloseTo(1.02 * RATE_OF_TWO_RUNS, offset(0.01));
    assertThat(secondRun(7).high()).isCloseTo(160.14, offset(0.01));
    assertThat(secondRun(7).spent()).isEqualTo(4);
  }

  /** One between two requests ends each run; 0.15 more is for chance. */
  private static final double RATE_OF_TWO_RUNS = (20.65 * 90 - 4.35 * 50) / 16;

  private double enough = 0.15;

  /** 10/s with room for two: five were served at 50 ms, and now so many at 90 ms. */
  private Bracket secondRun(int served) {
    known.floor = Optional.of(seconds(enough));
    known.refused = Optional.of(seconds(0.05));
    known.burst = 5;
    known.burstDelay = seconds(0.05);
    row = served;
    return bracket(0.09, 40, 0, 2.1, 20, 1, 20, 22.1);
  }

  @Test
  void a_bucket_that_a_rest_would_not_have_filled_was_not_full() {
    // 5 in 0.25 s and a rest of 2 s: no slower than one in 0.45 s.
    assertThat(measured(0.43, 100).spacingIfFull(5, 50)).isPositive();
    assertThat(measured(0.433, 100).spacingIfFull(5, 50)).isZero();
    assertThat(measured(0.09, 100).spacingIfFull(1, 50)).isZero();
    assertThat(measured(0.09, 100).spacingIfFull(2, 50)).isPositive();
    assertThat(measured(0.001, 6).spacingIfFull(5, 50)).isZero();
  }

  private Measured measured(double delay, int successes) {
    Incident over =
        new Incident(1, seconds(delay), seconds(delay), at(0), at(2), 9, at(9), Duration.ZERO);
    return Measured.of(over, successes, at(9), at(11));
  }

  @Test
  void a_window_lies_between_how_long_it_was_closed_and_when_it_opened() {
    Bracket minute = bracket(0.2, 60, Double.NaN, 0, 12, 2, 14, 61);
    assertThat(minute.low()).isEqualTo(200);
    assertThat(minute.high()).isCloseTo(1.02 * 61_000 / 60, offset(0.01));
    assertThat(minute.best()).isCloseTo(1_020, offset(0.01));
    assertThat(minute.spent()).isEqualTo(4);
    // No usual length lies between these.
    assertThat(bracket(0.2, 60, Double.NaN, 0, 12, 5, 62, 100).best())
        .isCloseTo(1.02 * 100_000 / 60, offset(0.01));
    known.floor = Optional.of(seconds(1.3));
    assertThat(bracket(0.2, 60, 0, 2, 12, 2, 14, 82).high()).isCloseTo(1_300, offset(0.01));
    known.floor = Optional.of(seconds(0.2));
    known.closure = Optional.of(new Closure(seconds(70), 60));
    assertThat(bracket(0.2, 60, 0, 2, 12, 2, 14, 82).high())
        .isCloseTo(1.02 * 80_000 / 60, offset(0.01));
    // From one refusal to the next it was longer than from one opening to the next.
    assertThat(bracket(0.2, 60, 0, 70, 90, 2, 92, 142).high())
        .isCloseTo(1.02 * 90_000 / 60, offset(0.01));
  }

  @Test
  void a_site_that_says_when_it_opens_is_believed() {
    Bracket told = bracket(1, 100, Double.NaN, 0, 100, 1, 100, 3_600);
    assertThat(told.high()).isCloseTo(1.02 * 36_000, offset(0.01));
    assertThat(told.spent()).isEqualTo(4);
    // Ten times the first rest, or the delay, may be a rest of our own.
    assertThat(bracket(1, 100, Double.NaN, 0, 100, 1, 100, 120).spent()).isZero();
    assertThat(bracket(1, 100, Double.NaN, 0, 100, 1, 100, 120.1).spent()).isEqualTo(4);
    assertThat(bracket(3, 100, Double.NaN, 0, 300, 1, 300, 330).spent()).isZero();
    assertThat(bracket(3, 100, Double.NaN, 0, 300, 1, 300, 330.1).spent()).isEqualTo(4);
    // What was said before, the time since then was not closed.
    known.floor = Optional.of(seconds(50));
    assertThat(bracket(36, 100, 0, 3_500, 7_100, 1, 7_100, 7_600).high())
        .isCloseTo(1.02 * 41_000, offset(0.01));
  }

  @Test
  void closed_for_longer_than_was_served_before_is_a_ban_unless_it_happens_again() {
    known.floor = Optional.of(seconds(0.5));
    Bracket ban = bracket(0.45, 50, 0, 2.1, 25, 9, 530, 800);
    assertThat(ban).isEqualTo(new Bracket(450, 500, 500, 4));
    assertThat(bracket(0.6, 50, 0, 2.1, 25, 9, 530, 800).high()).isCloseTo(618, offset(0.01));
    assertThat(bracket(0.45, 50, 0, 2.1, 25, 1, 25, 800).spent()).isZero();
    known.closure = Optional.of(new Closure(seconds(700), 50));
    assertThat(bracket(0.45, 50, 0, 2.1, 25, 9, 530, 800).best()).isGreaterThan(1_000);
    known.closure = Optional.of(new Closure(seconds(700), 67));
    assertThat(bracket(0.45, 50, 0, 2.1, 25, 9, 530, 800).best()).isEqualTo(500);
    known.closure = Optional.of(new Closure(seconds(387), 50));
    assertThat(bracket(0.45, 50, 0, 2.1, 25, 9, 530, 800).best()).isEqualTo(500);
    known.closure = Optional.empty();
    known.guessed = true; // A guess may be too short by a factor of two.
    assertThat(bracket(0.45, 50, 0, 2.1, 25, 9, 52, 80).best()).isGreaterThan(1_000);
    assertThat(bracket(0.45, 50, 0, 2.1, 25, 9, 52.2, 80).best()).isEqualTo(500);
  }

  @Test
  void what_it_replaces_is_forgotten_and_what_was_closed_for_long_is_noted() {
    Measured it = Measured.of(incident(0.2, 60, Double.NaN, 0, 3, 14), row, at(12), at(61));
    new Bracket(200, 1_037, 1_020, 4).replace(known, it, 3);
    assertThat(known.floor).contains(seconds(1.037));
    assertThat(known.refused).contains(seconds(0.2));
    assertThat(known.learned).isEqualTo(seconds(1.037));
    assertThat(known.closure).contains(new Closure(seconds(49), 60));
    assertThat(known.spent).isEqualTo(4);
    assertThat(known.guessed).isFalse();
    known.closure = Optional.empty();
    new Bracket(200, 1_037, 0, 0).replace(known, it, 2);
    assertThat(known.closure).isEmpty();
    assertThat(known.spent).isEqualTo(4);
    assertThat(known.guessed).isTrue();
    Measured one = Measured.of(incident(0.2, 1, Double.NaN, 0, 3, 14), row, at(12), at(61));
    new Bracket(200, 1_037, 0, 0).replace(known, one, 2);
    assertThat(known.guessed).isFalse();
  }

  @Test
  void what_was_served_faster_than_a_refused_delay_shows_that_the_limit_has_moved() {
    known.floor = Optional.of(seconds(2));
    known.refused = Optional.of(seconds(1.5));
    // Ten in ten seconds: 1.02 s would do, and 3 % above the refused second is the least step.
    assertThat(bracket(1, 10, 0, 2.1, 10, 1, 10, 12.1)).isEqualTo(new Bracket(1_000, 1_030, 0, 0));
    known.floor = Optional.of(seconds(0.05));
    known.refused = Optional.of(seconds(0.02));
    // Of ten milliseconds 3 % are less than one.
    assertThat(bracket(0.01, 1_000, 0, 2.1, 10, 1, 10, 12.1)).isEqualTo(new Bracket(10, 11, 0, 0));
  }

  @Test
  void after_a_ban_the_delay_is_a_little_longer_than_the_one_that_was_banned() {
    known.floor = Optional.of(seconds(1));
    Bracket bracket = bracket(1, 10, 0, 2.1, 12, 3, 400, 700);
    assertThat(bracket.high()).isEqualTo(1_030);
    known.floor = Optional.of(seconds(1.5));
    assertThat(bracket(1, 10, 0, 2.1, 12, 3, 400, 700).high()).isEqualTo(1_500);
  }

  @Test
  void a_closure_that_what_was_served_just_allows_is_a_window() {
    known.floor = Optional.of(seconds(1));
    // Sixty were served, and it was closed for sixty seconds, so the minute is too short.
    Bracket bracket = bracket(0.2, 60, -5, 0, 12, 3, 60, 61);
    assertThat(bracket.best()).isCloseTo(1.02 * 61_000 / 60, offset(0.01));
    assertThat(bracket.high()).isEqualTo(1_000);
    assertThat(bracket(0.2, 60, -5, 0, 12, 3, 60.1, 61).best()).isEqualTo(1_000);
  }

  @Test
  void a_window_that_opened_just_after_a_usual_time_has_that_length() {
    assertThat(bracket(0.2, 60, Double.NaN, 0, 12, 3, 40, 60).best()).isEqualTo(1_020);
  }

  @Test
  void a_guess_does_not_bound_a_window() {
    known.floor = Optional.of(seconds(0.5));
    known.guessed = true;
    assertThat(bracket(0.2, 60, -5, 0, 12, 3, 40, 61).high())
        .isCloseTo(1.02 * 61_000 / 60, offset(0.01));
  }

  @Test
  void nothing_longer_than_ten_minutes_is_long_enough() {
    Measured it = Measured.of(incident(0.2, 60, Double.NaN, 0, 3, 14), row, at(12), at(61));
    new Bracket(700_000, 800_000, 0, 0).replace(known, it, 1);
    assertThat(known.floor).contains(Duration.ofMinutes(10));
    assertThat(known.refused).contains(Duration.ofMillis(599_999));
  }

  @Test
  void the_likely_delay_is_tried_where_it_is_clearly_shorter() {
    known.floor = Optional.of(seconds(1.03));
    assertThat(new Bracket(500, 1_030, 999, 0).likely(known)).contains(seconds(0.999));
    assertThat(new Bracket(500, 1_030, 1_000, 0).likely(known)).isEmpty();
    assertThat(new Bracket(500, 1_030, 500, 0).likely(known)).isEmpty();
    assertThat(new Bracket(500, 1_030, 501, 0).likely(known)).isPresent();
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
    Incident over = incident(delay, served, emptyBefore, open, refusals, lastTry);
    return Bracket.after(Measured.of(over, row, at(empty), at(start)), known);
  }

  private Incident incident(
      double delay, int served, double emptyBefore, double open, int refusals, double lastTry) {
    return new Incident(
        refusals,
        seconds(delay),
        seconds(delay),
        Double.isNaN(emptyBefore) ? Slots.NEVER : at(emptyBefore),
        at(open),
        served,
        at(lastTry),
        waited);
  }

  private static Instant at(double seconds) {
    return START.plus(Duration.ofMillis(Math.round(seconds * 1000)));
  }
}
