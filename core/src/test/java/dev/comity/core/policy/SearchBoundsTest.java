package dev.comity.core.policy;

import static dev.comity.core.policy.Script.BROKEN;
import static dev.comity.core.policy.Script.OK;
import static dev.comity.core.policy.Script.REFUSED;
import static dev.comity.core.policy.Script.START;
import static dev.comity.core.policy.Script.refusedFor;
import static dev.comity.core.policy.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.Learning.Probe;
import dev.comity.core.policy.Learning.Recheck;
import dev.comity.core.policy.Learning.Verdict;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the rules of the search for the right delay begin and end, to the millisecond. */
class SearchBoundsTest {
  private final Script script = Script.play();
  private final MidpointSearch search = new MidpointSearch(LearningSettings.DEFAULTS);

  @Test
  void the_beginning_of_a_probe_is_told_once() {
    script.ask(REFUSED);
    script.times(19, OK);
    assertThat(script.ask(OK).changes())
        .contains(new Change.ProbeBegun(seconds(2), seconds(1.5), false));
    assertThat(script.ask(OK).changes()).isEmpty();
  }

  @Test
  void while_as_much_is_set_as_was_learned_the_search_rests() {
    script.ask(REFUSED);
    script.ask(OK);
    set(Limits.NONE.withMinimum(seconds(2)));
    Learning before = script.state.learning();
    script.times(400, OK);
    Learning after = script.state.learning();
    assertThat(after.learned()).isEqualTo(seconds(2));
    assertThat(after.recheck()).isEqualTo(before.recheck());
    assertThat(after.floor()).isEmpty();
    assertThat(script.policy.explain(script.state, InFlight.NONE, script.now).toChange())
        .containsExactly("a refusal would make the delay longer, another setting would replace it");
  }

  @Test
  void successes_in_a_row_are_counted_on_when_no_more_can_be_saved() {
    script.times(300, OK).times(1, BROKEN).times(5, OK);
    assertThat(script.state.learning().savings()).isEqualTo(300);
    assertThat(script.state.learning().row()).isEqualTo(5);
  }

  @Test
  void a_late_refusal_of_what_was_learned_only_rests_if_more_is_set_by_now() {
    script.ask(REFUSED);
    script.ask(OK);
    Attempt early = script.start();
    set(Limits.NONE.withMinimum(seconds(3)));
    script.answer(early, REFUSED);
    assertThat(script.state.learning().refused()).contains(seconds(1));
    assertThat(script.state.learning().incident().orElseThrow().verdict())
        .isEqualTo(Verdict.RESTED);
  }

  @Test
  void a_late_refusal_of_a_retry_that_was_cut_short_is_no_news() {
    settleAtOneSecond();
    untilRetry();
    Attempt retried = script.start();
    set(Limits.NONE.withMinimum(seconds(1.05)));
    Recheck before = script.state.learning().recheck();
    script.answer(retried, REFUSED);
    assertThat(script.state.learning().refusalsInARow()).isEqualTo(1);
    assertThat(script.state.learning().recheck()).isEqualTo(before);
  }

  @Test
  void a_delay_being_retried_is_no_floor_before_it_stands() {
    settleAtOneSecond();
    untilRetry();
    script.times(99, OK);
    assertThat(script.state.learning().floor()).isEmpty();
    script.ask(OK);
    assertThat(script.state.learning().floor()).contains(seconds(1));
  }

  @Test
  void a_delay_a_quarter_longer_than_the_suspect_is_clearly_longer() {
    set(Limits.NONE.withMinimum(seconds(4)));
    script.times(30, OK).times(1, REFUSED).times(10, OK);
    assertThat(script.delay()).isEqualTo(seconds(5));
    script.ask(REFUSED);
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(4));
    assertThat(script.state.learning().refused()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"5.9, 1", "5.901, 3"})
  void noise_is_over_within_three_times_the_delay(double retryAfter, double delay) {
    script.times(30, OK).times(1, REFUSED).times(10, OK);
    assertThat(script.delay()).isEqualTo(seconds(2));
    script.ask(refusedFor(seconds(retryAfter)));
    script.ask(OK); // a tenth of a second after its start
    assertThat(script.delay()).isEqualTo(seconds(delay));
  }

  @Test
  void after_noise_the_search_goes_a_whole_step_down() {
    set(Limits.NONE.withCrawlDelay(seconds(3)));
    script.times(30, OK).times(1, REFUSED).times(10, OK).times(1, REFUSED).times(1, OK);
    set(Limits.NONE);
    assertThat(script.delay()).isEqualTo(seconds(3));
    script.times(20, OK);
    assertThat(script.state.learning().probe()).contains(new Probe(seconds(3), 300, false));
    assertThat(script.delay()).isEqualTo(seconds(2));
  }

  @Test
  void the_floor_follows_a_shorter_delay_that_held() {
    set(Limits.NONE.withMinimum(seconds(0.2)));
    underLimit(seconds(1.5), 400);
    Duration first = script.state.learning().floor().orElseThrow();
    underLimit(seconds(1), 1500);
    assertThat(script.state.learning().probe()).isEmpty();
    assertThat(script.delay()).isLessThan(first);
    assertThat(script.state.learning().floor()).contains(script.delay());
  }

  @ParameterizedTest
  @CsvSource({"2, 1.8, 2", "2, 1.799, 1.899", "0.3, 0.25, 0.3", "0.3, 0.249, 0.274"})
  void a_gap_of_a_tenth_or_of_fifty_milliseconds_is_settled(
      double learned, double refused, double next) {
    LearningDraft draft = new LearningDraft(Learning.NOTHING);
    draft.learned = seconds(learned);
    draft.refused = Optional.of(seconds(refused));
    draft.row = 20;
    search.held(draft, seconds(0.1), START);
    assertThat(draft.learned).isEqualTo(seconds(next));
  }

  @ParameterizedTest
  @CsvSource({"1.249, 3", "1.25, 0", "0.801, 3", "0.8, 0", "0.5, 0"})
  void a_limit_is_the_same_one_within_a_quarter(double delay, int doublings) {
    LearningDraft draft = new LearningDraft(Learning.NOTHING);
    draft.learned = seconds(delay);
    draft.recheck = new Recheck(seconds(1), 2, Duration.ZERO, START, 0);
    search.refused(draft, seconds(delay), seconds(0.1), START);
    assertThat(draft.recheck.about()).isEqualTo(seconds(delay));
    assertThat(draft.recheck.doublings()).isEqualTo(doublings);
  }

  @Test
  void in_steps_nothing_is_tried_where_the_floor_leaves_no_room() {
    Script steps =
        new Script(
            PolicySettings.DEFAULTS.with(LearningSettings.DEFAULTS.withStyle(ProbeStyle.STEP)));
    steps.times(2, REFUSED).times(21, OK).times(1, REFUSED).times(500, OK);
    assertThat(steps.state.learning().floor()).contains(seconds(3));
    assertThat(steps.delay()).isEqualTo(seconds(3));
    assertThat(steps.state.learning().probe()).isEmpty();
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

  private void set(Limits limits) {
    script.state = script.policy.limited(script.state, limits);
  }

  private void underLimit(Duration limit, int requests) {
    for (int i = 0; i < requests; i++) {
      script.ask(script.delay().compareTo(limit) < 0 ? REFUSED : OK);
    }
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
