package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.START;
import static dev.comity.core.policy.support.Script.seconds;
import static dev.comity.core.policy.support.Script.url;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.SharedBudget.Doubt;
import dev.comity.core.policy.learning.Evidence;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.learning.LearningDraft;
import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.policy.settings.ProbeStyle;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** One group of three domains, refused when each asked every three seconds. */
class SharedBudgetTest {
  private static final DomainName A = new DomainName("a.test");
  private static final DomainName B = new DomainName("b.test");
  private static final DomainName C = new DomainName("c.test");
  private static final FetchOutcome OK = new Success(200, Headers.NONE, Body.EMPTY);
  private static final FetchOutcome MISSING = new ClientError(404);
  private static final FetchOutcome REFUSED = new RateLimited(429, Optional.empty());

  private final SharedBudget budget = budget(LearningSettings.DEFAULTS);
  private Instant now = START;

  private static SharedBudget budget(LearningSettings settings) {
    Evidence served = new Evidence(Slots.NEVER, START.minusSeconds(30), 30, Evidence.NONE.shown());
    SharedBudget group = new SharedBudget(settings, seconds(1), seconds(3), served, START);
    group.join(A, LearnedDelay.NOTHING);
    group.join(B, LearnedDelay.NOTHING);
    group.join(C, LearnedDelay.NOTHING);
    return group;
  }

  @Test
  void members_are_known_and_counted_once() {
    budget.join(A, LearnedDelay.NOTHING);
    assertThat(budget.size()).isEqualTo(3);
    assertThat(budget.domains()).containsExactly(A, B, C);
    assertThat(budget.has(B)).isTrue();
    assertThat(budget.has(new DomainName("d.test"))).isFalse();
    assertThat(budget.firstDelay()).isEqualTo(seconds(1));
    assertThat(budget.delay()).isZero();
  }

  @Test
  void what_a_member_had_learned_is_kept_without_what_was_counted() {
    LearningDraft draft = new LearningDraft(LearnedDelay.NOTHING);
    draft.learned = seconds(7);
    draft.served = 5;
    draft.emptyAt = START;
    draft.openSince = START;
    DomainName known = new DomainName("d.test");
    budget.join(known, draft.done());
    draft.learned = seconds(9);
    draft.lastRefusal = START.plusSeconds(4);
    LearnedDelay kept = budget.kept(known, draft.done());
    assertThat(kept.learned()).isEqualTo(seconds(7));
    assertThat(kept.lastRefusal()).isEqualTo(START.plusSeconds(4));
    assertThat(kept.evidence()).isEqualTo(Evidence.NONE);
  }

  @Test
  void the_group_rests_only_once_more_than_one_member_was_refused() {
    answer(A, REFUSED);
    assertThat(budget.delay()).isEqualTo(seconds(2)); // A second for the refusal.
    assertThat(budget.ask(A, START.plusSeconds(2))).isEmpty();
    budget.leave(A);
    now = START.plusSeconds(3);
    answer(B, REFUSED);
    assertThat(budget.ask(A, now.plusMillis(1_999))).contains(now.plusSeconds(2));
    assertThat(budget.ask(A, now.plusSeconds(2))).isEmpty();
  }

  @Test
  void a_time_that_a_site_asks_for_is_rested_and_never_shortened() {
    answer(A, new RateLimited(429, Optional.of(seconds(60))));
    assertThat(budget.ask(A, START.plusSeconds(59))).contains(START.plusSeconds(60));
    now = START.plusSeconds(1);
    answer(B, new RateLimited(429, Optional.of(seconds(5))));
    answer(B, new RateLimited(429, Optional.of(seconds(-5))));
    assertThat(budget.ask(A, START.plusSeconds(59))).contains(START.plusSeconds(60));
    assertThat(budget.ask(A, START.plusSeconds(60))).isEmpty();
  }

  @Test
  void a_late_refusal_teaches_the_group_nothing() {
    answer(A, REFUSED);
    Attempt before = new Attempt(url(1), Kind.PAGE, 1, START.minusSeconds(1), seconds(1));
    budget.answered(B, before, REFUSED, START);
    assertThat(budget.delay()).isEqualTo(seconds(2));
  }

