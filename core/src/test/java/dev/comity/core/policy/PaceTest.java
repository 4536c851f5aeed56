package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.REFUSED;
import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Announced;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.learning.LearningDraft;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.policy.support.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PaceTest {
  private final Script script = Script.play();

  @Test
  void the_first_request_to_a_domain_does_not_wait() {
    assertThat(script.policy.turn(script.state, InFlight.NONE, START))
        .isEqualTo(new Turn.Fetch(seconds(1)));
  }

  @Test
  void a_second_request_within_the_interval_waits_for_what_is_left() {
    script.start();
    assertThat(script.policy.turn(script.state, InFlight.started(1), START.plusMillis(500)))
        .isEqualTo(new Turn.WaitUntil(START.plusSeconds(1), Turn.Why.DELAY));
    assertThat(script.policy.turn(script.state, InFlight.started(1), START.plusMillis(999)))
        .isInstanceOf(Turn.WaitUntil.class);
  }

  @Test
  void a_second_request_after_the_interval_does_not_wait() {
    script.start();
    assertThat(script.policy.turn(script.state, InFlight.started(1), START.plusSeconds(1)))
        .isEqualTo(new Turn.Fetch(seconds(1)));
  }

  @Test
  void the_slot_is_counted_from_the_start_that_happened_and_not_from_the_one_that_was_planned() {
    Attempt late =
        new Attempt(Script.url(1), Kind.PAGE, 1, START.plusMillis(300), Duration.ofSeconds(1));
    DomainState state = script.policy.started(script.state, late);
    assertThat(script.policy.turn(state, InFlight.started(1), START.plusSeconds(1)))
        .isEqualTo(new Turn.WaitUntil(START.plusMillis(1300), Turn.Why.DELAY));
  }

  @Test
  void nothing_starts_while_a_request_has_not_written_its_first_byte() {
    assertThat(script.policy.turn(script.state, new InFlight(1, true), START))
        .isEqualTo(new Turn.WaitForEvent(Turn.Why.STARTING));
  }

  @Test
  void a_start_that_failed_takes_up_its_slot() {
    DomainState state = script.policy.startFailed(script.state, START.plusMillis(200));
    assertThat(script.policy.turn(state, InFlight.NONE, START.plusMillis(1199)))
        .isEqualTo(new Turn.WaitUntil(START.plusMillis(1200), Turn.Why.DELAY));
    assertThat(script.policy.turn(state, InFlight.NONE, START.plusMillis(1200)))
        .isInstanceOf(Turn.Fetch.class);
  }

  @Test
  void robots_sitemaps_and_images_wait_like_pages() {
    for (Kind kind : Kind.values()) {
      Script each = Script.play();
      each.start(Script.url(1), kind, 1);
      assertThat(each.policy.turn(each.state, InFlight.started(1), START.plusMillis(999)))
          .isEqualTo(new Turn.WaitUntil(START.plusSeconds(1), Turn.Why.DELAY));
    }
  }

  @Test
  void two_domains_do_not_wait_for_each_other() {
    Script other = Script.play();
    script.start();
    assertThat(other.policy.turn(other.state, InFlight.NONE, START)).isInstanceOf(Turn.Fetch.class);
  }

  @Test
  void the_longest_of_minimum_crawl_delay_and_learned_delay_is_the_effective_one() {
    assertThat(script.policy.pace(script.state)).isEqualTo(new Pace(seconds(1), Pace.Rule.MINIMUM));
    script.state = script.policy.limited(script.state, Limits.NONE.withCrawlDelay(seconds(5)));
    assertThat(script.policy.pace(script.state))
        .isEqualTo(new Pace(seconds(5), Pace.Rule.CRAWL_DELAY));
    script.ask(REFUSED);
    assertThat(script.policy.pace(script.state)).isEqualTo(new Pace(seconds(6), Pace.Rule.LEARNED));
    script.state =
        script.policy.limited(script.state, script.state.limits().withMinimum(seconds(7)));
    assertThat(script.policy.pace(script.state)).isEqualTo(new Pace(seconds(7), Pace.Rule.MINIMUM));
  }

  @Test
  void what_the_last_answer_announced_can_only_slow_us_down() {
    announce(new Announced(Duration.ZERO, seconds(0.5)));
    assertThat(script.policy.pace(script.state)).isEqualTo(new Pace(seconds(1), Pace.Rule.MINIMUM));
    announce(new Announced(Duration.ZERO, seconds(2.5)));
    assertThat(script.policy.pace(script.state))
        .isEqualTo(new Pace(seconds(2.5), Pace.Rule.ANNOUNCED));
    assertThat(script.policy.explain(script.state, InFlight.NONE, script.now).words())
        .contains("the limit that its answers announce: 2.5 s");
    announce(new Announced(Duration.ZERO, Duration.ofHours(1)));
    assertThat(script.delay()).isEqualTo(Duration.ofMinutes(10));
    script.ask(OK);
    assertThat(script.delay()).isEqualTo(seconds(1));
  }

  @Test
  void a_quota_that_is_announced_to_be_used_up_is_rested_out() {
    announce(new Announced(seconds(45), Duration.ZERO));
    assertThat(script.rest()).isEqualTo(seconds(45));
    assertThat(script.state.slots().why()).isEqualTo(Turn.Why.RETRY_AFTER);
    assertThat(script.state.learning().incident()).isEmpty();
  }

  private void announce(Announced announced) {
    Attempt attempt = script.start();
    script.state =
        script
            .policy
            .decide(
                script.state,
                attempt,
                new Fetched(OK, Optional.empty(), Script.LATENCY, 0).announcing(announced),
                script.now)
            .state();
  }

  @Test
  void an_interval_of_zero_or_less_means_none() {
    for (Duration none : new Duration[] {Duration.ZERO, Duration.ofSeconds(-3)}) {
      DomainState state = script.policy.limited(script.state, Limits.NONE.withMinimum(none));
      assertThat(script.policy.pace(state)).isEqualTo(new Pace(Duration.ZERO, Pace.Rule.NONE));
    }
  }

  @Test
  void an_interval_of_its_own_replaces_the_global_one_even_if_shorter() {
    DomainState state = script.policy.limited(script.state, Limits.NONE.withMinimum(seconds(0.2)));
    assertThat(script.policy.pace(state).effective()).isEqualTo(seconds(0.2));
  }

  @Test
  void a_longer_crawl_delay_holds_from_the_next_request_on() {
    script.start();
    DomainState state =
        script.policy.limited(script.state, Limits.NONE.withCrawlDelay(seconds(10)));
    assertThat(script.policy.turn(state, InFlight.NONE, START.plusSeconds(1)))
        .isEqualTo(new Turn.WaitUntil(START.plusSeconds(10), Turn.Why.DELAY));
  }

  @Test
  void the_latency_factor_slows_a_slow_site_down() {
    DomainPolicy slow =
        new DomainPolicy(
            PolicySettings.DEFAULTS.with(new PaceSettings(Duration.ofSeconds(1), 5, 2)));
    Attempt attempt = new Attempt(Script.url(1), Kind.PAGE, 1, START, seconds(1));
    Fetched fetched = new Fetched(OK, Optional.of(seconds(3)), seconds(3), 0);
    DomainState state = slow.decide(script.state, attempt, fetched, START.plusSeconds(3)).state();
    assertThat(slow.pace(state)).isEqualTo(new Pace(seconds(6), Pace.Rule.LATENCY));
  }

  @Test
  void five_requests_may_be_in_flight_and_a_sixth_waits_for_one_to_end() {
    Instant later = START.plusSeconds(60);
    assertThat(script.policy.turn(script.state, InFlight.started(4), later))
        .isInstanceOf(Turn.Fetch.class);
    assertThat(script.policy.turn(script.state, InFlight.started(5), later))
        .isEqualTo(new Turn.WaitForEvent(Turn.Why.CONCURRENCY));
  }

  @Test
  void each_full_five_seconds_over_what_is_set_cost_one_request_in_flight() {
    assertThat(concurrencyWithLearned(1)).isEqualTo(5);
    assertThat(concurrencyWithLearned(5.999)).isEqualTo(5);
    assertThat(concurrencyWithLearned(6)).isEqualTo(4);
    assertThat(concurrencyWithLearned(10.999)).isEqualTo(4);
    assertThat(concurrencyWithLearned(11)).isEqualTo(3);
    assertThat(concurrencyWithLearned(60)).isEqualTo(1);
  }

  @Test
  void a_crawl_delay_costs_no_request_in_flight() {
    DomainState state =
        script.policy.limited(script.state, Limits.NONE.withCrawlDelay(seconds(30)));
    assertThat(script.policy.concurrency(state)).isEqualTo(5);
    assertThat(
            script.policy.concurrency(
                script.policy.limited(state, state.limits().withConcurrency(2))))
        .isEqualTo(2);
  }

  @Test
  void a_request_that_may_have_been_read_late_counts_from_then() {
    answeredAfter(10, 0);
    assertThat(nextAfter(answeredAfter(40, 0))).isEqualTo(Duration.ofMillis(1030));
    assertThat(nextAfter(answeredAfter(5, 0))).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void an_answer_that_takes_long_costs_a_twentieth_of_the_delay_at_most() {
    answeredAfter(10, 0);
    assertThat(nextAfter(answeredAfter(400, 0))).isEqualTo(Duration.ofMillis(1050));
  }

  @Test
  void a_delay_that_was_learnt_is_kept_as_it_was_learnt() {
    answeredAfter(10, 0);
    script.ask(REFUSED);
    answeredAfter(10, 0);
    Duration learnt = script.delay();
    assertThat(learnt).isGreaterThan(Duration.ofSeconds(1));
    assertThat(nextAfter(answeredAfter(400, 0))).isEqualTo(learnt);
  }

  @Test
  void of_the_first_answer_nobody_knows_whether_it_was_late() {
    assertThat(nextAfter(answeredAfter(40, 0))).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void an_answer_that_comes_after_the_next_start_moves_nothing() {
    answeredAfter(10, 0);
    assertThat(nextAfter(answeredAfter(1500, 1))).isEqualTo(Duration.ofSeconds(1));
  }

  /** One request answered after so long, with so many others started before that. */
  private Instant answeredAfter(long millis, int others) {
    Attempt attempt = script.start();
    Attempt last = attempt;
    for (int i = 0; i < others; i++) {
      last = script.start();
    }
    Duration firstByte = Duration.ofMillis(millis);
    script.now = attempt.startedAt().plus(firstByte);
    Fetched fetched = new Fetched(Script.OK, Optional.of(firstByte), firstByte, 0);
    script.state = script.policy.decide(script.state, attempt, fetched, script.now).state();
    return last.startedAt();
  }

  private Duration nextAfter(Instant start) {
    return Duration.between(start, script.policy.nextStart(script.state));
  }

  @Test
  void a_takeover_waits_one_full_delay() {
    script.start();
    Instant later = START.plusSeconds(3600);
    DomainState state = script.policy.takenOver(script.state, later);
    assertThat(script.policy.turn(state, InFlight.NONE, later))
        .isEqualTo(new Turn.WaitUntil(later.plusSeconds(1), Turn.Why.DELAY));
    DomainState clean = script.policy.claimed(script.state, later);
    assertThat(script.policy.turn(clean, InFlight.NONE, later)).isInstanceOf(Turn.Fetch.class);
  }

  @Test
  void a_last_start_from_a_clock_ahead_of_ours_freezes_nothing() {
    DomainState ahead = script.policy.startFailed(script.state, START.plusSeconds(600));
    assertThat(script.policy.turn(script.policy.claimed(ahead, START), InFlight.NONE, START))
        .isEqualTo(new Turn.WaitUntil(START.plusSeconds(1), Turn.Why.DELAY));
  }

  @Test
  void a_clock_that_steps_back_brings_no_burst() {
    script.start();
    DomainState state =
        script.policy.started(
            script.state,
            new Attempt(Script.url(9), Kind.PAGE, 1, START.minusSeconds(60), seconds(1)));
    assertThat(state.slots().lastStart()).isEqualTo(START);
  }

  @Test
  void a_wait_of_more_than_ten_minutes_parks_the_domain() {
    script.start();
    DomainState ten = script.policy.limited(script.state, Limits.NONE.withCrawlDelay(seconds(600)));
    assertThat(script.policy.turn(ten, InFlight.NONE, START))
        .isEqualTo(new Turn.WaitUntil(START.plusSeconds(600), Turn.Why.DELAY));
    DomainState more =
        script.policy.limited(script.state, Limits.NONE.withCrawlDelay(seconds(601)));
    assertThat(script.policy.turn(more, InFlight.NONE, START))
        .isEqualTo(new Turn.Park(START.plusSeconds(601), Turn.Why.DELAY));
  }

  @Test
  void a_crawl_delay_beyond_thirty_days_blocks_until_reset() {
    DomainState month =
        script.policy.limited(script.state, Limits.NONE.withCrawlDelay(Duration.ofDays(30)));
    assertThat(month.standing().mayBeAsked()).isTrue();
    for (Duration absurd :
        new Duration[] {Duration.ofDays(30).plusMillis(1), Duration.ofSeconds(Long.MAX_VALUE)}) {
      DomainState state = script.policy.limited(script.state, Limits.NONE.withCrawlDelay(absurd));
      assertThat(state.standing().reason()).contains(CloseReason.ROBOTS_DENIED);
      assertThat(state.standing().permanent()).isTrue();
      assertThat(script.policy.turn(state, InFlight.NONE, START)).isInstanceOf(Turn.Stop.class);
    }
  }

  @Test
  void a_dead_domain_says_nothing_about_the_pace() {
    Decision decision = script.ask(new ConnectionFailed("refused"));
    assertThat(script.delay()).isEqualTo(seconds(1));
    assertThat(decision.state().learning()).isEqualTo(LearnedDelay.NOTHING);
  }

  private int concurrencyWithLearned(double seconds) {
    LearnedDelay so = LearnedDelay.NOTHING;
    LearningDraft draft = new LearningDraft(so);
    draft.learned = seconds(seconds);
    return script.policy.concurrency(script.state.with(draft.done()));
  }
}
