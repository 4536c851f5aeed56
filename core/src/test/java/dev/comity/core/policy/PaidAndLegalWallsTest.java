package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.BROKEN;
import static dev.comity.core.policy.support.Script.MISSING;
import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.url;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.LegallyBlocked;
import dev.comity.core.outcome.FetchOutcome.PaymentRequired;
import dev.comity.core.outcome.FetchOutcome.UsageRefused;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.policy.support.Script;
import dev.comity.core.usage.Purpose;
import dev.comity.core.usage.UsageRefusal;
import dev.comity.core.usage.UsageSignal;
import dev.comity.core.usage.Wish;
import dev.comity.core.usage.Wishes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PaidAndLegalWallsTest {
  private static final FetchOutcome PAID = new PaymentRequired(402, Optional.of("USD 0.01"));
  private static final FetchOutcome LEGAL = new LegallyBlocked(451);
  private final Script script = Script.play();

  @Test
  void five_different_urls_in_a_row_that_want_to_be_paid_for_block_the_domain_with_the_price() {
    script.times(4, PAID);
    assertThat(script.state.standing().mayBeAsked()).isTrue();
    Decision fifth = script.ask(PAID);
    Standing standing = fifth.state().standing();
    assertThat(standing.reason()).contains(CloseReason.PAYMENT_REQUIRED);
    assertThat(standing.until()).contains(script.now.plus(Duration.ofDays(30)));
    assertThat(standing.words()).contains("it wants to be paid for its pages: USD 0.01");
    assertThat(fifth.fate()).isEqualTo(new Fate.Done(Category.PAYMENT_REQUIRED));
    assertThat(fifth.changes()).contains(new Change.Closed(standing));
  }

  @Test
  void both_share_a_streak_and_the_fifth_decides() {
    script.times(2, PAID).times(3, LEGAL);
    assertThat(script.state.standing().reason()).contains(CloseReason.LEGAL);
    assertThat(script.state.standing().words())
        .contains("it may not show its pages for legal reasons");
  }

  @Test
  void one_url_asked_again_and_again_is_one() {
    for (int i = 0; i < 20; i++) {
      script.ask(url(1), Kind.PAGE, 1, PAID);
    }
    assertThat(script.state.failures().walls()).containsExactly(url(1));
  }

  @Test
  void a_page_or_a_404_ends_the_streak_and_a_failure_does_not() {
    script.times(4, PAID).ask(OK);
    assertThat(script.state.failures().walls()).isEmpty();
    script.times(4, PAID).ask(MISSING);
    assertThat(script.state.failures().walls()).isEmpty();
    script.times(4, PAID).ask(BROKEN);
    script.ask(PAID);
    assertThat(script.state.standing().reason()).contains(CloseReason.PAYMENT_REQUIRED);
  }

  @Test
  void one_is_an_answer_and_ends_the_streak_of_failures() {
    script.times(4, new Forbidden(403)).ask(PAID);
    assertThat(script.state.failures().streak()).isEmpty();
    assertThat(script.rest()).isNegative();
  }

  @Test
  void a_robots_txt_that_costs_money_closes_nothing() {
    for (int i = 0; i < 10; i++) {
      assertThat(script.ask(url(i), Kind.ROBOTS, 1, PAID).fate()).isInstanceOf(Fate.Done.class);
    }
    assertThat(script.state.failures().walls()).isEmpty();
    assertThat(script.state.standing().mayBeAsked()).isTrue();
  }

  @Test
  void what_a_header_refuses_is_denied_no_page_and_no_failure() {
    Wish wish = new Wish(UsageSignal.NO_AI, Wish.FoundIn.HEADER, "X-Robots-Tag: noai");
    UsageRefusal refusal = new UsageRefusal(Purpose.TRAIN_AI, wish);
    script.times(4, BROKEN);
    DomainState before = script.state;
    Decision refused = script.ask(new UsageRefused(200, refusal, Wishes.of(List.of(wish))));
    assertThat(refused.fate()).isEqualTo(new Fate.Denied(refusal));
    assertThat(refused.fate().isPage()).isFalse();
    assertThat(refused.fate().isUnkept()).isTrue();
    assertThat(refused.state().failures().streak()).isEmpty();
    assertThat(refused.state().learning().row()).isEqualTo(before.learning().row());
  }
}