  @Test
  void members_wait_in_the_order_in_which_they_asked() {
    assertThat(budget.first()).isEmpty();
    answer(A, REFUSED);
    Instant asked = START.plusSeconds(1);
    assertThat(budget.ask(B, asked)).contains(START.plusSeconds(2));
    assertThat(budget.ask(C, asked)).contains(START.plusSeconds(4));
    assertThat(budget.ask(A, asked)).contains(START.plusSeconds(6));
    assertThat(budget.first()).contains(B);
    budget.leave(B);
    assertThat(budget.first()).contains(C);
    assertThat(budget.ask(A, asked)).contains(START.plusSeconds(4));
  }

  @Test
  void without_a_delay_members_look_again_after_ten_milliseconds() {
    budget.ask(B, START.minusMillis(1));
    assertThat(budget.ask(C, START.minusMillis(1))).contains(START.plusMillis(10));
  }

  @Test
  void a_start_that_was_granted_is_taken_for_a_second_or_until_it_is_left() {
    assertThat(budget.ask(B, START)).isEmpty();
    budget.ask(C, START);
    budget.started(B, START);
    assertThat(budget.ask(C, START.plusMillis(999))).contains(START.plusSeconds(1));
    assertThat(budget.ask(C, START.plusSeconds(1))).isEmpty();
    budget.leave(C);
    assertThat(budget.ask(A, START.plusSeconds(1))).isEmpty();
    budget.leave(A);
    assertThat(budget.ask(B, START.plusSeconds(1))).isEmpty();
    budget.leave(C); // Another one leaves, and the start is still taken.
    assertThat(budget.ask(C, START.plusSeconds(1))).isPresent();
  }

  @Test
  void an_answer_speaks_of_the_groups_delay_if_the_group_held_the_request_back() {
    answer(A, REFUSED);
    assertThat(budget.started(B, START.plusMillis(1_999))).isEmpty();
    assertThat(budget.started(B, START.plusMillis(2_500))).contains(seconds(2));
    assertThat(budget.started(C, START.plusMillis(5_001))).contains(seconds(2.501));
  }

  @Test
  void the_next_start_is_counted_from_when_the_first_byte_left() {
    answer(A, REFUSED);
    budget.started(B, START.plusSeconds(2));
    budget.left(B, START.plusMillis(2_500));
    assertThat(budget.ask(C, START.plusSeconds(4))).contains(START.plusMillis(4_500));
    budget.left(C, START.plusMillis(2_400));
    assertThat(budget.ask(C, START.plusSeconds(4))).contains(START.plusMillis(4_500));
  }

  @Test
  void a_group_that_is_refused_everything_for_ten_minutes_ends() {
    answer(A, REFUSED);
    now = START.plus(Duration.ofMinutes(10));
    assertThat(answer(B, REFUSED)).isEmpty();
    now = now.plusMillis(1);
    assertThat(answer(C, REFUSED)).contains(Doubt.CLOSED);
  }

  @Test
  void a_page_that_is_missing_ends_the_refusals_and_counts_for_nothing_else() {
    answer(A, REFUSED);
    now = START.plusSeconds(3);
    assertThat(answer(B, new ServerError(500))).isEmpty();
    assertThat(budget.delay()).isEqualTo(seconds(2));
    assertThat(answer(B, MISSING)).isEmpty();
    assertThat(budget.delay()).isLessThan(seconds(2));
  }

  @Test
  void a_group_that_is_served_at_the_pace_of_its_members_alone_ends() {
    answer(A, REFUSED);
    Optional<Doubt> doubt = Optional.empty();
    for (int i = 0; i < 20_000 && doubt.isEmpty(); i++) {
      doubt = next(OK);
    }
    assertThat(doubt).contains(Doubt.SERVED);
    assertThat(budget.delay()).isLessThanOrEqualTo(seconds(1.04));
    assertThat(Doubt.SERVED.words()).contains("served at a pace at which they were refused");
  }

