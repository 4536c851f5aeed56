package dev.comity.core.policy.learning;

import static dev.comity.core.policy.support.Script.BROKEN;
import static dev.comity.core.policy.support.Script.MISSING;
import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.REFUSED;
import static dev.comity.core.policy.support.Script.refusedFor;
import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.DnsFailed;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.policy.settings.ProbeStyle;
import dev.comity.core.policy.support.Script;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What opens an incident, what ends it, and what is too old to do either. */
class IncidentTest {
  private static final List<FetchOutcome> FAILURES =
      List.of(new Forbidden(403), BROKEN, new TimedOut("5 s"), new DnsFailed("no address"));

  private final Script script = Script.play();

  @Test
  void answers_to_what_started_before_the_refusal_arrived_teach_nothing() {
    script.times(7, OK);
    Attempt first = script.start();
    List<Attempt> late = List.of(script.start(), script.start(), script.start(), script.start());
    script.answer(first, REFUSED);
    LearnedDelay taught = script.state.learning();
    List<FetchOutcome> answers = List.of(OK, MISSING, BROKEN, REFUSED);
    for (int i = 0; i < late.size(); i++) {
      script.now = script.now.plusMillis(10);
      script.answer(late.get(i), answers.get(i));
      // It was served after the bucket was empty, so it is counted; it teaches nothing yet.
      assertThat(script.state.learning().with(taught.evidence())).isEqualTo(taught);
      assertThat(script.state.learning().evidence().served()).isEqualTo(i == 0 ? 1 : 2);
    }
  }

  @Test
  void a_late_success_ends_no_incident_but_it_does_end_a_row_of_failures() {
    script.times(4, BROKEN);
    Attempt refused = script.start();
    Attempt served = script.start();
    script.answer(refused, REFUSED);
    script.answer(served, OK);
    assertThat(script.state.learning().refusalsInARow()).isEqualTo(1);
    assertThat(script.state.failures().streak()).isEmpty();
    script.times(4, BROKEN);
    assertThat(script.state.standing().mayBeAsked()).isTrue();
  }

  @Test
  void a_refusal_older_than_the_last_counted_one_opens_nothing_even_after_the_incident() {
    Attempt first = script.start();
    Attempt second = script.start();
    Attempt third = script.start();
    script.answer(first, REFUSED);
    script.ask(OK);
    Instant next = script.policy.nextStart(script.state);
    LearnedDelay before = script.state.learning();
    assertThat(script.answer(second, REFUSED).fate()).isEqualTo(new Fate.Retry(script.now, false));
    assertThat(script.policy.nextStart(script.state)).isEqualTo(next);
    script.answer(third, refusedFor(seconds(90)));
    assertThat(script.rest()).isEqualTo(seconds(90));
    assertThat(script.state.learning()).isEqualTo(before);
    assertThat(script.policy.concurrency(script.state)).isEqualTo(5);
  }

  @Test
  void each_later_refusal_adds_a_second_even_if_the_first_came_too_late_to_teach() {
    Attempt early = script.start();
    script.state = script.policy.limited(script.state, Limits.NONE.withCrawlDelay(seconds(5)));
    script.answer(early, REFUSED);
    assertThat(script.delay()).isEqualTo(seconds(5));
    script.ask(REFUSED);
    assertThat(script.delay()).isEqualTo(seconds(6));
    script.ask(REFUSED);
    assertThat(script.delay()).isEqualTo(seconds(7));
  }

  @Test
  void a_404_lets_five_requests_out_again_and_no_failure_does() {
    script.ask(REFUSED); // Nothing was served before, so nothing is learnt.
    for (FetchOutcome failure : FAILURES) {
      script.ask(failure);
      assertThat(script.state.learning().refusalsInARow()).isEqualTo(1);
      assertThat(script.policy.concurrency(script.state)).isEqualTo(1);
    }
    script.ask(MISSING);
    assertThat(script.state.learning().refusalsInARow()).isZero();
    assertThat(script.policy.concurrency(script.state)).isEqualTo(5);
  }

  @Test
  void in_steps_every_failure_sets_the_successes_in_a_row_to_zero_and_leaves_the_probe() {
    for (FetchOutcome failure : FAILURES) {
      Script each =
          new Script(
              PolicySettings.DEFAULTS.with(LearningSettings.DEFAULTS.withStyle(ProbeStyle.STEP)));
      each.times(1, REFUSED).times(20 + 19, OK);
      each.ask(failure);
      assertThat(each.state.learning().row()).isZero();
      each.times(19, OK);
      assertThat(each.state.learning().probe()).isPresent();
      each.ask(OK);
      assertThat(each.state.learning().probe()).isEmpty();
    }
  }
}
