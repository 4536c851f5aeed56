package dev.comity.core.policy.learning;

import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbePlanTest {
  private final LearningDraft draft = new LearningDraft(LearnedDelay.NOTHING);

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1", // One step is left.
    "17, 1, 1", // One refusal is left: step by step.
    "4, 2, 2",
    "4.1, 2, 3",
    "29, 2, 7", // The well-known 28 floors of the puzzle make 29 steps.
    "29.1, 2, 8",
    "15, 3, 7",
    "15.1, 3, 11",
    "30, 4, 15"
  })
  void the_next_step_makes_the_fewest_probes_in_the_worst_case(double steps, int left, int stride) {
    assertThat(ProbePlan.stride(steps, left)).isEqualTo(stride);
  }

  @Test
  void the_fewer_refusals_are_left_the_nearer_is_the_next_delay() {
    bracket(2, 60);
    draft.spent = 2;
    assertThat(ProbePlan.target(draft)).isEqualTo(millis(60_000 / Math.pow(1.1, 8)));
    draft.spent = 3;
    assertThat(ProbePlan.target(draft)).isEqualTo(millis(60_000 / 1.1));
    draft.spent = 4;
    draft.noise = Noise.found(0.01); // Refusals are no measure then.
    assertThat(ProbePlan.target(draft)).isEqualTo(millis(Math.sqrt(2_000 * 60_000.0)));
  }

  @Test
  void near_the_limit_the_first_step_is_so_small_that_a_refusal_settles_it() {
    bracket(2, 60);
    draft.spent = 4;
    assertThat(ProbePlan.target(draft)).isEqualTo(millis(60_000 / 1.04));
    draft.strides = 1; // It stood.
    assertThat(ProbePlan.target(draft)).isEqualTo(millis(60_000 / 1.04 / 1.04));
    draft.strides = 2;
    assertThat(ProbePlan.target(draft)).isEqualTo(millis(60_000 / 1.1));
    draft.strides = 0;
    bracket(1, 1.1);
    draft.spent = 1;
    assertThat(ProbePlan.target(draft)).isEqualTo(millis(1_100 / 1.04));
    bracket(1, 1.07);
    assertThat(ProbePlan.target(draft)).isEqualTo(millis(1_000 * Math.sqrt(1.07)));
    draft.noise = Noise.found(0.01); // A finer step cannot be told from it.
    bracket(1, 1.1);
    assertThat(ProbePlan.target(draft)).isEqualTo(millis(1_000 * Math.sqrt(1.1)));
  }

  @Test
  void no_probe_is_bolder_than_the_middle() {
    bracket(1, 1.12);
    draft.spent = 2;
    assertThat(ProbePlan.target(draft)).isEqualTo(millis(1_000 * Math.sqrt(1.12)));
  }

  @Test
  void where_nothing_is_refused_strides_grow_and_noise_is_tried_from_the_base() {
    draft.floor = Optional.of(seconds(10));
    assertThat(ProbePlan.target(draft)).isEqualTo(millis(10_000 / 1.06));
    draft.strides = 2;
    assertThat(ProbePlan.target(draft)).isEqualTo(millis(10_000 / Math.pow(1.06, 4)));
    draft.noise = Noise.found(0.01);
    assertThat(ProbePlan.target(draft)).isZero();
    assertThat(ProbePlan.longerStride(3)).isEqualTo(4);
    assertThat(ProbePlan.longerStride(4)).isEqualTo(4);
  }

  @Test
  void a_tenth_is_near_and_so_is_whatever_four_refusals_have_found() {
    bracket(1, 1.101);
    assertThat(ProbePlan.isNear(draft)).isTrue();
    bracket(1, 1.102);
    assertThat(ProbePlan.isNear(draft)).isFalse();
    draft.spent = 3;
    assertThat(ProbePlan.isNear(draft)).isFalse();
    draft.spent = 4;
    assertThat(ProbePlan.isNear(draft)).isTrue();
    draft.noise = Noise.found(0.01);
    assertThat(ProbePlan.isNear(draft)).isFalse();
    draft.noise = Noise.NONE;
    draft.refused = Optional.empty();
    assertThat(ProbePlan.isNear(draft)).isFalse();
  }

  @Test
  void a_delay_that_is_near_is_kept_for_a_hundred_and_twenty_requests() {
    bracket(1, 2);
    assertThat(ProbePlan.successesBefore(draft)).isEqualTo(3);
    draft.patience = 50;
    assertThat(ProbePlan.successesBefore(draft)).isEqualTo(50);
    bracket(1, 1.1);
    assertThat(ProbePlan.successesBefore(draft)).isEqualTo(120);
    draft.patience = 300;
    assertThat(ProbePlan.successesBefore(draft)).isEqualTo(300);
  }

  @Test
  void a_probe_serves_as_many_as_use_up_the_burst() {
    bracket(1, 4);
    draft.burst = 10;
    draft.burstDelay = seconds(1.1);
    // The limit may be 2.2 s: half of the ten were lent, and each request borrows an eleventh.
    assertThat(needed(2)).isEqualTo(56);
    draft.spent = 3;
    assertThat(needed(2)).isEqualTo(111);
    draft.spent = 2;
    bracket(1, 2.1); // Or no longer than what is long enough.
    assertThat(needed(2)).isEqualTo(101);
    draft.burst = 0;
    assertThat(needed(2)).isEqualTo(3);
    draft.patience = 7;
    assertThat(needed(2)).isEqualTo(7);
    draft.burst = 1_999;
    bracket(1, 2.002);
    assertThat(needed(2)).isEqualTo(20_000);
    bracket(1, 2); // Not even a millisecond shorter.
    draft.burst = 2;
    assertThat(needed(2)).isGreaterThan(10_000);
  }

  @Test
  void without_a_burst_one_request_does_and_two_where_there_is_time() {
    bracket(1, 90);
    draft.burst = 1;
    assertThat(needed(1.499)).isEqualTo(1);
    assertThat(needed(1.5)).isEqualTo(2);
    draft.refused = Optional.of(seconds(0.1));
    assertThat(needed(0.3)).isEqualTo(1);
  }

  @Test
  void without_a_burst_more_are_asked_before_the_last_refusal() {
    bracket(1, 90);
    draft.burst = 1;
    draft.spent = 3;
    assertThat(needed(2)).isEqualTo(20);
    assertThat(needed(3)).isEqualTo(20);
    assertThat(needed(5)).isEqualTo(12);
    assertThat(needed(65)).isEqualTo(2);
    assertThat(needed(0.899)).isEqualTo(3);
    assertThat(needed(0.9)).isEqualTo(20);
    assertThat(needed(0.3)).isEqualTo(10);
  }

  @Test
  void a_probe_in_noise_outlasts_four_refusals_and_a_fine_one_sixteen() {
    bracket(1, 2);
    draft.burst = 1;
    draft.noise = Noise.found(0.01);
    assertThat(needed(1.5)).isEqualTo(400);
    bracket(1, 1.1);
    assertThat(needed(1.05)).isEqualTo(1_600);
  }

  @Test
  void what_was_refused_late_is_tried_again_for_twice_as_long() {
    bracket(1, 1.03);
    draft.burst = 1;
    assertThat(needed(1.01)).isEqualTo(120);
    draft.lasted = 500;
    assertThat(needed(1.01)).isEqualTo(120);
    assertThat(ProbePlan.needed(draft, seconds(1), true)).isEqualTo(1_000);
    draft.refused = Optional.empty();
    assertThat(needed(1)).isEqualTo(1_000);
    draft.lasted = 0;
    assertThat(needed(1)).isEqualTo(1);
  }

  @Test
  void what_was_refused_late_is_tried_again_for_as_long_as_a_settled_delay_at_most() {
    bracket(1, 1.03);
    draft.burst = 1;
    draft.lasted = 999;
    assertThat(ProbePlan.needed(draft, seconds(1), true)).isEqualTo(1_998);
    draft.lasted = 1_001;
    assertThat(ProbePlan.needed(draft, seconds(1), true)).isEqualTo(2_000);
    draft.refused = Optional.empty();
    assertThat(needed(1)).isEqualTo(2_000);
  }

  @Test
  void a_delay_that_was_refused_by_chance_is_tried_again_for_as_long_as_one_that_is_near() {
    bracket(1, 1.03);
    draft.burst = 1;
    draft.lasted = 2;
    assertThat(ProbePlan.needed(draft, seconds(1), true)).isEqualTo(120);
  }

  private int needed(double target) {
    return ProbePlan.needed(draft, seconds(target), false);
  }

  private void bracket(double refused, double enough) {
    draft.refused = Optional.of(seconds(refused));
    draft.floor = Optional.of(seconds(enough));
  }

  private static Duration millis(double millis) {
    return Duration.ofMillis((long) Math.ceil(millis));
  }
}