  @Test
  void a_group_whose_refusals_a_slower_pace_does_not_make_rarer_ends() {
    Optional<Doubt> doubt = Optional.empty();
    for (int i = 1; i < 5_000 && doubt.isEmpty(); i++) {
      doubt = next(i % 20 == 0 ? REFUSED : OK);
    }
    assertThat(doubt).contains(Doubt.NOISE);
  }

  @Test
  void members_with_a_limit_each_are_told_by_refusing_the_favoured_one_alone() {
    answer(A, REFUSED);
    Map<DomainName, Instant> last = new HashMap<>();
    assertThat(
            untilDoubt(
                domain -> {
                  Instant before = last.getOrDefault(domain, Instant.EPOCH);
                  boolean early = now.isBefore(before.plusMillis(2_900));
                  last.put(domain, early ? before : now);
                  return !early;
                }))
        .contains(Doubt.ALONE);
  }

  @Test
  void members_with_one_limit_are_not_told_apart_though_each_is_favoured_in_turn() {
    answer(A, REFUSED);
    Instant[] last = {Instant.EPOCH};
    DomainName[] before = {C};
    Set<DomainName> inARow = new HashSet<>();
    assertThat(
            untilDoubt(
                domain -> {
                  if (domain.equals(before[0])) {
                    inARow.add(domain);
                  }
                  before[0] = domain;
                  boolean early = now.isBefore(last[0].plusMillis(1_450));
                  last[0] = early ? last[0] : now;
                  return !early;
                }))
        .isEmpty();
    assertThat(inARow).containsExactlyInAnyOrder(A, B, C);
  }

  /** All three ask all the time; the one that may start does, for two thousand starts. */
  private Optional<Doubt> untilDoubt(Predicate<DomainName> serves) {
    Optional<Doubt> doubt = Optional.empty();
    for (int starts = 0; starts < 2_000 && doubt.isEmpty(); ) {
      Instant soonest = now.plusSeconds(60);
      for (DomainName domain : List.of(A, B, C)) {
        Optional<Instant> later = budget.ask(domain, now);
        if (later.isPresent()) {
          soonest = later.get().isBefore(soonest) ? later.get() : soonest;
          continue;
        }
        Duration delay = budget.started(domain, now).orElseThrow();
        budget.left(domain, now);
        FetchOutcome outcome = serves.test(domain) ? OK : REFUSED;
        Attempt attempt = attempt(now, delay);
        now = now.plusMillis(1);
        doubt = budget.answered(domain, attempt, outcome, now);
        soonest = now;
        starts++;
        break;
      }
      now = soonest.isAfter(now) ? soonest : now;
    }
    return doubt;
  }

  @Test
  void a_group_learns_even_where_domains_go_by_steps() {
    SharedBudget steps = budget(LearningSettings.DEFAULTS.withStyle(ProbeStyle.STEP));
    steps.answered(A, attempt(START, seconds(1)), REFUSED, START);
    Instant later = START.plusSeconds(3);
    steps.answered(A, attempt(later, seconds(2)), OK, later);
    assertThat(steps.delay()).isGreaterThan(seconds(1)).isLessThan(seconds(2));
  }

  /** The next member in turn starts as soon as it may and is answered at once. */
  private Optional<Doubt> next(FetchOutcome outcome) {
    DomainName domain = budget.domains().get((int) (now.getEpochSecond() % 3));
    Optional<Instant> later = budget.ask(domain, now);
    while (later.isPresent()) {
      now = later.get();
      later = budget.ask(domain, now);
    }
    Duration delay = budget.started(domain, now).orElseThrow();
    budget.left(domain, now);
    Attempt attempt = attempt(now, delay);
    now = now.plusMillis(10);
    return budget.answered(domain, attempt, outcome, now);
  }

  private Optional<Doubt> answer(DomainName domain, FetchOutcome outcome) {
    return budget.answered(domain, attempt(now, seconds(1)), outcome, now);
  }

  private static Attempt attempt(Instant at, Duration delay) {
    return new Attempt(url(1), Kind.PAGE, 1, at, delay);
  }
}
