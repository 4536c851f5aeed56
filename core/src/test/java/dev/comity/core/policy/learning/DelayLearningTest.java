package dev.comity.core.policy.learning;

import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.seconds;
import static dev.comity.core.policy.support.Script.url;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.learning.LearnedDelay.Probe;
import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.policy.settings.ProbeStyle;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The rules around the search: late answers, resets, clocks and settings that change. */
class DelayLearningTest {
  private static final Duration BASE = seconds(1);

  private final DelayLearning learning = new DelayLearning(LearningSettings.DEFAULTS);
  private final DelayLearning steps =
      new DelayLearning(LearningSettings.DEFAULTS.withStyle(ProbeStyle.STEP));
  private final LearningDraft draft = new LearningDraft(LearnedDelay.NOTHING);

  @Test
  void what_was_on_its_way_when_a_refusal_arrived_was_served_before_it() {
    LearnedDelay one = learning.served(LearnedDelay.NOTHING, attempt(0), BASE);
    LearnedDelay refused = learning.refused(one, attempt(2), BASE, at(3));
    LearnedDelay late = learning.served(refused, attempt(1), BASE);
    assertThat(late.incident().orElseThrow().served()).isEqualTo(2);
    assertThat(late.evidence().served()).isZero();
    LearnedDelay after = learning.served(late, attempt(2.5), BASE);
    assertThat(after.incident().orElseThrow().served()).isEqualTo(2);
    assertThat(after.evidence().served()).isEqualTo(1);
    assertThat(after.refusalsInARow()).isEqualTo(1);
  }

  @Test
  void an_answer_that_is_no_page_came_out_of_the_same_bucket() {
    LearnedDelay robots = learning.answered(LearnedDelay.NOTHING, attempt(0), BASE);
    LearnedDelay page = learning.served(robots, attempt(1), BASE);
    LearnedDelay refused = learning.refused(page, attempt(3), BASE, at(4));
    assertThat(refused.incident().orElseThrow().served()).isEqualTo(2);
    LearnedDelay late = learning.answered(refused, attempt(2), BASE);
    assertThat(late.incident().orElseThrow().served()).isEqualTo(3);
    assertThat(late.refusalsInARow()).isEqualTo(1);
    assertThat(learning.answered(refused, attempt(5), BASE).evidence().served()).isEqualTo(1);
  }

  @Test
  void in_steps_a_refusal_at_the_cap_only_rests() {
    draft.learned = seconds(3);
    LearnedDelay was = draft.done();
    Attempt slow = new Attempt(url(1), Kind.PAGE, 1, at(1), seconds(60));
    assertThat(steps.refused(was, slow, seconds(60), at(2)).learned()).isEqualTo(seconds(3));
    assertThat(steps.refused(was, slow, seconds(60), at(2)).refusalsInARow()).isEqualTo(1);
    Attempt faster = new Attempt(url(1), Kind.PAGE, 1, at(1), seconds(59.9));
    assertThat(steps.refused(was, faster, seconds(59.9), at(2)).learned()).isEqualTo(seconds(60));
    assertThat(learning.refused(was, slow, seconds(60), at(2)).learned()).isEqualTo(seconds(60));
  }

  @Test
  void refusals_in_a_row_raise_the_delay_up_to_the_cap() {
    LearnedDelay one = learning.refused(LearnedDelay.NOTHING, attempt(0), BASE, at(1));
    assertThat(one.learned()).isEqualTo(seconds(2));
    LearnedDelay two = learning.refused(one, attempt(2, 2), BASE, at(3));
    assertThat(two.learned()).isEqualTo(seconds(3));
    assertThat(learning.refused(two, attempt(4, 60), BASE, at(5)).learned()).isEqualTo(seconds(3));
    assertThat(learning.refused(two, attempt(4, 59), seconds(59.5), at(5)).learned())
        .isEqualTo(seconds(60));
  }

