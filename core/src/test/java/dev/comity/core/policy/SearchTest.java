package dev.comity.core.policy;

import static dev.comity.core.policy.Script.OK;
import static dev.comity.core.policy.Script.REFUSED;
import static dev.comity.core.policy.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.Learning.Probe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The corners of the search for the right delay. */
class SearchTest {
  private final Script script = Script.play();

  @Test
  void the_wait_before_a_retry_doubles_until_it_costs_next_to_nothing() {
    settleAtOneSecond();
    List<Integer> waits = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      untilRetry();
      waits.add(script.state.learning().recheck().successes());
      script.times(2, REFUSED);
      script.ask(OK);
    }
    // At 1.062 s an hour has 3,389 of them.
    assertThat(waits).containsExactly(200, 400, 800, 1600, 3200, 3389, 3389);
  }

  @Test
  void a_slow_domain_is_not_asked_again_more_often_than_once_in_sixteen_hundred() {
    LearningSettings settings = LearningSettings.DEFAULTS;
    Learning.Recheck often = new Learning.Recheck(seconds(20), 9, Duration.ZERO, Script.START, 0);
    assertThat(settings.successesBeforeRetry(often, seconds(20))).isEqualTo(1600);
    assertThat(settings.successesBeforeRetry(often, seconds(1))).isEqualTo(3600);
  }

  @Test
  void time_must_have_passed_as_well() {
    script.ask(Script.refusedFor(Duration.ofMinutes(9)));
    script.times(20 + 40 + 40 + 40 + 20, OK);
    Duration recovery = script.state.learning().recheck().recovery();
    assertThat(recovery).isEqualTo(Duration.ofMinutes(9).plus(Script.LATENCY));
    untilRetry();
    assertThat(script.now)
        .isAfterOrEqualTo(
            script.state.learning().recheck().since().plus(recovery.multipliedBy(20)));
    assertThat(script.state.learning().recheck().successes()).isGreaterThan(200);
  }

  @Test
  void a_retry_keeps_its_successes_over_a_pardoned_refusal() {
    settleAtOneSecond();
    untilRetry();
    script.times(50, OK);
    script.ask(REFUSED);
    script.ask(OK); // started under the delay of the incident, so not counted
    assertThat(script.state.learning().row()).isEqualTo(50);
    script.times(49, OK);
    assertThat(script.state.learning().probe()).isPresent();
    script.ask(OK);
    assertThat(script.state.learning().probe()).isEmpty();
    assertThat(script.state.learning().refused()).isEmpty();
  }

  @Test
  void a_retry_cut_short_by_another_setting_does_not_come_back_after_the_incident() {
    settleAtOneSecond();
    untilRetry();
    script.ask(REFUSED);
    script.state = script.policy.limited(script.state, Limits.NONE.withCrawlDelay(seconds(3)));
    script.state = script.policy.limited(script.state, Limits.NONE);
    assertThat(script.delay()).isEqualTo(seconds(2)); // still the incident's
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(1.062));
    assertThat(script.state.learning().probe()).isEmpty();
  }

  @Test
  void a_limit_that_is_lifted_is_followed_down_in_growing_steps() {
    script.state = script.policy.limited(script.state, Limits.NONE.withMinimum(seconds(0.2)));
    Duration limit = seconds(1.5);
    for (int i = 0; i < 400; i++) {
      script.ask(script.delay().compareTo(limit) < 0 ? REFUSED : OK);
    }
    Duration held = script.delay();
    Duration refused = script.state.learning().refused().orElseThrow();
    assertThat(held).isBetween(limit, seconds(1.65));
    untilRetry();
    script.times(100 + 20, OK);
    Duration gained = held.minus(refused);
    Duration second = refused.minus(gained.multipliedBy(2));
    assertThat(script.delay()).isEqualTo(second);
    script.times(20 + 20, OK);
    assertThat(script.delay()).isEqualTo(second.minus(gained.multipliedBy(4)));
  }

  @Test
  void a_probe_that_stood_and_is_refused_soon_falls_back_to_the_floor() {
    script.state = script.policy.limited(script.state, Limits.NONE.withMinimum(seconds(0.2)));
    Duration limit = seconds(1.5);
    for (int i = 0; i < 400; i++) {
      script.ask(script.delay().compareTo(limit) < 0 ? REFUSED : OK);
    }
    untilRetry();
    script.times(100 + 20 + 20 + 5, OK);
    Learning before = script.state.learning();
    assertThat(before.floor().orElseThrow()).isGreaterThan(script.delay());
    script.ask(REFUSED);
    script.ask(OK);
    assertThat(script.state.learning().learned()).isEqualTo(before.floor().orElseThrow());
    assertThat(script.state.learning().refused()).contains(before.learned());
  }

  @Test
  void a_late_refusal_of_a_shorter_delay_is_remembered_and_changes_no_pace() {
    script.ask(REFUSED);
    script.times(20, OK);
    Attempt inProbe = script.start();
    assertThat(inProbe.delay()).isEqualTo(seconds(1.5));
    script.state = script.policy.limited(script.state, Limits.NONE.withMinimum(seconds(1.7)));
    script.answer(inProbe, REFUSED);
    assertThat(script.state.learning().refused()).contains(seconds(1.5));
    assertThat(script.delay()).isEqualTo(seconds(2));
    assertThat(script.state.learning().refusalsInARow()).isEqualTo(1);
  }

  @Test
  void a_refusal_of_less_than_what_is_set_by_now_only_rests() {
    Attempt early = script.start();
    script.state = script.policy.limited(script.state, Limits.NONE.withCrawlDelay(seconds(5)));
    script.answer(early, REFUSED);
    assertThat(script.state.learning().learned()).isZero();
    assertThat(script.state.learning().refused()).isEmpty();
    assertThat(script.state.learning().refusalsInARow()).isEqualTo(1);
    assertThat(script.rest()).isEqualTo(seconds(5));
  }

  @Test
  void a_doubt_is_dropped_when_the_site_goes_on_refusing() {
    script.state = script.policy.limited(script.state, Limits.NONE.withMinimum(seconds(3)));
    script.times(30, OK);
    script.ask(REFUSED);
    script.times(10, OK);
    assertThat(script.delay()).isEqualTo(seconds(4));
    script.times(2, REFUSED);
    script.ask(OK);
    assertThat(script.state.learning().refused()).contains(seconds(4));
    assertThat(script.delay()).isEqualTo(seconds(5));
    assertThat(script.state.learning().suspect()).isEmpty();
  }

  @Test
  void twenty_four_successes_make_no_suspect_and_twenty_five_do() {
    script.times(24, OK).times(1, REFUSED);
    assertThat(script.state.learning().suspect()).isEmpty();
    Script other = Script.play();
    other.times(25, OK).times(1, REFUSED);
    assertThat(other.state.learning().suspect()).contains(seconds(1));
  }

  @Test
  void three_hundred_saved_successes_at_a_longer_delay_drop_the_suspicion() {
    script.times(25, OK).times(1, REFUSED).times(20 + 40 + 40 + 40 + 20, OK);
    assertThat(script.state.learning().suspect()).contains(seconds(1));
    untilRetry();
    for (int i = 0; i < 2; i++) {
      script.ask(REFUSED);
      script.ask(OK);
    }
    while (script.state.learning().savings() < 299) {
      script.ask(OK);
    }
    assertThat(script.state.learning().suspect()).contains(seconds(1));
    script.ask(OK);
    assertThat(script.state.learning().suspect()).isEmpty();
  }

  @Test
  void in_steps_the_delay_ends_at_the_cap_and_an_incident_is_one() {
    Script steps =
        new Script(
            PolicySettings.DEFAULTS.with(
                LearningSettings.DEFAULTS.withStyle(ProbeStyle.STEP).withBlockAfter(0)));
    steps.ask(REFUSED);
    assertThat(steps.state.learning().refusalsInARow()).isEqualTo(1);
    assertThat(steps.delay()).isEqualTo(seconds(2));
    for (int i = 0; i < 70; i++) {
      steps.ask(REFUSED);
      steps.ask(OK);
    }
    assertThat(steps.delay()).isEqualTo(seconds(60));
  }

  private void untilRetry() {
    while (script.state.learning().probe().filter(Probe::retry).isEmpty()) {
      script.ask(OK);
    }
  }

  private void settleAtOneSecond() {
    script.ask(REFUSED);
    script.times(20 + 40 + 40 + 40 + 20, OK);
    assertThat(script.delay()).isEqualTo(seconds(1.062));
  }
}
