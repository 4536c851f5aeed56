package dev.comity.core.policy.learning;

import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.comity.core.policy.Slots;
import dev.comity.core.policy.learning.LearnedDelay.Incident;
import dev.comity.core.policy.learning.LearnedDelay.Probe;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SlowerTrialTest {
  private final LearningDraft draft = new LearningDraft(LearnedDelay.NOTHING);

  @Test
  void what_was_served_between_two_refusals_suffices() {
    SlowerTrial.bound(draft, measured(9, START));
    assertThat(draft.atMost).isZero();
    SlowerTrial.bound(draft, measured(10, Slots.NEVER));
    assertThat(draft.atMost).isZero();
    SlowerTrial.bound(draft, measured(10, START));
    assertThat(draft.atMost).isEqualTo(seconds(12)); // 100 s for ten, give or take two.
    SlowerTrial.bound(draft, measured(50, START));
    assertThat(draft.atMost).isEqualTo(seconds(2.08));
    SlowerTrial.bound(draft, measured(10, START));
    assertThat(draft.atMost).isEqualTo(seconds(2.08));
  }

  @Test
  void a_longer_delay_that_is_refused_often_is_no_limits_business() {
    draft.tries = 2;
    draft.searched = 1_000;
    draft.floor = Optional.of(seconds(2));
    assertThat(SlowerTrial.isAgainst(draft, after(20, 1))).isFalse();
    draft.atMost = seconds(2);
    assertThat(SlowerTrial.isAgainst(draft, after(20, 1))).isTrue();
    assertThat(SlowerTrial.isAgainst(draft, after(20, 2))).isFalse();
    draft.searched = 1_001;
    assertThat(SlowerTrial.isAgainst(draft, after(20, 1))).isFalse();
    draft.searched = 1_000;
    draft.atMost = seconds(2.001);
    assertThat(SlowerTrial.isAgainst(draft, after(20, 1))).isFalse();
    draft.atMost = seconds(2);
    draft.floor = Optional.empty();
    assertThat(SlowerTrial.isAgainst(draft, after(20, 1))).isFalse();
  }

  @Test
  void refusals_ten_times_farther_apart_belong_to_another_search() {
    draft.tries = 2;
    draft.searched = 40;
    SlowerTrial.count(draft, after(200, 1));
    assertThat(draft.tries).isEqualTo(3);
    assertThat(draft.searched).isEqualTo(240);
    draft.tries = 2;
    draft.searched = 40;
    SlowerTrial.count(draft, after(201, 1));
    assertThat(draft.tries).isEqualTo(1);
    assertThat(draft.searched).isEqualTo(201);
    draft.tries = 1;
    draft.searched = 1;
    SlowerTrial.count(draft, after(50, 2));
    assertThat(draft.tries).isEqualTo(3);
    SlowerTrial.count(draft, after(50, 3));
    assertThat(draft.tries).isEqualTo(3);
  }

  @Test
  void where_twice_what_sufficed_is_refused_the_limit_is_another_and_counting_begins_anew() {
    draft.tries = 3;
    draft.searched = 600;
    draft.against = 1;
    draft.atMost = seconds(1.001);
    SlowerTrial.count(draft, after(20, 1));
    assertThat(draft.tries).isEqualTo(4);
    assertThat(draft.atMost).isEqualTo(seconds(1.001));
    draft.atMost = seconds(1);
    draft.noise = Noise.found(0.01); // Noise refuses whatever sufficed.
    SlowerTrial.count(draft, after(20, 1));
    assertThat(draft.tries).isEqualTo(5);
    draft.noise = Noise.NONE;
    SlowerTrial.count(draft, after(20, 1));
    assertThat(draft.tries).isEqualTo(1);
    assertThat(draft.searched).isEqualTo(20);
    assertThat(draft.against).isZero();
    assertThat(draft.atMost).isZero();
    SlowerTrial.count(draft, after(20, 1));
    assertThat(draft.tries).isEqualTo(2);
  }

  @Test
  void a_delay_twice_as_long_is_tried_for_twelve_times_the_usual_distance() {
    begin(20);
    assertThat(draft.learned).isEqualTo(seconds(4));
    assertThat(draft.probe).contains(new Probe(seconds(2), false, true, 240, 0));
    begin(16);
    assertThat(draft.probe.orElseThrow().needed()).isEqualTo(200);
    begin(500);
    assertThat(draft.probe.orElseThrow().needed()).isEqualTo(2_000);
    draft.noise = Noise.found(0.05);
    begin(20);
    assertThat(draft.learned).isEqualTo(seconds(2.5));
    assertThat(draft.probe.orElseThrow().needed()).isEqualTo(1_280);
  }

  @Test
  void six_refusals_are_enough_and_thirty_two_to_know_a_share_better() {
    begin(20);
    for (int refusals = 1; refusals <= 6; refusals++) {
      assertThat(SlowerTrial.refused(draft, after(20, 1))).isEqualTo(refusals == 6);
    }
    draft.noise = Noise.found(0.05);
    for (int refusals = 7; refusals <= 32; refusals++) {
      assertThat(SlowerTrial.refused(draft, after(20, 1))).isEqualTo(refusals == 32);
    }
    assertThat(draft.learned).isEqualTo(seconds(2));
  }

  @Test
  void where_more_than_a_quarter_is_refused_though_slower_the_limit_has_changed() {
    begin(20);
    draft.probe = Optional.of(new Probe(seconds(2), false, true, 160, 6));
    draft.row = 18;
    assertThat(SlowerTrial.isChanged(draft)).isFalse();
    draft.row = 17;
    assertThat(SlowerTrial.isChanged(draft)).isTrue();
  }

  @Test
  void where_a_longer_delay_is_refused_much_more_often_the_limit_has_changed() {
    draft.tries = 7;
    draft.searched = 2_843; // 0.38 % at most; six of 341 are 0.75 % at least.
    draft.probe = Optional.of(new Probe(seconds(2), false, true, 160, 6));
    draft.row = 341;
    assertThat(SlowerTrial.isChanged(draft)).isTrue();
    draft.row = 342;
    assertThat(SlowerTrial.isChanged(draft)).isFalse();
    draft.row = 341;
    draft.noise = Noise.found(0.01); // Known noise is compared by chance alone.
    assertThat(SlowerTrial.isChanged(draft)).isFalse();
  }

  @Test
  void
      a_settled_delay_is_refused_more_than_noise_would_if_chance_and_a_quarter_do_not_explain_it() {
    draft.noise = Noise.found(0.01);
    draft.tries = 32; // 24.08 at least, and 1.25 % of the requests are 24.
    draft.searched = 1_926;
    assertThat(SlowerTrial.isMoreThanNoise(draft)).isTrue();
    draft.searched = 1_927;
    assertThat(SlowerTrial.isMoreThanNoise(draft)).isFalse();
  }

  @Test
  void a_comparison_ends_the_search_before_it() {
    begin(20);
    draft.against = 2;
    draft.spent = 4;
    draft.strides = 3;
    draft.probe = Optional.of(new Probe(seconds(2), false, true, 160, 4));
    draft.row = 80;
    SlowerTrial.compare(draft);
    assertThat(draft.against).isZero();
    assertThat(draft.spent).isZero();
    assertThat(draft.strides).isZero();
    assertThat(draft.tries).isZero();
  }

  @Test
  void what_slower_does_not_help_is_noise() {
    begin(20);
    draft.refused = Optional.of(seconds(1.9));
    draft.burst = 6;
    draft.probe = Optional.of(new Probe(seconds(2), false, true, 160, 4));
    draft.row = 80;
    SlowerTrial.compare(draft);
    assertThat(draft.noise.share()).isCloseTo(0.05, offset(1e-9));
    assertThat(draft.refused).isEmpty();
    assertThat(draft.floor).contains(seconds(2));
    assertThat(draft.probe).isEmpty();
    assertThat(draft.burst).isZero();
  }

  @Test
  void a_burst_much_smaller_than_the_distance_of_refusals_was_one() {
    begin(20);
    draft.burst = 5;
    draft.probe = Optional.of(new Probe(seconds(2), false, true, 160, 2));
    draft.row = 160;
    SlowerTrial.compare(draft);
    assertThat(draft.burst).isEqualTo(5);
    // Twice the share of the longer delay is the most that is believed.
    assertThat(draft.noise.share()).isCloseTo(0.025, offset(1e-9));
  }

  @Test
  void where_slower_helps_there_is_a_limit_just_above() {
    begin(20);
    draft.probe = Optional.of(new Probe(seconds(2), false, true, 160, 1));
    draft.row = 160;
    SlowerTrial.compare(draft);
    assertThat(draft.noise).isEqualTo(Noise.NONE);
    assertThat(draft.refused).contains(seconds(2));
    assertThat(draft.floor).contains(seconds(2.3));
    assertThat(draft.patience).isEqualTo(60);
    assertThat(draft.guessed).isTrue();
    begin(200);
    draft.row = 1_600;
    SlowerTrial.compare(draft);
    assertThat(draft.patience).isEqualTo(300);
  }

  @Test
  void noise_that_is_known_may_differ_by_chance_and_more_is_a_limit_on_top_of_it() {
    // 64 of 1,280 are 5 %; less 1.4 standard deviations, 4.125 %.
    known(951); // 32 and 1.4 standard deviations of them are 4.1976 % of 951.
    assertThat(draft.refused).contains(seconds(1.9));
    assertThat(draft.floor).contains(seconds(2));
    assertThat(draft.guessed).isFalse();
    assertThat(draft.noise.share()).isCloseTo(32 / 951.0, offset(1e-9));
    known(967);
    assertThat(draft.refused).contains(seconds(1.9));
    known(969);
    assertThat(draft.refused).contains(seconds(2));
    assertThat(draft.floor).contains(seconds(2.3));
    assertThat(draft.patience).isZero();
    assertThat(draft.noise.share()).isCloseTo(32 / 969.0, offset(1e-9));
  }

  @Test
  void where_noise_was_underestimated_by_a_quarter_what_failed_is_tried_again() {
    known(640); // 5 %, and 4 % were known.
    assertThat(draft.refused).contains(seconds(1.9));
    known(639);
    assertThat(draft.refused).isEmpty();
  }

  private void known(int requests) {
    draft.noise = Noise.found(0.04);
    draft.tries = 64;
    draft.searched = 1_280;
    draft.refused = Optional.of(seconds(1.9));
    draft.learned = seconds(2.5);
    draft.probe = Optional.of(new Probe(seconds(2), false, true, 1_280, 32));
    draft.row = requests;
    SlowerTrial.compare(draft);
  }

  private void begin(int spacing) {
    draft.tries = 6;
    draft.searched = 6 * spacing;
    draft.floor = Optional.of(seconds(1.5));
    SlowerTrial.begin(draft, seconds(2));
  }

  private static Incident after(int served, int refusals) {
    return new Incident(
        refusals, seconds(2), seconds(2), START, START, served, START, Duration.ZERO);
  }

  /** So many were served in a hundred seconds. */
  private static Measured measured(int served, Instant before) {
    Instant end = START.plusSeconds(100);
    Incident over =
        new Incident(1, seconds(1), seconds(1), before, START, served, end, Duration.ZERO);
    return Measured.of(over, served, end, end.plusSeconds(2));
  }
}
