package dev.comity.core.policy.learning;

import static dev.comity.core.policy.support.Script.BROKEN;
import static dev.comity.core.policy.support.Script.MISSING;
import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.REFUSED;
import static dev.comity.core.policy.support.Script.refusedFor;
import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.Pace;
import dev.comity.core.policy.Turn;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.policy.support.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LearnedDelayTest {
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
                CloseReason.RATE_LIMITED,
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
  void what_was_refused_before_anything_was_served_teaches_nothing() {
    script.times(5, REFUSED);
    assertThat(script.delay()).isEqualTo(seconds(6));
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(1));
    assertThat(script.state.learning().refused()).isEmpty();
  }

  @Test
  void a_refusal_costs_no_retry_and_comes_back_after_the_rest() {
    Decision decision = script.ask(REFUSED);
    assertThat(decision.fate()).isEqualTo(new Fate.Retry(script.now.plusSeconds(2), false));
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
      assertThat(each.state.standing().reason()).contains(CloseReason.RATE_LIMITED);
      assertThat(each.state.standing().permanent()).isTrue();
    }
  }

  @Test
  void a_refusal_of_a_request_from_before_the_probe_ends_it_unproven() {
    script.times(1, OK).times(1, REFUSED).times(1, OK);
    assertThat(script.delay()).isEqualTo(seconds(1.964));
    Attempt before = script.start();
    script.times(2, OK);
    assertThat(script.delay()).isEqualTo(seconds(1.402));
    Decision decision = script.answer(before, REFUSED);
    assertThat(decision.changes()).contains(new Change.ProbeEnded(seconds(1.402), false));
    assertThat(script.state.learning().probe()).isEmpty();
    assertThat(script.delay()).isEqualTo(seconds(2.964));
  }

  @Test
  void a_probe_never_goes_below_what_is_set() {
    script.times(1, OK).times(1, REFUSED).times(1, OK);
    script.state = script.policy.limited(script.state, Limits.NONE.withMinimum(seconds(1.9)));
    script.times(40, OK);
    assertThat(script.delay()).isEqualTo(seconds(1.9));
  }

  @Test
  void a_base_that_changes_during_a_probe_ends_it() {
    script.times(1, OK).times(1, REFUSED).times(2, OK);
    assertThat(script.state.learning().probe()).isPresent();
    script.state = script.policy.limited(script.state, Limits.NONE.withCrawlDelay(seconds(2)));
    assertThat(script.state.learning().probe()).isEmpty();
    assertThat(script.delay()).isEqualTo(seconds(3.162));
    assertThat(script.state.learning().row()).isZero();
  }

  @Test
  void a_change_of_the_throttle_is_told_once_with_its_reason() {
    assertThat(script.ask(REFUSED).changes())
        .containsExactly(
            new Change.IncidentOpened(seconds(1), script.now.plusSeconds(2)),
            new Change.Throttle(seconds(1), seconds(2), Pace.Rule.LEARNED, 1),
            new Change.Concurrency(5, 1));
    assertThat(script.ask(OK).changes())
        .containsExactly(
            new Change.IncidentEnded(1),
            new Change.Throttle(seconds(2), seconds(1), Pace.Rule.MINIMUM, 0),
            new Change.Concurrency(1, 5));
    assertThat(script.ask(OK).changes()).isEmpty();
  }

  @Test
  void the_refusal_that_completes_the_cancel_streak_cancels() {
    Script cancelling =
        new Script(PolicySettings.DEFAULTS.with(LearningSettings.DEFAULTS.withCancelAfter(61)));
    cancelling.times(59, REFUSED);
    assertThat(cancelling.delay()).isEqualTo(seconds(60));
    Change cancelled = new Change.JobCancelled(61);
    assertThat(cancelling.ask(REFUSED).changes()).noneMatch(Change.JobCancelled.class::isInstance);
    assertThat(cancelling.ask(REFUSED).changes()).contains(cancelled);
  }

  @Test
  void a_404_ends_an_incident_and_is_no_success() {
    script.times(3, REFUSED);
    script.ask(MISSING);
    assertThat(script.state.learning().refusalsInARow()).isZero();
    int row = script.state.learning().row();
    script.times(5, MISSING);
    assertThat(script.state.learning().row()).isEqualTo(row);
  }

  @Test
  void a_server_error_ends_neither_incident_nor_probe() {
    script.times(1, OK).times(1, REFUSED).times(1, BROKEN);
    assertThat(script.state.learning().refusalsInARow()).isEqualTo(1);
    script.times(2, OK);
    assertThat(script.state.learning().probe()).isPresent();
    LearnedDelay before = script.state.learning();
    script.ask(BROKEN);
    assertThat(script.state.learning()).isEqualTo(before);
  }
}
