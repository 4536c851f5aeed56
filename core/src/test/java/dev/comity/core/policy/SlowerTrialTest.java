package dev.comity.core.policy;

import static dev.comity.core.policy.Script.START;
import static dev.comity.core.policy.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.comity.core.policy.Learning.Incident;
import dev.comity.core.policy.Learning.Probe;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SlowerTrialTest {
  private final LearningDraft draft = new LearningDraft(Learning.NOTHING);

  @Test
  void six_refusals_that_do_not_get_rarer_are_aimless_and_twelve_where_slower_once_helped() {
    draft.tries = 5;
    draft.searched = 100;
    assertThat(SlowerTrial.isDue(draft, after(20, 1))).isFalse();
    draft.tries = 6;
    draft.searched = 120;
    assertThat(SlowerTrial.isDue(draft, after(20, 1))).isTrue();
    assertThat(SlowerTrial.isDue(draft, after(21, 1))).isFalse();
    draft.alarms = 1;
    assertThat(SlowerTrial.isDue(draft, after(20, 1))).isFalse();
    draft.tries = 12;
    draft.searched = 240;
    assertThat(SlowerTrial.isDue(draft, after(20, 1))).isTrue();
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
  void a_delay_twice_as_long_is_tried_for_eight_times_the_usual_distance() {
    begin(20);
    assertThat(draft.learned).isEqualTo(seconds(4));
    assertThat(draft.probe).contains(new Probe(seconds(2), false, true, 160, 0));
    begin(500);
    assertThat(draft.probe.orElseThrow().needed()).isEqualTo(2_000);
    draft.noise = Noise.found(0.05);
    begin(20);
    assertThat(draft.probe.orElseThrow().needed()).isEqualTo(640);
  }

  @Test
  void four_refusals_are_enough_and_sixteen_to_know_a_share_better() {
    begin(20);
    for (int refusals = 1; refusals <= 4; refusals++) {
      assertThat(SlowerTrial.refused(draft, after(20, 1))).isEqualTo(refusals == 4);
    }
    draft.noise = Noise.found(0.05);
    for (int refusals = 5; refusals <= 16; refusals++) {
      assertThat(SlowerTrial.refused(draft, after(20, 1))).isEqualTo(refusals == 16);
    }
  }

  @Test
  void refused_four_times_as_often_though_slower_the_limit_has_changed() {
    begin(20);
    draft.probe = Optional.of(new Probe(seconds(2), false, true, 160, 4));
    draft.row = 20;
    assertThat(SlowerTrial.isChanged(draft)).isFalse();
    draft.row = 19;
    assertThat(SlowerTrial.isChanged(draft)).isTrue();
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
    assertThat(draft.alarms).isEqualTo(1);
    begin(200);
    draft.row = 1_600;
    SlowerTrial.compare(draft);
    assertThat(draft.patience).isEqualTo(300);
  }

  @Test
  void noise_that_is_known_may_differ_by_chance_and_more_is_a_limit_on_top_of_it() {
    draft.noise = Noise.found(0.02);
    begin(20);
    draft.probe = Optional.of(new Probe(seconds(2), false, true, 640, 16));
    draft.row = 512; // One in 32: the shorter delay is refused 1.6 times as often.
    SlowerTrial.compare(draft);
    assertThat(draft.refused).isEmpty();
    assertThat(draft.noise.share()).isCloseTo(16 / 512.0, offset(1e-9));
    begin(20);
    draft.probe = Optional.of(new Probe(seconds(2), false, true, 640, 16));
    draft.row = 513;
    SlowerTrial.compare(draft);
    assertThat(draft.refused).contains(seconds(2));
    assertThat(draft.noise.share()).isCloseTo(16 / 513.0, offset(1e-9));
  }

  private void begin(int spacing) {
    draft.tries = 6;
    draft.searched = 6 * spacing;
    draft.floor = Optional.of(seconds(1.5));
    SlowerTrial.begin(draft, after(spacing, 1));
  }

  private static Incident after(int served, int refusals) {
    return new Incident(refusals, seconds(2), seconds(2), START, START, served, START);
  }
}