  @Test
  void a_site_that_was_never_open_is_not_waited_for() {
    draft.open(attempt(0), BASE);
    draft.incident = Optional.of(draft.incident.orElseThrow().again(at(2)));
    draft.lastRefusal = at(3);
    assertThat(learning.rest(draft.done())).isEqualTo(seconds(4));
    draft.openSince = START;
    draft.open(attempt(0), BASE);
    draft.incident = Optional.of(draft.incident.orElseThrow().again(at(2)));
    assertThat(learning.rest(draft.done())).isEqualTo(seconds(58)); // Until the minute is over.
    assertThat(steps.rest(draft.done())).isEqualTo(seconds(4));
  }

  @Test
  void a_reset_ends_the_incident_the_probe_and_the_row() {
    draft.begin(seconds(2), new Probe(seconds(3), false, false, 5, 0));
    draft.row = 4;
    draft.open(attempt(0), seconds(3));
    LearnedDelay reset = learning.forgetStreaks(draft.done());
    assertThat(reset.incident()).isEmpty();
    assertThat(reset.probe()).isEmpty();
    assertThat(reset.row()).isZero();
    assertThat(reset.learned()).isEqualTo(seconds(3));
  }

  @Test
  void a_reset_without_an_incident_keeps_the_probe() {
    draft.begin(seconds(2), new Probe(seconds(3), false, false, 5, 0));
    LearnedDelay calm = draft.done();
    assertThat(learning.forgetStreaks(calm)).isSameAs(calm);
    draft.row = 4;
    assertThat(learning.forgetStreaks(draft.done())).isEqualTo(calm);
  }

  @Test
  void times_of_a_clock_ahead_of_ours_are_taken_to_be_now() {
    draft.lastRefusal = at(10);
    draft.emptyAt = at(9);
    draft.openSince = at(8);
    LearnedDelay was = draft.done();
    assertThat(learning.notAheadOf(was, at(10))).isSameAs(was);
    LearnedDelay taken = learning.notAheadOf(was, at(8.5));
    assertThat(taken.lastRefusal()).isEqualTo(at(8.5));
    assertThat(taken.evidence().emptyAt()).isEqualTo(at(8.5));
    assertThat(taken.evidence().openSince()).isEqualTo(at(8));
    assertThat(learning.notAheadOf(was, at(7)).evidence().openSince()).isEqualTo(at(7));
  }

  @Test
  void another_base_ends_the_probe_and_the_row_if_it_changes_the_pace() {
    draft.begin(seconds(2), new Probe(seconds(3), false, false, 5, 0));
    draft.row = 4;
    LearnedDelay was = draft.done();
    assertThat(learning.rebased(was, BASE, seconds(2))).isSameAs(was);
    LearnedDelay rebased = learning.rebased(was, BASE, seconds(2.5));
    assertThat(rebased.probe()).isEmpty();
    assertThat(rebased.learned()).isEqualTo(seconds(3));
    assertThat(rebased.row()).isZero();
  }

  @Test
  void another_base_during_an_incident_keeps_what_refusals_added() {
    draft.begin(seconds(2), new Probe(seconds(3), false, false, 5, 0));
    draft.open(attempt(0), seconds(2));
    draft.learned = seconds(4);
    LearnedDelay rebased = learning.rebased(draft.done(), BASE, seconds(5));
    assertThat(rebased.learned()).isEqualTo(seconds(4));
    assertThat(rebased.incident().orElseThrow().taught()).isEqualTo(seconds(3));
    draft.learned = seconds(2.5);
    assertThat(learning.rebased(draft.done(), BASE, seconds(5)).learned()).isEqualTo(seconds(3));
    draft.probe = Optional.empty();
    assertThat(learning.rebased(draft.done(), BASE, seconds(5)).learned()).isEqualTo(seconds(2.5));
  }

  private static Attempt attempt(double start) {
    return attempt(start, 1);
  }

  private static Attempt attempt(double start, double delay) {
    return new Attempt(url(1), Kind.PAGE, 1, at(start), seconds(delay));
  }

  private static Instant at(double seconds) {
    return START.plus(seconds(seconds));
  }
}
