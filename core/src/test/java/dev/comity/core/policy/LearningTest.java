package dev.comity.core.policy;

import static dev.comity.core.policy.Script.BROKEN;
import static dev.comity.core.policy.Script.MISSING;
import static dev.comity.core.policy.Script.OK;
import static dev.comity.core.policy.Script.REFUSED;
import static dev.comity.core.policy.Script.refusedFor;
import static dev.comity.core.policy.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LearningTest {
  private final Script script = Script.play();

  @Test
  void each_refusal_of_a_streak_adds_a_second_up_to_sixty() {
    Script endless = Script.playUnblocked();
    List<Long> delays = new ArrayList<>();
    for (int i = 0; i < 62; i++) {
      endless.ask(REFUSED);
      delays.add(endless.delay().toSeconds());
    }
    List<Long> expected = new ArrayList<>();
    for (long i = 2; i <= 60; i++) {
      expected.add(i);
    }
    expected.addAll(List.of(60L, 60L, 60L));
    assertThat(delays).isEqualTo(expected);
    assertThat(endless.state.standing().mayBeAsked()).isTrue();
  }

  @Test
  void rests_double_from_two_seconds_to_five_minutes() {
    List<Long> rests = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      script.ask(REFUSED);
      rests.add(script.rest().toSeconds());
    }
    assertThat(rests).containsExactly(2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 300L);
  }

  @Test
  void a_rest_is_never_shorter_than_the_delay() {
    script.state = script.policy.limited(script.state, Limits.NONE.withCrawlDelay(seconds(40)));
    script.ask(REFUSED);
    assertThat(script.rest()).isEqualTo(seconds(41));
  }

  @Test
  void twenty_refusals_in_a_row_block_and_take_over_an_hour() {
    script.times(19, REFUSED);
    assertThat(script.state.standing().status()).isEqualTo(DomainStatus.ACTIVE);
    Decision last = script.ask(REFUSED);
    assertThat(last.state().standing())
        .isEqualTo(
            Standing.closed(
                DomainStatus.BLOCKED,
                ClosedFor.RATE_LIMITED,
                Optional.of(script.now.plus(Duration.ofDays(7))),
                1));
    assertThat(Duration.between(Script.START, script.now)).isGreaterThan(Duration.ofHours(1));
  }

  @Test
  void a_cancel_streak_switches_the_block_off_and_cancels_at_the_cap() {
    Script cancelling =
        new Script(PolicySettings.DEFAULTS.with(LearningSettings.DEFAULTS.withCancelAfter(20)));
    cancelling.times(58, REFUSED);
    assertThat(cancelling.delay()).isEqualTo(seconds(59));
    assertThat(cancelling.ask(REFUSED).changes()).contains(new Change.JobCancelled(59));
    assertThat(cancelling.state.standing().mayBeAsked()).isTrue();
  }

  @Test
  void only_the_first_refusal_after_a_success_teaches() {
    script.times(5, REFUSED);
    assertThat(script.delay()).isEqualTo(seconds(6));
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(2));
    assertThat(script.state.learning().refused()).contains(seconds(1));
  }

  @Test
  void a_refusal_costs_no_retry_and_comes_back_after_the_rest() {
    Decision decision = script.ask(REFUSED);
    assertThat(decision.fate()).isEqualTo(new Fate.Retry(script.now.plusSeconds(2), false));
  }

  @Test
  void twenty_successes_start_a_probe_twenty_more_make_it_stand() {
    script.ask(REFUSED);
    script.times(20, OK); // the first ends the incident under the grown delay of 2 s
    assertThat(script.state.learning().probe()).isPresent();
    assertThat(script.delay()).isEqualTo(seconds(1.5));
    script.times(19, OK);
    assertThat(script.state.learning().probe()).isPresent();
    assertThat(script.ask(OK).changes()).contains(new Change.ProbeStood(seconds(1.5)));
    assertThat(script.delay()).isEqualTo(seconds(1.5));
  }

  @Test
  void nineteen_successes_start_no_probe() {
    script.ask(REFUSED);
    script.times(19, OK);
    assertThat(script.state.learning().probe()).isEmpty();
    assertThat(script.delay()).isEqualTo(seconds(2));
  }

  @Test
  void a_relapse_in_a_probe_goes_back_and_the_probed_delay_is_refused() {
    script.ask(REFUSED);
    script.times(20, OK);
    Decision relapse = script.ask(REFUSED);
    assertThat(relapse.changes()).contains(new Change.ProbeEnded(seconds(1.5), true));
    assertThat(script.state.learning().refusalsInARow()).isEqualTo(1);
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(2));
    assertThat(script.state.learning().refused()).contains(seconds(1.5));
    script.times(19, OK);
    assertThat(script.delay()).isEqualTo(seconds(1.75));
  }

  @Test
  void a_delay_that_held_a_hundred_successes_is_the_floor_to_fall_back_to() {
    settle();
    untilRetry();
    script.ask(REFUSED);
    script.ask(OK);
    script.ask(REFUSED);
    script.ask(OK);
    assertThat(script.state.learning().floor()).isEmpty();
    script.times(100, OK);
    assertThat(script.state.learning().floor()).contains(seconds(1.062));
    untilRetry();
    script.times(100, OK); // stands, so 1 s is the floor
    assertThat(script.state.learning().floor()).contains(seconds(1));
  }

  @Test
  void what_once_held_and_is_refused_is_left_for_a_delay_a_tenth_longer() {
    script.state = script.policy.limited(script.state, Limits.NONE.withMinimum(seconds(0.2)));
    script.ask(REFUSED); // 0.2 s refused, 1.2 s holds
    script.times(20 + 40 + 40 + 40 + 40 + 20, OK);
    assertThat(script.delay()).isEqualTo(seconds(0.231));
    untilRetry();
    script.times(2, REFUSED); // one pardoned, the next one not
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(0.231));
    assertThat(script.state.learning().recheck().doublings()).isEqualTo(1);
    script.times(120, OK);
    script.times(3, REFUSED); // more than was saved
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(0.262)); // where the last probe came from
    script.times(120, OK);
    assertThat(script.state.learning().floor()).contains(seconds(0.262));
    script.times(3, REFUSED);
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(0.289));
  }

  @Test
  void a_settled_domain_tries_the_refused_delay_again_after_two_hundred_successes() {
    settle();
    Learning before = script.state.learning();
    Instant refusedAt = before.recheck().since();
    int successes = before.recheck().successes();
    while (script.state.learning().probe().isEmpty()) {
      script.ask(OK);
      successes++;
    }
    assertThat(successes).isEqualTo(200);
    assertThat(script.now).isAfter(refusedAt.plus(before.recheck().recovery().multipliedBy(20)));
    assertThat(script.state.learning().probe().orElseThrow().retry()).isTrue();
    assertThat(script.delay()).isEqualTo(before.refused().orElseThrow());
    script.times(99, OK);
    assertThat(script.state.learning().refused()).isEqualTo(before.refused());
    script.ask(OK);
    assertThat(script.state.learning().refused()).isEmpty();
    assertThat(script.state.learning().floor()).isEqualTo(before.refused());
  }

  @Test
  void a_retry_has_one_refusal_pardoned_and_a_second_doubles_the_wait() {
    settle();
    Duration held = script.delay();
    while (script.state.learning().probe().isEmpty()) {
      script.ask(OK);
    }
    Duration tried = script.delay();
    script.ask(REFUSED);
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(tried);
    script.ask(REFUSED);
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(held);
    assertThat(script.state.learning().recheck().doublings()).isEqualTo(1);
    int successes = 1;
    while (script.state.learning().probe().isEmpty()) {
      script.ask(OK);
      successes++;
    }
    assertThat(successes).isEqualTo(400);
  }

  @Test
  void a_refusal_after_a_hundred_successes_is_pardoned() {
    script.times(100, OK);
    script.ask(REFUSED);
    assertThat(script.delay()).isEqualTo(seconds(2));
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(1));
    assertThat(script.state.learning().refused()).isEmpty();
    assertThat(script.state.learning().savings()).isZero();
  }

  @Test
  void a_refusal_after_ninety_nine_successes_is_not() {
    script.times(99, OK);
    script.ask(REFUSED);
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(2));
    assertThat(script.state.learning().refused()).contains(seconds(1));
  }

  @Test
  void no_more_than_three_pardons_can_be_saved() {
    script.times(1000, OK);
    for (int i = 0; i < 3; i++) {
      script.ask(REFUSED);
      script.ask(OK);
      assertThat(script.delay()).isEqualTo(seconds(1));
    }
    script.ask(REFUSED);
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(2));
  }

  @Test
  void a_long_streak_uses_up_the_savings_and_teaches_after_all() {
    script.times(300, OK);
    script.times(3, REFUSED);
    assertThat(script.state.learning().refused()).isEmpty();
    script.ask(REFUSED);
    assertThat(script.state.learning().refused()).contains(seconds(1));
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(2));
  }

  @Test
  void what_a_longer_delay_does_not_help_is_noise() {
    script.times(30, OK);
    script.ask(REFUSED);
    script.times(10, OK);
    assertThat(script.delay()).isEqualTo(seconds(2));
    script.ask(REFUSED);
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(1));
    assertThat(script.state.learning().refused()).isEmpty();
    assertThat(script.state.learning().savings()).isEqualTo(300);
  }

  @Test
  void noise_does_not_refuse_twice_in_a_row() {
    script.times(30, OK);
    script.ask(REFUSED);
    script.times(10, OK);
    script.times(2, REFUSED);
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(3));
    assertThat(script.state.learning().refused()).contains(seconds(2));
  }

  @Test
  void noise_does_not_say_when_to_come_back() {
    script.times(30, OK);
    script.ask(REFUSED);
    script.times(10, OK);
    script.ask(refusedFor(seconds(30)));
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(3));
  }

  @Test
  void a_burst_of_refusals_in_flight_is_one_incident() {
    List<Attempt> burst = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      burst.add(script.start());
    }
    for (Attempt attempt : burst) {
      script.now = script.now.plusMillis(10);
      script.answer(attempt, REFUSED);
    }
    assertThat(script.delay()).isEqualTo(seconds(2));
    assertThat(script.state.learning().refusalsInARow()).isEqualTo(1);
  }

  @Test
  void the_retry_after_of_a_late_refusal_still_extends_the_rest() {
    Attempt first = script.start();
    Attempt second = script.start();
    script.answer(first, REFUSED);
    script.answer(second, refusedFor(seconds(90)));
    assertThat(script.rest()).isEqualTo(seconds(90));
    assertThat(script.state.learning().refusalsInARow()).isEqualTo(1);
  }

  @Test
  void a_success_that_was_already_on_its_way_does_not_end_an_incident() {
    Attempt first = script.start();
    Attempt second = script.start();
    script.answer(first, REFUSED);
    script.answer(second, OK);
    assertThat(script.state.learning().refusalsInARow()).isEqualTo(1);
    assertThat(script.policy.concurrency(script.state)).isEqualTo(1);
  }

  @Test
  void until_the_next_success_one_request_is_in_flight() {
    script.ask(REFUSED);
    Instant later = script.now.plusSeconds(60);
    assertThat(script.policy.turn(script.state, InFlight.started(1), later))
        .isEqualTo(new Turn.WaitForEvent(Turn.Why.INCIDENT));
    assertThat(script.policy.turn(script.state, InFlight.NONE, later))
        .isInstanceOf(Turn.Fetch.class);
  }

  @Test
  void a_rest_is_only_ever_extended() {
    script.ask(refusedFor(seconds(500)));
    Instant until = script.state.slots().restUntil();
    assertThat(script.rest()).isEqualTo(seconds(500));
    script.state = script.policy.limited(script.state, Limits.NONE.withMinimum(seconds(0.1)));
    Attempt early = new Attempt(Script.url(7), Kind.PAGE, 1, script.now.plusMillis(1), seconds(2));
    script.now = script.now.plusMillis(50);
    script.answer(early, REFUSED);
    assertThat(script.state.slots().restUntil()).isEqualTo(until);
  }

  @Test
  void an_hour_asked_for_is_an_hour_waited_and_parks_the_domain() {
    script.ask(refusedFor(Duration.ofHours(1)));
    assertThat(script.policy.turn(script.state, InFlight.NONE, script.now))
        .isEqualTo(new Turn.Park(script.now.plusSeconds(3600), Turn.Why.RETRY_AFTER));
    DomainState restarted = script.policy.takenOver(script.state, script.now.plusSeconds(1));
    assertThat(script.policy.turn(restarted, InFlight.NONE, script.now.plusSeconds(3599)))
        .isInstanceOf(Turn.WaitUntil.class);
    assertThat(script.policy.turn(restarted, InFlight.NONE, script.now.plusSeconds(3600)))
        .isInstanceOf(Turn.Fetch.class);
  }

  @Test
  void a_retry_after_that_is_nonsense_is_ignored_and_an_absurd_one_blocks_until_reset() {
    for (Duration nonsense : List.of(Duration.ZERO, Duration.ofSeconds(-5))) {
      Script each = Script.play();
      each.ask(refusedFor(nonsense));
      assertThat(each.rest()).isEqualTo(seconds(2));
    }
    Script month = Script.play();
    month.ask(refusedFor(Duration.ofDays(30)));
    assertThat(month.state.standing().mayBeAsked()).isTrue();
    for (Duration absurd :
        List.of(Duration.ofDays(30).plusSeconds(1), Duration.ofSeconds(Long.MAX_VALUE))) {
      Script each = Script.play();
      each.ask(refusedFor(absurd));
      assertThat(each.state.standing().reason()).contains(ClosedFor.RATE_LIMITED);
      assertThat(each.state.standing().permanent()).isTrue();
    }
  }

  @Test
  void a_404_ends_an_incident_but_is_not_counted_among_the_twenty() {
    script.times(3, REFUSED);
    script.ask(MISSING);
    assertThat(script.state.learning().refusalsInARow()).isZero();
    assertThat(script.delay()).isEqualTo(seconds(2));
    script.times(19, OK);
    script.times(5, MISSING);
    assertThat(script.state.learning().probe()).isEmpty();
    script.ask(OK);
    assertThat(script.state.learning().probe()).isPresent();
  }

  @Test
  void a_server_error_breaks_the_row_of_successes_and_ends_neither_incident_nor_probe() {
    script.ask(REFUSED);
    script.ask(BROKEN);
    assertThat(script.state.learning().refusalsInARow()).isEqualTo(1);
    script.times(15, OK);
    script.ask(BROKEN);
    script.times(19, OK);
    assertThat(script.state.learning().probe()).isEmpty();
    script.ask(OK);
    script.times(10, OK);
    script.ask(BROKEN);
    assertThat(script.state.learning().probe()).isPresent();
    script.times(19, OK);
    assertThat(script.state.learning().probe()).isPresent();
    script.ask(OK);
    assertThat(script.state.learning().probe()).isEmpty();
  }

  @Test
  void at_sixty_seconds_a_refusal_only_rests() {
    script.state = script.policy.limited(script.state, Limits.NONE.withCrawlDelay(seconds(60)));
    script.times(3, REFUSED);
    assertThat(script.state.learning().learned()).isZero();
    assertThat(script.state.learning().refusalsInARow()).isEqualTo(3);
    assertThat(script.delay()).isEqualTo(seconds(60));
    assertThat(script.rest()).isEqualTo(seconds(60));
  }

  @Test
  void a_refusal_of_a_request_from_before_the_probe_ends_it_unproven() {
    script.ask(REFUSED);
    script.times(19, OK);
    Attempt before = script.start();
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(1.5));
    Decision decision = script.answer(before, REFUSED);
    assertThat(decision.changes()).contains(new Change.ProbeEnded(seconds(1.5), false));
    assertThat(script.state.learning().refused()).contains(seconds(2));
    assertThat(script.delay()).isEqualTo(seconds(3));
  }

  @Test
  void a_probe_never_goes_below_what_is_set() {
    script.ask(REFUSED);
    script.state = script.policy.limited(script.state, Limits.NONE.withMinimum(seconds(1.9)));
    script.times(40, OK);
    assertThat(script.delay()).isEqualTo(seconds(1.9));
  }

  @Test
  void a_base_that_changes_during_a_probe_ends_it() {
    script.ask(REFUSED);
    script.times(20, OK);
    script.state = script.policy.limited(script.state, Limits.NONE.withCrawlDelay(seconds(1.8)));
    assertThat(script.state.learning().probe()).isEmpty();
    assertThat(script.delay()).isEqualTo(seconds(2));
    assertThat(script.state.learning().row()).isZero();
  }

  @Test
  void in_steps_a_refusal_adds_a_second_that_stays_and_a_refused_probe_is_a_hard_floor() {
    Script steps =
        new Script(
            PolicySettings.DEFAULTS.with(LearningSettings.DEFAULTS.withStyle(ProbeStyle.STEP)));
    steps.times(3, REFUSED);
    steps.ask(OK);
    assertThat(steps.delay()).isEqualTo(seconds(4));
    steps.times(19, OK);
    assertThat(steps.delay()).isEqualTo(seconds(3));
    steps.times(40, OK);
    assertThat(steps.delay()).isEqualTo(seconds(2));
    steps.ask(REFUSED);
    steps.ask(OK);
    assertThat(steps.delay()).isEqualTo(seconds(3));
    assertThat(steps.state.learning().floor()).contains(seconds(3));
    steps.times(500, OK);
    assertThat(steps.delay()).isEqualTo(seconds(3));
  }

  @Test
  void a_change_of_the_throttle_is_told_once_with_its_reason() {
    assertThat(script.ask(REFUSED).changes())
        .containsExactly(
            new Change.IncidentOpened(seconds(1), script.now.plusSeconds(2)),
            new Change.Throttle(seconds(1), seconds(2), Pace.Rule.LEARNED, 1),
            new Change.Concurrency(5, 1));
    assertThat(script.ask(OK).changes())
        .containsExactly(new Change.IncidentEnded(1), new Change.Concurrency(1, 5));
    assertThat(script.ask(OK).changes()).isEmpty();
  }

  private void untilRetry() {
    while (script.state.learning().probe().filter(Learning.Probe::retry).isEmpty()) {
      script.ask(OK);
    }
  }

  /** Refused at 1 s, holding at 2 s, then down in halves: 1.5, 1.25, 1.125, 1.062 s. */
  private void settle() {
    script.ask(REFUSED);
    script.times(20 + 40 + 40 + 40 + 20, OK);
    assertThat(script.delay()).isEqualTo(seconds(1.062));
    assertThat(script.state.learning().probe()).isEmpty();
  }
}
