package dev.comity.core.policy.learning;

import static dev.comity.core.policy.support.LimitedSite.bucket;
import static dev.comity.core.policy.support.LimitedSite.onePer;
import static dev.comity.core.policy.support.LimitedSite.window;
import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.REFUSED;
import static dev.comity.core.policy.support.Script.refusedFor;
import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.comity.core.policy.Limits;
import dev.comity.core.policy.Slots;
import dev.comity.core.policy.learning.LearnedDelay.Incident;
import dev.comity.core.policy.learning.LearnedDelay.Probe;
import dev.comity.core.policy.support.LimitedSite;
import dev.comity.core.policy.support.Script;
import dev.comity.core.util.Delays;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the learner makes of limits, one life at a time. */
class BracketSearchTest {

  @ParameterizedTest
  @ValueSource(ints = {10, 20, 50})
  void two_refusals_give_the_rate_of_a_bucket_larger_than_what_a_rest_refills(int burst) {
    LimitedSite site = new LimitedSite(0.2, bucket(2, burst)).untilRefused(2);
    assertThat(site.floor()).isBetween(0.5, 0.63);
    assertThat(site.script.delay()).isBetween(seconds(0.45), seconds(0.61));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 10, 20, 50})
  void a_bucket_is_settled_near_its_rate_after_few_refusals(int burst) {
    LimitedSite site = new LimitedSite(0.2, bucket(2, burst)).untilServed(5_000);
    assertThat(site.refusals).isLessThanOrEqualTo(9);
    assertThat(site.floor()).isBetween(0.48, 0.54);
    assertThat(site.learning().refused().orElseThrow()).isBetween(seconds(0.4), seconds(0.51));
  }

  @Test
  void a_window_that_says_when_it_opens_is_learnt_from_one_refusal() {
    LimitedSite site =
        new LimitedSite(1, window(100, Duration.ofHours(1))).saying(Duration.ofMinutes(59));
    site.untilRefused(1);
    assertThat(site.refusals).isEqualTo(1);
    assertThat(site.floor()).isBetween(36.7, 37.7);
    site.untilServed(150);
    assertThat(site.refusals).isEqualTo(1);
  }

  @Test
  void a_silent_window_is_known_by_how_long_it_stays_closed_and_by_usual_lengths() {
    LimitedSite site = new LimitedSite(0.2, window(60, Duration.ofMinutes(1))).untilRefused(1);
    assertThat(site.script.delay()).isEqualTo(seconds(1.037));
    int refusals = site.refusals;
    site.untilServed(100);
    assertThat(site.refusals).isEqualTo(refusals);
  }

  @ParameterizedTest
  @ValueSource(ints = {65, 90, 300})
  void limits_beyond_the_cap_are_learnt(int interval) {
    LimitedSite site = new LimitedSite(1, onePer(Duration.ofSeconds(interval))).untilServed(60);
    assertThat(site.floor()).isBetween((double) interval, 1.15 * interval);
  }

  @Test
  void nothing_longer_than_ten_minutes_is_learnt() {
    LimitedSite site = new LimitedSite(1, onePer(Duration.ofHours(2))).untilServed(3);
    assertThat(site.script.delay()).isEqualTo(Duration.ofMinutes(10));
    assertThat(site.learning().refused().orElseThrow()).isLessThan(Duration.ofMinutes(10));
  }

  @Test
  void a_settled_delay_tries_the_refused_one_after_two_thousand_successes() {
    LimitedSite site = settled();
    Duration refused = site.learning().refused().orElseThrow();
    Duration enough = site.learning().floor().orElseThrow();
    int row = site.learning().row();
    site.untilServed(1_999 - row);
    assertThat(site.learning().probe()).isEmpty();
    assertThat(BracketSearch.successesBeforeNext(site.learning())).isEqualTo(1);
    site.untilServed(1);
    assertThat(site.learning().probe().orElseThrow().retry()).isTrue();
    assertThat(site.script.delay()).isEqualTo(refused);
    int refusals = site.refusals;
    site.untilRefused(1);
    assertThat(site.refusals).isEqualTo(refusals + 1);
    assertThat(site.script.delay()).isEqualTo(enough);
    assertThat(site.learning().refused()).contains(refused);
  }

  @Test
  void a_retry_that_cost_three_refusals_waits_three_times_as_long() {
    LearningDraft draft = settledDraft();
    draft.cost = 3;
    assertThat(BracketSearch.successesBeforeNext(draft.done())).isEqualTo(6_000);
  }

  @Test
  void bounds_four_parts_in_a_hundred_apart_are_settled_and_farther_in_noise() {
    LearningDraft draft = settledDraft();
    draft.floor = Optional.of(seconds(1.041));
    assertThat(BracketSearch.isSettled(draft.done())).isTrue();
    draft.floor = Optional.of(seconds(1.042));
    assertThat(BracketSearch.isSettled(draft.done())).isFalse();
    draft.noise = Noise.found(0.01);
    draft.floor = Optional.of(seconds(1.081));
    assertThat(BracketSearch.isSettled(draft.done())).isTrue();
    draft.floor = Optional.of(seconds(1.082));
    assertThat(BracketSearch.isSettled(draft.done())).isFalse();
  }

  @Test
  void a_share_of_noise_is_corrected_after_thirty_two_refusals() {
    LearningDraft draft = settledDraft();
    draft.noise = Noise.found(0.05);
    draft.emptyAt = Script.START.minusSeconds(600);
    draft.served = 100;
    draft.tries = 30;
    draft.searched = 3_000;
    Script script = Script.play();
    script.state = script.state.with(draft.done());
    script.times(1, REFUSED).times(1, OK);
    assertThat(script.state.learning().evidence().noise().share()).isEqualTo(0.05);
    draft.tries = 31;
    Script enough = Script.play();
    enough.state = enough.state.with(draft.done());
    enough.times(1, REFUSED).times(1, OK);
    assertThat(enough.state.learning().evidence().noise().share())
        .isCloseTo((32 + 1.4 * Math.sqrt(32)) / 3_100, offset(1e-9));
  }

  @Test
  void a_limit_that_is_lifted_is_followed_down_in_growing_strides() {
    LearningDraft draft = settledDraft();
    Script script = Script.play();
    script.state = script.policy.limited(script.state, Limits.NONE.withMinimum(seconds(0.01)));
    draft.row = 1_999;
    script.state = script.state.with(draft.done());
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(1));
    double[] strides = {1.06, 1.1236, 1.26248, 1.59385, 2.5403, 2.5403};
    Duration before = seconds(1);
    for (double stride : strides) {
      while (script.delay().equals(before)) {
        script.ask(OK);
      }
      assertThat(Delays.millis(before) / Delays.millis(script.delay()))
          .isCloseTo(stride, offset(0.03));
      before = script.delay();
    }
    script.times(200, OK);
    assertThat(script.delay()).isEqualTo(seconds(0.01));
    assertThat(script.state.learning().refused()).isEmpty();
  }

  @Test
  void a_limit_that_is_tightened_is_found_again_after_few_refusals() {
    LimitedSite site = settled();
    LimitedSite tightened = new LimitedSite(0.2, bucket(0.5, 5));
    tightened.script.state = site.script.state;
    tightened.script.now = site.script.now;
    tightened.untilServed(3_000);
    assertThat(tightened.refusals).isLessThanOrEqualTo(8);
    assertThat(tightened.floor()).isBetween(1.95, 2.15);
  }

  @Test
  void one_refusal_in_two_thousand_is_no_reason_to_be_slower() {
    LearningDraft draft = settledDraft();
    draft.emptyAt = Script.START;
    draft.openSince = Script.START;
    draft.served = 2_000;
    Script script = Script.play();
    script.now = Script.START.plusSeconds(3_000);
    script.state = script.state.with(draft.done());
    Duration before = script.delay();
    script.times(1, REFUSED).times(1, OK);
    assertThat(script.delay()).isEqualTo(before);
    draft.served = 1_999;
    script.state = script.state.with(draft.done());
    script.times(1, REFUSED).times(1, OK);
    assertThat(script.delay()).isGreaterThan(before);
  }

  @Test
  void a_ban_is_no_limit() {
    LimitedSite site = settled();
    Duration before = site.learning().floor().orElseThrow();
    site.untilServed(50);
    site.script.times(8, REFUSED); // For more than eight minutes.
    site.script.ask(OK);
    assertThat(site.learning().floor().orElseThrow())
        .isBetween(before, Duration.ofMillis(Math.round(before.toMillis() * 1.04)));
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 33, 100})
  void refusals_that_come_whatever_the_pace_are_noise_and_do_not_slow_us_down(int every) {
    int[] asked = {0};
    LimitedSite site = new LimitedSite(1, _ -> ++asked[0] % every != 0);
    site.untilServed(60 * every);
    assertThat(site.learning().evidence().noise().share()).isBetween(0.6 / every, 1.7 / every);
    site.untilServed(60 * every);
    assertThat(site.script.delay()).isLessThanOrEqualTo(seconds(1.13));
  }

  @Test
  void noise_that_is_over_is_forgotten() {
    LearningDraft draft = settledDraft();
    draft.noise = Noise.found(0.05);
    draft.served = 399;
    Script script = Script.play();
    script.state = script.state.with(draft.done());
    script.ask(OK);
    assertThat(script.state.learning().evidence().noise().share()).isEqualTo(0.05);
    script.ask(OK);
    assertThat(script.state.learning().evidence().noise()).isEqualTo(Noise.NONE);
  }

  @Test
  void an_incident_of_an_older_store_is_over_without_a_lesson() {
    Script script = Script.play();
    LearnedDelay old =
        new LearnedDelay(
            seconds(3),
            Optional.of(seconds(1)),
            Optional.empty(),
            0,
            Optional.empty(),
            Optional.of(
                new Incident(
                    2,
                    seconds(2),
                    seconds(2),
                    Slots.NEVER,
                    Slots.NEVER,
                    0,
                    Slots.NEVER,
                    Duration.ZERO)),
            Script.START.minusSeconds(1),
            Evidence.NONE);
    script.state = script.state.with(old);
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(2));
    assertThat(script.state.learning().refused()).contains(seconds(1));
    script.times(4, OK);
    assertThat(script.state.learning().floor()).contains(seconds(2));
    assertThat(script.state.learning().probe()).isPresent();
  }

  @Test
  void a_probe_of_an_older_store_that_needs_nothing_stands_at_the_next_success() {
    Script script = Script.play();
    LearnedDelay old =
        new LearnedDelay(
            seconds(2),
            Optional.empty(),
            Optional.empty(),
            3,
            Optional.of(new Probe(seconds(3), false, false, 0, 0)),
            Optional.empty(),
            Script.START.minusSeconds(60),
            Evidence.NONE);
    script.state = script.state.with(old);
    script.ask(OK);
    assertThat(script.state.learning().floor()).contains(seconds(2));
  }

  @Test
  void a_site_that_says_an_hour_to_a_single_request_is_not_slowed_for_good() {
    LimitedSite site = settled();
    Duration before = site.learning().floor().orElseThrow();
    site.untilServed(100);
    site.script.ask(refusedFor(Duration.ofHours(1)));
    site.script.ask(OK);
    assertThat(site.learning().floor().orElseThrow())
        .isLessThanOrEqualTo(Duration.ofMillis(Math.round(before.toMillis() * 1.04)));
  }

  @ParameterizedTest
  @CsvSource({"12, 61", "58, 301", "200, 301", "290, 301", "297, 901", "800, 901", "2000, 3601"})
  void a_site_that_stays_closed_is_tried_when_a_usual_window_has_ended(int serving, int opens) {
    Script script = Script.play();
    Instant open = script.now;
    script.times(serving, OK);
    script.times(2, REFUSED);
    assertThat(script.now.plus(script.rest())).isEqualTo(open.plusSeconds(opens));
  }

  @Test
  void after_an_hour_no_window_is_guessed() {
    Script script = Script.play();
    script.times(3_700, OK);
    script.times(2, REFUSED);
    assertThat(script.rest()).isEqualTo(seconds(4));
  }

  @Test
  void one_refusal_rests_as_ever_and_so_does_a_site_that_is_known_or_has_noise() {
    Script script = Script.play();
    script.times(10, OK).times(1, REFUSED);
    assertThat(script.rest()).isEqualTo(seconds(2));
    assertThat(restAfterTwo(settledDraft())).isEqualTo(seconds(4));
    LearningDraft noisy = closedFor(seconds(50));
    noisy.noise = Noise.found(0.05);
    noisy.noise = noisy.noise.paid(8);
    assertThat(restAfterTwo(noisy)).isEqualTo(seconds(4));
  }

  @ParameterizedTest
  @CsvSource({
    "50, 661",
    "90, 661",
    "91, 901",
    "450, 901",
    "451, 901",
    "1350, 901",
    "1351, 3601",
    "5400, 3601",
    "5401, 86401"
  })
  void a_window_that_is_known_is_waited_for(long closed, int opens) {
    LearningDraft draft = closedFor(Duration.ofSeconds(closed));
    assertThat(restAfterTwo(draft).plusMillis(2_230 + 600_000)).isEqualTo(seconds(opens));
  }

  /** Open for ten minutes, and closed for so long before. */
  private static LearningDraft closedFor(Duration time) {
    LearningDraft draft = settledDraft();
    draft.closure = Optional.of(new Evidence.Closure(time, 100));
    draft.emptyAt = Script.START.minusSeconds(700);
    draft.openSince = Script.START.minusSeconds(600);
    draft.served = 100;
    return draft;
  }

  private static Duration restAfterTwo(LearningDraft draft) {
    Script script = Script.play();
    script.state = script.state.with(draft.done());
    script.times(2, REFUSED);
    return script.rest();
  }

  @Test
  void a_share_of_noise_is_measured_again_before_it_is_relied_on() {
    LearningDraft draft = settledDraft();
    draft.noise = Noise.found(0.05);
    draft.tries = 40;
    draft.searched = 800;
    draft.row = 1_999;
    draft.guessed = true;
    Script script = Script.play();
    script.state = script.state.with(draft.done());
    script.ask(OK);
    assertThat(script.state.learning().probe().orElseThrow().slower()).isTrue();
    draft.guessed = false;
    Script known = Script.play();
    known.state = known.state.with(draft.done());
    known.ask(OK);
    assertThat(known.state.learning().probe().orElseThrow().retry()).isTrue();
    known.times(3, REFUSED).times(1, OK).times(15, REFUSED).times(1, OK);
    assertThat(known.state.learning().probe()).isEmpty();
    assertThat(known.state.learning().evidence().shown().cost()).isEqualTo(2);
  }

  @Test
  void two_refusals_of_what_suffices_begin_a_trial_and_one_changes_nothing() {
    LearningDraft draft = settledDraft();
    draft.emptyAt = Script.START.minusSeconds(60);
    draft.openSince = Script.START.minusSeconds(50);
    draft.served = 20;
    draft.atMost = seconds(1.02);
    Script script = Script.play();
    script.state = script.state.with(draft.done());
    script.times(1, REFUSED).times(1, OK);
    assertThat(script.delay()).isEqualTo(seconds(1.03));
    assertThat(script.state.learning().probe()).isEmpty();
    assertThat(script.state.learning().evidence().shown().against()).isEqualTo(1);
    script.times(20, OK).times(1, REFUSED).times(1, OK);
    assertThat(script.state.learning().probe().orElseThrow().slower()).isTrue();
    assertThat(script.delay()).isEqualTo(seconds(2.06));
  }

  @Test
  void a_retry_that_was_refused_late_needs_twice_as_many_next_time() {
    LearningDraft draft = settledDraft();
    draft.burst = 1;
    draft.lasted = 140;
    draft.row = 1_999;
    draft.emptyAt = Script.START.minusSeconds(60);
    Script script = Script.play();
    script.state = script.state.with(draft.done());
    script.ask(OK);
    assertThat(script.state.learning().probe().orElseThrow().needed()).isEqualTo(280);
    script.times(130, OK).times(1, REFUSED).times(1, OK);
    assertThat(script.state.learning().evidence().shown().lasted()).isEqualTo(140);
    untilProbe(script).times(150, OK).times(1, REFUSED).times(1, OK);
    assertThat(script.state.learning().evidence().shown().lasted()).isEqualTo(150);
    untilProbe(script);
    assertThat(script.state.learning().probe().orElseThrow().needed()).isEqualTo(300);
  }

  private static Script untilProbe(Script script) {
    while (script.state.learning().probe().isEmpty()) {
      script.ask(OK);
    }
    return script;
  }

  private static LimitedSite settled() {
    LimitedSite site = new LimitedSite(0.2, bucket(2, 5)).untilServed(5_000);
    while (!BracketSearch.isSettled(site.learning()) || site.learning().probe().isPresent()) {
      site.ask();
    }
    assertThat(site.floor()).isBetween(0.48, 0.54);
    return site;
  }

  /** Refused at 1 s, long enough at 1.03 s, and nothing counted yet. */
  private static LearningDraft settledDraft() {
    return new LearningDraft(
        new LearnedDelay(
            seconds(1.03),
            Optional.of(seconds(1)),
            Optional.of(seconds(1.03)),
            0,
            Optional.empty(),
            Optional.empty(),
            Slots.NEVER,
            Evidence.NONE));
  }
}
