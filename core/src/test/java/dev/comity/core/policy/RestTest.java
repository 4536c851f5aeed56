package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.REFUSED;
import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.refusedFor;
import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.learning.LearningDraft;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.policy.support.Script;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long a site is left alone, and what an operator can do about it. */
class RestTest {
  private static final Duration MONTH = Duration.ofDays(30);

  private final Script script = Script.play();

  @Test
  void a_rest_is_the_longest_of_the_delay_what_was_asked_for_and_two_to_the_power_of_the_streak() {
    script.ask(refusedFor(seconds(1)));
    assertThat(script.rest()).isEqualTo(seconds(2));
    script.ask(refusedFor(seconds(4.001)));
    assertThat(script.rest()).isEqualTo(seconds(4.001));
    script.ask(refusedFor(Duration.ZERO));
    assertThat(script.rest()).isEqualTo(seconds(8));
    script.state = script.policy.limited(script.state, Limits.NONE.withMinimum(seconds(20)));
    script.ask(refusedFor(seconds(18)));
    assertThat(script.rest()).isEqualTo(seconds(21));
  }

  @Test
  void a_domain_that_shares_a_budget_waits_for_no_window_of_its_own() {
    script.ask(OK);
    script.ask(REFUSED);
    DomainState once = script.state;
    script.ask(REFUSED);
    assertThat(script.rest()).isGreaterThan(seconds(50));
    Sharing budget = new Sharing(8, seconds(0.5), script.now);
    script.state = script.policy.taught(once, once.learning(), Optional.of(budget));
    script.ask(REFUSED);
    assertThat(script.rest()).isEqualTo(seconds(4));
  }

  @Test
  void thirty_days_are_waited_for_and_not_an_instant_less() {
    script.ask(refusedFor(MONTH));
    assertThat(script.policy.turn(script.state, InFlight.NONE, script.now))
        .isEqualTo(new Turn.Park(script.now.plus(MONTH), Turn.Why.RETRY_AFTER));
    DomainState reset = script.policy.reset(script.state, script.now);
    assertThat(script.policy.nextStart(reset)).isEqualTo(script.now.plus(MONTH));
  }

  @Test
  void who_asked_for_more_is_asked_again_after_a_reset_and_the_usual_rest() {
    script.ask(refusedFor(MONTH.plusSeconds(1)));
    assertThat(script.state.standing().permanent()).isTrue();
    DomainState reset = script.policy.reset(script.state, script.now);
    DomainState claimed = script.policy.claimed(reset, script.now);
    assertThat(script.policy.turn(claimed, InFlight.NONE, script.now))
        .isEqualTo(new Turn.WaitUntil(script.now.plusSeconds(2), Turn.Why.REFUSED));
  }

  @Test
  void a_late_wish_for_more_takes_the_end_off_a_cooldown() {
    Attempt early = script.start();
    script.times(20, REFUSED);
    assertThat(script.state.standing().until()).contains(script.now.plus(Duration.ofDays(7)));
    Decision late = script.answer(early, refusedFor(MONTH.plusSeconds(1)));
    assertThat(late.state().standing())
        .isEqualTo(
            Standing.closed(DomainStatus.BLOCKED, CloseReason.RATE_LIMITED, Optional.empty(), 1));
  }

  @Test
  void a_crawl_delay_above_ten_minutes_parks_after_every_request_however_long_that_took() {
    script.start();
    DomainState ten = limited(Duration.ofMinutes(10));
    assertThat(script.policy.turn(ten, InFlight.NONE, START.plusSeconds(30)))
        .isEqualTo(new Turn.WaitUntil(START.plusSeconds(600), Turn.Why.DELAY));
    DomainState more = limited(seconds(601));
    assertThat(script.policy.turn(more, InFlight.NONE, START.plusSeconds(30)))
        .isEqualTo(new Turn.Park(START.plusSeconds(601), Turn.Why.DELAY));
    assertThat(script.policy.turn(more, InFlight.NONE, START.plusSeconds(601)))
        .isEqualTo(new Turn.Fetch(seconds(601)));
  }

  @Test
  void a_reset_lets_a_domain_be_asked_whose_crawl_delay_had_closed_it() {
    script.start();
    DomainState closed = limited(MONTH.plusSeconds(1));
    assertThat(closed.standing().permanent()).isTrue();
    DomainState claimed = script.policy.claimed(script.policy.reset(closed, START), START);
    assertThat(script.policy.turn(claimed, InFlight.NONE, START))
        .isEqualTo(new Turn.WaitUntil(START.plusSeconds(1), Turn.Why.DELAY));
    DomainState bearable = script.policy.reset(limited(MONTH), START);
    assertThat(script.policy.pace(bearable)).isEqualTo(new Pace(MONTH, Pace.Rule.CRAWL_DELAY));
  }

  @Test
  void what_is_set_costs_no_request_in_flight_and_what_is_learned_on_top_of_it_does() {
    LearningDraft draft = new LearningDraft(LearnedDelay.NOTHING);
    draft.learned = seconds(58);
    script.state = script.state.with(draft.done());
    script.state = limited(seconds(57));
    assertThat(script.policy.concurrency(script.state)).isEqualTo(5);
    script.state = limited(seconds(53));
    assertThat(script.delay()).isEqualTo(seconds(58));
    assertThat(script.policy.concurrency(script.state)).isEqualTo(4);
    script.state = limited(seconds(53.001));
    assertThat(script.policy.concurrency(script.state)).isEqualTo(5);
  }

  private DomainState limited(Duration crawlDelay) {
    return script.policy.limited(script.state, Limits.NONE.withCrawlDelay(crawlDelay));
  }
}
