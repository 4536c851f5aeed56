package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.SharedBudgets.BudgetChange;
import dev.comity.core.policy.learning.DelayLearning;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.learning.LearningDraft;
import dev.comity.core.policy.learning.Noise;
import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SharedBudgetsTest {
  private static final String HERE = "192.0.2.1";
  private static final Duration DELAY = Duration.ofMillis(200);
  private static final FetchOutcome REFUSED = new RateLimited(429, Optional.empty());
  private static final FetchOutcome SERVED = new Success(200, Headers.NONE, Body.EMPTY);

  private final List<BudgetChange> changes = new ArrayList<>();
  private final SharedBudgets budgets = new SharedBudgets(PolicySettings.DEFAULTS, changes::add);

  @Test
  void the_third_domain_refused_within_a_minute_makes_a_group() {
    refuse(0, START);
    refuse(1, START.plusSeconds(59));
    assertThat(changes).isEmpty();
    refuse(2, START.plusSeconds(60));
    assertThat(changes)
        .containsExactly(
            new BudgetChange(
                HERE,
                List.of(domain(0), domain(1), domain(2)),
                Duration.ofMillis(67),
                Optional.empty()));
  }

  @Test
  void refusals_more_than_a_minute_apart_make_none() {
    refuse(0, START);
    refuse(1, START.plusSeconds(59));
    refuse(2, START.plusSeconds(61));
    assertThat(changes).isEmpty();
  }

  @Test
  void the_same_domain_again_makes_none_nor_do_domains_of_other_addresses() {
    refuse(0, START);
    refuse(1, START.plusSeconds(1));
    refuse(1, START.plusSeconds(2));
    refuse("192.0.2.2", 2, START.plusSeconds(3));
    assertThat(changes).isEmpty();
  }

  @Test
  void three_refused_of_seven_asked_are_too_few_and_three_of_six_are_half() {
    for (int other = 10; other < 14; other++) {
      budgets.started(HERE, domain(other), START);
    }
    refuse(0, START.plusSeconds(10));
    refuse(1, START.plusSeconds(10));
    refuse(2, START.plusSeconds(10));
    assertThat(changes).isEmpty();
    // A minute after they were asked, four others do not count any more.
    refuse(2, START.plusSeconds(61));
    assertThat(changes).hasSize(1);
  }

  @Test
  void a_content_network_with_three_limited_domains_of_200_has_no_group() {
    for (int other = 10; other < 207; other++) {
      budgets.started(HERE, domain(other), START);
    }
    group();
    assertThat(changes).isEmpty();
  }

  @Test
  void a_delay_that_was_only_tried_says_nothing_about_neighbours() {
    for (int number = 0; number < 4; number++) {
      refuse(HERE, number, probing(), START);
    }
    assertThat(changes).isEmpty();
  }

  @Test
  void members_start_one_after_the_other_and_others_do_not_wait() {
    group();
    Instant now = START.plusSeconds(1);
    // The delay that was refused, and the second that each refusal adds while they last.
    Instant next = START.plus(Duration.ofMillis(1_067));
    assertThat(budgets.ask(HERE, domain(0), now)).contains(next);
    assertThat(budgets.ask(HERE, domain(1), now)).contains(next.plus(Duration.ofMillis(1_067)));
    assertThat(budgets.ask(HERE, domain(9), now)).isEmpty();
    assertThat(budgets.ask("192.0.2.2", domain(0), now)).isEmpty();
    assertThat(budgets.ask(HERE, domain(0), next)).isEmpty();
    // The start is taken until it has happened.
    assertThat(budgets.ask(HERE, domain(1), next)).contains(next.plus(Duration.ofMillis(1_067)));
    assertThat(budgets.started(HERE, domain(0), next).inTime()).isTrue();
    budgets.left(HERE, domain(0), next.plusMillis(5));
    assertThat(budgets.ask(HERE, domain(1), next.plusMillis(5)))
        .contains(next.plusMillis(5).plus(Duration.ofMillis(1_067)));
  }

  @Test
  void a_start_that_another_overtook_is_too_late() {
    group();
    Instant next = START.plus(Duration.ofMillis(1_067));
    assertThat(budgets.started(HERE, domain(0), next).inTime()).isTrue();
    assertThat(budgets.started(HERE, domain(1), next.plusMillis(1_066)).inTime()).isFalse();
    assertThat(budgets.started(HERE, domain(1), next.plusMillis(1_067)).inTime()).isTrue();
  }

  @Test
  void a_member_that_does_not_come_is_passed_over_after_a_second() {
    group();
    Instant next = START.plus(Duration.ofMillis(1_067));
    budgets.ask(HERE, domain(0), START);
    budgets.ask(HERE, domain(1), START);
    assertThat(budgets.ask(HERE, domain(1), next.plusMillis(1_000))).isPresent();
    assertThat(budgets.ask(HERE, domain(1), next.plusMillis(1_001))).isEmpty();
  }

  @Test
  void what_a_member_had_learned_is_what_it_was_once_it_is_served() {
    group();
    Instant now = START.plusSeconds(2);
    budgets.started(HERE, domain(0), now);
    LearnedDelay taught = refusedAt(LearnedDelay.NOTHING, START);
    LearnedDelay calm =
        new DelayLearning(LearningSettings.DEFAULTS).served(taught, attempt(now), DELAY);
    LearnedDelay kept =
        budgets.answered(
            HERE, domain(0), attempt(now), Optional.empty(), SERVED, taught, calm, now);
    assertThat(kept.learned()).isZero();
    assertThat(kept.refused()).isEmpty();
    assertThat(kept.lastRefusal()).isEqualTo(START);
    assertThat(budgets.sharing(HERE, domain(0), now).orElseThrow().domains()).isEqualTo(3);
  }

  @Test
  void a_group_that_is_refused_everything_for_ten_minutes_ends_and_none_follows_for_ten() {
    group();
    Instant later = START.plus(Duration.ofMinutes(10)).plusSeconds(1);
    refuse(1, later);
    assertThat(changes).hasSize(2);
    assertThat(changes.get(1).endedFor()).isPresent();
    Instant paused = later.plus(Duration.ofMinutes(9));
    for (int number = 0; number < 3; number++) {
      refuse(number, paused);
    }
    assertThat(changes).hasSize(2);
    for (int number = 0; number < 3; number++) {
      refuse(number, later.plus(Duration.ofMinutes(10)));
    }
    assertThat(changes).hasSize(3);
  }

  @Test
  void a_group_that_ended_wrongly_forms_again_though_its_members_try_shorter_delays() {
    Instant later = endedAt();
    Instant again = later.plus(Duration.ofMinutes(10));
    for (int number = 0; number < 3; number++) {
      refuse(HERE, number, probing(), again);
    }
    assertThat(changes).hasSize(3);
  }

  @Test
  void members_that_try_shorter_delays_form_a_group_again_only_if_all_are_refused() {
    Instant again = endedAt().plus(Duration.ofMinutes(10));
    budgets.started(HERE, domain(9), again);
    for (int number = 0; number < 3; number++) {
      refuse(HERE, number, probing(), again);
    }
    assertThat(changes).hasSize(2);
    refuse(HERE, 9, probing(), again);
    assertThat(changes).hasSize(3);
  }

  @Test
  void each_wrong_guess_doubles_the_pause_before_the_next() {
    Instant later = endedAt();
    refuseAll(later.plus(Duration.ofMinutes(10)));
    assertThat(changes).hasSize(3);
    Instant second = later.plus(Duration.ofMinutes(20)).plusSeconds(1);
    refuse(1, second);
    assertThat(changes).hasSize(4);
    refuseAll(second.plus(Duration.ofMinutes(20)).minusMillis(1));
    assertThat(changes).hasSize(4);
    refuseAll(second.plus(Duration.ofMinutes(20)));
    assertThat(changes).hasSize(5);
  }

  @Test
  void refusals_that_are_known_to_be_noise_make_no_group() {
    LearningDraft draft = new LearningDraft(LearnedDelay.NOTHING);
    draft.noise = Noise.found(0.01);
    for (int number = 0; number < 4; number++) {
      refuse(HERE, number, draft.done(), START);
    }
    assertThat(changes).isEmpty();
  }

  @Test
  void where_no_site_has_refused_an_answer_leaves_what_was_learned_alone() {
    LearnedDelay own = refusedAt(LearnedDelay.NOTHING, START);
    assertThat(
            budgets.answered(
                HERE, domain(0), attempt(START), Optional.empty(), SERVED, own, own, START))
        .isSameAs(own);
    refuse(0, START);
    assertThat(
            budgets.answered(
                HERE, domain(0), attempt(START), Optional.empty(), SERVED, own, own, START))
        .isSameAs(own);
  }

  @Test
  void domains_of_another_address_are_not_counted_among_those_asked() {
    for (int other = 10; other < 20; other++) {
      budgets.started("192.0.2.2", domain(other), START);
    }
    group();
    assertThat(changes.getFirst().delay()).isEqualTo(Duration.ofMillis(67));
  }

  @Test
  void a_start_that_is_too_late_is_not_counted_among_those_asked() {
    group();
    assertThat(budgets.started(HERE, domain(0), START))
        .isEqualTo(new SharedBudgets.Start(false, Optional.empty()));
    assertThat(budgets.started(HERE, domain(9), START))
        .isEqualTo(new SharedBudgets.Start(true, Optional.empty()));
  }

  @Test
  void a_group_begins_with_refusals_of_its_own() {
    Instant later = endedAt();
    // The refusals that made the first group do not make a second one.
    refuse(5, later.plus(Duration.ofMinutes(10)));
    refuse(6, later.plus(Duration.ofMinutes(10)));
    assertThat(changes).hasSize(2);
  }

  @Test
  void a_late_refusal_does_not_count() {
    refuse(0, START);
    refuse(1, START);
    LearnedDelay known = refusedAt(LearnedDelay.NOTHING, START);
    budgets.answered(
        HERE, domain(2), attempt(START), Optional.empty(), REFUSED, known, known, START);
    assertThat(changes).isEmpty();
  }

  @Test
  void a_group_is_told_with_its_reason() {
    group();
    assertThat(changes.getFirst().why())
        .isEqualTo("their server refused them within a minute of each other");
    refuse(1, START.plus(Duration.ofMinutes(10)).plusSeconds(1));
    assertThat(changes.getLast().why())
        .isEqualTo("everything is refused, so each is left alone by itself");
    assertThat(changes.getLast().domains()).hasSize(3);
  }

  @Test
  void a_domain_that_is_refused_beside_the_group_joins_it_and_keeps_its_own_lesson() {
    group();
    assertThat(budgets.sharing(HERE, domain(5), START)).isEmpty();
    Duration before = budgets.sharing(HERE, domain(0), START).orElseThrow().delay();
    LearnedDelay own = refusedAt(LearnedDelay.NOTHING, START);
    LearnedDelay after =
        budgets.answered(
            HERE,
            domain(5),
            attempt(START),
            Optional.empty(),
            REFUSED,
            LearnedDelay.NOTHING,
            own,
            START);
    assertThat(after).isSameAs(own);
    assertThat(budgets.sharing(HERE, domain(5), START)).contains(new Sharing(4, before, START));
    assertThat(changes).hasSize(1);
  }

  @Test
  void a_domain_that_is_served_beside_the_group_does_not_join_it() {
    group();
    LearnedDelay own = LearnedDelay.NOTHING;
    assertThat(
            budgets.answered(
                HERE, domain(5), attempt(START), Optional.empty(), SERVED, own, own, START))
        .isSameAs(own);
    assertThat(budgets.sharing(HERE, domain(5), START)).isEmpty();
  }

  @Test
  void what_says_nothing_about_a_pace_teaches_no_group() {
    group();
    LearnedDelay own = refusedAt(LearnedDelay.NOTHING, START.minusSeconds(9));
    FetchOutcome broken = new FetchOutcome.TimedOut("read");
    assertThat(
            budgets.answered(
                HERE, domain(0), attempt(START), Optional.empty(), broken, own, own, START))
        .isSameAs(own);
  }

  @Test
  void a_member_that_is_refused_keeps_its_own_rest_until_it_is_served() {
    group();
    LearnedDelay own = refusedAt(LearnedDelay.NOTHING, START.plusSeconds(5));
    assertThat(
            budgets.answered(
                HERE,
                domain(0),
                attempt(START.plusSeconds(4)),
                Optional.empty(),
                REFUSED,
                LearnedDelay.NOTHING,
                own,
                START.plusSeconds(5)))
        .isSameAs(own);
  }

  @Test
  void the_first_in_line_is_next_and_without_a_group_there_is_none() {
    assertThat(budgets.next(HERE)).isEmpty();
    refuse(0, START);
    assertThat(budgets.next(HERE)).isEmpty();
    group();
    budgets.ask(HERE, domain(2), START);
    budgets.ask(HERE, domain(1), START);
    assertThat(budgets.next(HERE)).contains(domain(2));
    budgets.leave(HERE, domain(2));
    assertThat(budgets.next(HERE)).contains(domain(1));
  }

  @Test
  void a_group_begins_with_what_its_members_were_served_and_the_others_as_much() {
    for (int other = 10; other < 13; other++) {
      budgets.started(HERE, domain(other), START);
    }
    DelayLearning learning = new DelayLearning(LearningSettings.DEFAULTS);
    Instant first = START.minusSeconds(16);
    // The missing robots.txt is left out.
    LearnedDelay begun = learning.answered(LearnedDelay.NOTHING, attempt(first), DELAY);
    for (int page = 0; page < 8; page++) {
      begun = learning.served(begun, attempt(first.plusSeconds(2L * page)), DELAY);
    }
    assertThat(begun.evidence().served()).isEqualTo(9);
    for (int number = 0; number < 3; number++) {
      refuse(HERE, number, begun, START);
    }
    // Three of six were served 24 in 16 s, so 48 in all; the refused delay is a sixth of 200 ms.
    assertThat(changes.getFirst().delay()).isEqualTo(Duration.ofMillis(34));
    Instant served = START.plusSeconds(3);
    budgets.answered(
        HERE,
        domain(0),
        attempt(served),
        Optional.of(Duration.ofMillis(1_034)),
        SERVED,
        begun,
        begun,
        served);
    // 19 s for 48, and two parts in a hundred.
    assertThat(budgets.sharing(HERE, domain(0), served).orElseThrow().delay())
        .isEqualTo(Duration.ofMillis(404));
  }

  @Test
  void a_member_that_was_sent_no_page_does_not_say_since_when_the_group_was_served() {
    Instant first = START.minusSeconds(16);
    DelayLearning learning = new DelayLearning(LearningSettings.DEFAULTS);
    LearnedDelay begun = LearnedDelay.NOTHING;
    for (int page = 0; page < 8; page++) {
      begun = learning.served(begun, attempt(first.plusSeconds(2L * page)), DELAY);
    }
    refuse(HERE, 0, begun, START);
    refuse(HERE, 1, begun, START);
    Instant before = first.minusSeconds(100);
    refuse(HERE, 2, learning.answered(LearnedDelay.NOTHING, attempt(before), DELAY), START);
    Instant served = START.plusSeconds(3);
    budgets.answered(
        HERE,
        domain(0),
        attempt(served),
        Optional.of(Duration.ofMillis(1_067)),
        SERVED,
        begun,
        begun,
        served);
    // 19 s for 16, and two parts in a hundred.
    assertThat(budgets.sharing(HERE, domain(0), served).orElseThrow().delay())
        .isEqualTo(Duration.ofMillis(1_212));
  }

  @Test
  void an_address_that_has_not_refused_for_an_hour_is_forgotten() {
    Instant later = endedAt(); // And for ten minutes none is tried.
    String other = "192.0.2.9";
    refuse(other, 7, later.plus(Duration.ofMinutes(60)).plusSeconds(1));
    refuseAll(later.plus(Duration.ofMinutes(61)));
    assertThat(changes).hasSize(3);
    refuse(1, later.plus(Duration.ofMinutes(71)).plusSeconds(1));
    assertThat(changes).hasSize(4);
    // The first mistake is forgotten, so the pause is ten minutes again.
    refuseAll(later.plus(Duration.ofMinutes(81)).plusSeconds(1));
    assertThat(changes).hasSize(5);
  }

  @Test
  void whether_there_is_a_group_anywhere_is_known() {
    assertThat(budgets.isGroupAnywhere()).isFalse();
    group();
    assertThat(budgets.isGroupAnywhere()).isTrue();
    endedAt();
    assertThat(budgets.isGroupAnywhere()).isFalse();
  }

  @Test
  void a_group_that_is_not_used_for_an_hour_is_forgotten() {
    group();
    refuse("192.0.2.9", 7, START.plus(Duration.ofMinutes(60)));
    assertThat(budgets.isGroupAnywhere()).isTrue();
    refuse("192.0.2.9", 7, START.plus(Duration.ofMinutes(60)).plusMillis(1));
    assertThat(budgets.isGroupAnywhere()).isFalse();
  }

  /** A group that was wrong, and when it ended. */
  private Instant endedAt() {
    group();
    Instant later = START.plus(Duration.ofMinutes(10)).plusSeconds(1);
    refuse(1, later);
    return later;
  }

  private void refuseAll(Instant at) {
    for (int number = 0; number < 3; number++) {
      refuse(number, at);
    }
  }

  private static LearnedDelay probing() {
    LearningDraft draft = new LearningDraft(LearnedDelay.NOTHING);
    draft.begin(DELAY, new LearnedDelay.Probe(Duration.ofSeconds(1), false, false, 3, 0));
    return draft.done();
  }

  private void group() {
    refuse(0, START);
    refuse(1, START);
    refuse(2, START);
  }

  private void refuse(int number, Instant at) {
    refuse(HERE, number, at);
  }

  private void refuse(String address, int number, Instant at) {
    refuse(address, number, LearnedDelay.NOTHING, at);
  }

  private void refuse(String address, int number, LearnedDelay before, Instant at) {
    budgets.started(address, domain(number), at);
    budgets.answered(
        address,
        domain(number),
        attempt(at),
        Optional.empty(),
        REFUSED,
        before,
        refusedAt(before, at),
        at);
  }

  private static LearnedDelay refusedAt(LearnedDelay before, Instant at) {
    return new DelayLearning(LearningSettings.DEFAULTS).refused(before, attempt(at), DELAY, at);
  }

  private static Attempt attempt(Instant at) {
    return new Attempt(CrawlUrl.of("http://a.test/"), Kind.PAGE, 1, at, DELAY);
  }

  private static DomainName domain(int number) {
    return new DomainName("d" + number + ".test");
  }
}
