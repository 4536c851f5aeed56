package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.DONE;
import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.POLICY;
import static dev.comity.testkit.contract.Moves.TERMS;
import static dev.comity.testkit.contract.Moves.seed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Borrowing;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.Outlook;
import dev.comity.core.port.store.Portion;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Run;
import dev.comity.core.port.store.RunEnding;
import dev.comity.core.port.store.RunTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Two workers on the same data: one holds a domain at a time, and none ends what is not over. */
public interface FleetContract extends StoreUnderTest {
  /** Of the claims in these tests. */
  Duration SHORT = Duration.ofMinutes(5);

  /** Two workers of one run, by one clock. */
  record Two(Moves one, Moves other, SettableClock clock) {
    Claim claim() {
      return one.claimOne(clock.instant());
    }
  }

  private Two two(String... urls) {
    return two(TERMS, urls);
  }

  private Two two(RunTerms terms, String... urls) {
    SettableClock clock = new SettableClock(NOON);
    CrawlStore one = store(StoreShape.USUAL.withLease(SHORT), clock);
    CrawlStore other = another(one, "other");
    Run run = one.begin(terms, NOON);
    assertThat(other.begin(terms, NOON).id()).isEqualTo(run.id());
    return new Two(new Moves(one).seeded(urls), new Moves(other), clock);
  }

  private static Claim exhaust(Moves moves) {
    Claim claim = moves.claimOne();
    moves.settleNext(claim, DONE);
    moves.store().release(claim, Moves.exhausted(claim), new Ending.Exhausted(), NOON);
    return claim;
  }

  @Test
  default void what_one_worker_holds_another_does_not_get() {
    Two two = two("http://a.example/", "http://b.example/");
    Claim claim = two.claim();
    assertThat(two.other().store().claim(9, NOON))
        .extracting(Claim::domain)
        .hasSize(1)
        .doesNotContain(claim.domain());
  }

  @Test
  default void what_one_worker_gave_back_another_gets_and_waits_a_full_delay() {
    Two two = two("http://a.example/", "http://a.example/2");
    Claim claim = two.claim();
    DomainState started = POLICY.startFailed(POLICY.claimed(claim.state(), NOON), NOON);
    two.one().store().release(claim, started, new Ending.Stopped(), NOON);
    Claim again = two.one().claimOne();
    assertThat(again.takenOver()).isFalse();
    two.one().store().release(again, started, new Ending.Stopped(), NOON);
    Claim other = two.other().claimOne();
    assertThat(other.takenOver()).isTrue();
    assertThat(other.token()).isGreaterThan(claim.token());
    assertThat(other.state()).isEqualTo(started);
  }

  @Test
  default void links_that_one_worker_finds_another_worker_s_domain_has() {
    Two two = two("http://a.example/", "http://b.example/");
    Claim a = two.claim();
    Claim b = two.other().claimOne();
    QueuedUrl page = two.one().take(a);
    two.other().settleNext(b, DONE);
    QueuedUrl link =
        page.link(
            b.domain().equals(seed("http://b.example/").url().domain())
                ? seed("http://b.example/2").url()
                : seed("http://a.example/2").url());
    two.one().store().settle(a, Moves.asked(page, DONE, a.state(), link));
    assertThat(two.other().take(b)).isEqualTo(link);
    two.one().store().release(a, Moves.exhausted(a), new Ending.Exhausted(), NOON);
    two.other().stop(b);
    assertThat(two.one().drain(two.one().claimOne())).containsExactly(link);
  }

  @Test
  default void a_url_that_another_worker_brings_is_next_after_the_holder_s_next_write() {
    Two two = two("http://a.example/", "http://a.example/1");
    Claim claim = two.claim();
    QueuedUrl first = two.one().take(claim);
    two.one().take(claim);
    assertThat(two.one().next(claim)).isEqualTo(new Next.Empty());
    two.other().seeded("http://a.example/given");
    two.one().store().settle(claim, Moves.asked(first, DONE, claim.state()));
    assertThat(two.one().take(claim).url()).isEqualTo(seed("http://a.example/given").url());
  }

  @Test
  default void both_workers_pages_count_for_the_run() {
    Two two = two("http://a.example/", "http://b.example/");
    two.one().settleNext(two.claim(), DONE);
    two.other().settleNext(two.other().claimOne(), DONE);
    assertThat(two.one().store().begin(TERMS, NOON).pages()).isEqualTo(2);
    assertThat(two.other().store().begin(TERMS, NOON).pages()).isEqualTo(2);
  }

  @Test
  default void a_run_is_not_over_while_a_worker_holds_a_domain() {
    Two two = two("http://a.example/");
    Claim claim = two.claim();
    assertThat(two.other().store().outlook(NOON))
        .isEqualTo(new Outlook.Others(1, Optional.empty()));
    for (RunEnding ending : RunEnding.values()) {
      assertThat(two.other().store().end(ending, NOON)).as(ending.name()).isFalse();
    }
    two.one().settleNext(claim, DONE);
    two.one().store().release(claim, Moves.exhausted(claim), new Ending.Exhausted(), NOON);
    assertThat(two.other().store().outlook(NOON)).isEqualTo(new Outlook.Nothing());
    assertThat(two.other().store().end(RunEnding.FINISHED, NOON)).isTrue();
    assertThat(two.one().store().end(RunEnding.FINISHED, NOON)).isTrue();
  }

  @Test
  default void a_run_is_not_over_while_a_domain_can_be_claimed() {
    Two two = two("http://a.example/", "http://b.example/");
    Instant rested = NOON.plusSeconds(60);
    two.one().release(two.claim(), new Ending.RestUntil(rested, "asked to"));
    exhaust(two.other());
    assertThat(two.one().store().outlook(NOON)).isEqualTo(new Outlook.At(rested));
    assertThat(two.one().store().end(RunEnding.FINISHED, NOON)).isFalse();
    two.clock().set(rested);
    assertThat(two.one().store().outlook(rested)).isEqualTo(new Outlook.At(rested));
    assertThat(two.one().store().end(RunEnding.FINISHED, rested)).isFalse();
    assertThat(two.one().store().begin(TERMS, rested).continued()).isTrue();
  }

  @Test
  default void a_claim_that_was_left_to_itself_keeps_a_run_open_until_its_lease_ends() {
    Two two = two("http://a.example/");
    two.claim();
    // Its worker never heard of it, and asks itself.
    assertThat(two.one().store().outlook(NOON)).isInstanceOf(Outlook.Others.class);
    assertThat(two.one().store().end(RunEnding.FINISHED, NOON)).isFalse();
    two.clock().pass(SHORT);
    assertThat(two.other().store().outlook(NOON)).isEqualTo(new Outlook.At(NOON));
    assertThat(two.other().claimOne().takenOver()).isTrue();
  }

  @Test
  default void a_lease_goes_by_the_store_s_clock_whatever_the_workers_clocks_say() {
    Two two = two("http://a.example/");
    Claim claim = two.one().claimOne(NOON.minusSeconds(600));
    assertThat(claim.until()).isBefore(NOON.minusSeconds(600).plus(SHORT));
    Instant fast = NOON.plus(Duration.ofDays(1));
    assertThat(two.other().store().claim(1, fast)).isEmpty();
    assertThat(two.one().store().renew(List.of(claim), fast).lost()).isEmpty();
    two.clock().pass(SHORT);
    assertThat(two.one().store().renew(List.of(claim), NOON).lost()).hasSize(1);
    assertThat(two.other().store().claim(1, NOON)).hasSize(1);
    assertThat(two.one().store().now()).isEqualTo(NOON.plus(SHORT));
  }

  @Test
  default void a_domain_that_another_worker_holds_is_neither_lent_nor_closed() {
    Two two = two("http://a.example/");
    Claim claim = two.claim();
    assertThat(two.other().store().borrow(claim.domain(), NOON))
        .isEqualTo(new Borrowing.HeldElsewhere());
    two.one().stop(claim);
    assertThat(two.other().store().borrow(claim.domain(), NOON)).isInstanceOf(Borrowing.Lent.class);
  }

  @Test
  default void what_another_worker_held_since_is_not_taken_back() {
    Two two = two("http://a.example/");
    Claim first = two.claim();
    DomainState failed = Moves.failing(POLICY.claimed(first.state(), NOON), 2, NOON);
    two.one().store().release(first, failed, new Ending.Stopped(), NOON);
    Claim second = two.other().claimOne();
    DomainState later = POLICY.startFailed(failed, NOON.plusSeconds(9));
    two.other().store().release(second, later, new Ending.Stopped(), NOON);
    two.one()
        .store()
        .takeBack(first.domain(), first.token(), state -> POLICY.takenBack(state, NOON));
    assertThat(two.one().store().state(first.domain())).contains(later);
    two.other()
        .store()
        .takeBack(second.domain(), second.token(), state -> POLICY.takenBack(state, NOON));
    assertThat(two.one().store().state(first.domain())).contains(POLICY.takenBack(later, NOON));
  }

  @Test
  default void two_workers_draw_one_budget_and_no_page_more() {
    Two two = two(terms(10), "http://a.example/", "http://b.example/");
    two.claim();
    two.other().claimOne();
    assertThat(two.one().store().draw(6)).isEqualTo(new Portion(6, false));
    assertThat(two.other().store().draw(500)).isEqualTo(new Portion(4, false));
    assertThat(two.one().store().draw(1)).isEqualTo(new Portion(0, false));
    assertThat(two.one().store().draw(-2)).isEqualTo(new Portion(-2, false));
    assertThat(two.other().store().draw(500).granted()).isEqualTo(2);
  }

  @Test
  default void a_budget_is_spent_when_every_page_of_it_is_settled() {
    Two two = two(terms(1), "http://a.example/", "http://b.example/");
    Claim claim = two.claim();
    assertThat(two.one().store().draw(500)).isEqualTo(new Portion(1, false));
    two.one().settleNext(claim, DONE);
    two.one().stop(claim);
    assertThat(two.one().store().draw(500)).isEqualTo(new Portion(0, true));
    assertThat(two.other().store().draw(500)).isEqualTo(new Portion(0, true));
  }

  private static RunTerms terms(long pages) {
    return new RunTerms(List.of(), new TreeMap<>(), pages, 1000);
  }

  @Test
  default void a_claim_that_is_ended_from_outside_writes_nothing_more() {
    Two two = two("http://a.example/");
    Claim claim = two.claim();
    QueuedUrl entry = two.one().take(claim);
    two.clock().pass(SHORT);
    assertThat(operations(two.one().store()).endExpiredClaims())
        .extracting(ended -> ended.domain())
        .containsExactly(claim.domain());
    Optional<DomainState> before = two.one().store().state(claim.domain());
    DomainState changed = POLICY.startFailed(claim.state(), NOON.plusSeconds(7));
    CrawlStore store = two.one().store();
    assertThatThrownBy(
            () -> store.settle(claim, Moves.asked(entry, DONE, changed, seed("http://c.example/"))))
        .isInstanceOf(ClaimLost.class);
    assertThatThrownBy(() -> store.record(claim, Note.of(changed))).isInstanceOf(ClaimLost.class);
    assertThatThrownBy(() -> store.release(claim, changed, new Ending.Stopped(), NOON))
        .isInstanceOf(ClaimLost.class);
    assertThat(store.state(claim.domain())).isEqualTo(before);
    assertThat(store.state(seed("http://c.example/").url().domain())).isEmpty();
    assertThat(two.other().claimOne().takenOver()).isTrue();
  }

  @Test
  default void operators_see_the_claims_of_all_workers() {
    Two two = two("http://a.example/", "http://b.example/");
    Claim a = two.claim();
    Claim b = two.other().claimOne();
    var claims = operations(two.one().store()).claims();
    assertThat(claims)
        .extracting(live -> List.of(live.domain(), live.token(), live.since(), live.expires()))
        .containsExactlyInAnyOrder(
            List.of(a.domain(), a.token(), NOON, NOON.plus(SHORT)),
            List.of(b.domain(), b.token(), NOON, NOON.plus(SHORT)));
    assertThat(claims).extracting(live -> live.worker()).doesNotHaveDuplicates();
    assertThat(operations(two.one().store()).endExpiredClaims()).isEmpty();
  }

  @Test
  default void terms_of_the_operator_are_known_at_once_without_a_write() {
    Two two = two("http://a.example/", "http://a.example/2");
    Claim claim = two.claim();
    CrawlStore store = two.one().store();
    var operations = operations(store);
    assertThat(store.terms(claim)).isEqualTo(OperatorTerms.NONE);
    operations.setTerms(
        claim.domain(), terms -> terms.withMinimum(Optional.of(Duration.ofMillis(2_500))));
    var slower = operations.terms(claim.domain()).orElseThrow();
    assertThat(slower.minimum()).contains(Duration.ofMillis(2_500));
    assertThat(store.terms(claim)).isEqualTo(slower);
    operations.setTerms(claim.domain(), terms -> terms.withMaxPages(OptionalLong.of(7)));
    var both = slower.withMaxPages(OptionalLong.of(7));
    assertThat(store.terms(claim)).isEqualTo(both);
    operations.setTerms(claim.domain(), terms -> terms.withPaused(true));
    assertThat(store.terms(claim)).isEqualTo(both.withPaused(true));
    two.one().settleNext(claim, DONE);
    assertThat(store.terms(claim)).isEqualTo(both.withPaused(true));
    two.one().stop(claim);
    assertThat(store.claim(1, NOON)).isEmpty();
    assertThat(store.borrow(claim.domain(), NOON)).isEqualTo(new Borrowing.Closed());
    assertThat(store.outlook(NOON)).isEqualTo(new Outlook.OnlyPaused());
    assertThat(store.end(RunEnding.FINISHED, NOON)).isFalse();
    operations.setTerms(claim.domain(), terms -> terms.withPaused(false));
    Claim again = two.one().claimOne();
    assertThat(again.terms()).isEqualTo(both);
    assertThat(store.terms(again)).isEqualTo(both);
    assertThatThrownBy(() -> store.terms(claim)).isInstanceOf(ClaimLost.class);
  }

  @Test
  default void a_claim_that_was_ended_by_an_operator_has_no_terms_from_then_on() {
    Two two = two("http://a.example/");
    Claim claim = two.claim();
    CrawlStore store = two.one().store();
    assertThat(store.terms(claim)).isEqualTo(OperatorTerms.NONE);
    var operations = operations(store);
    operations.endClaims(operations.claims().getFirst().worker());
    assertThatThrownBy(() -> store.terms(claim)).isInstanceOf(ClaimLost.class);
    assertThat(two.other().store().terms(two.other().claimOne())).isEqualTo(OperatorTerms.NONE);
  }

  @Test
  default void a_worker_s_claims_are_ended_by_its_name_and_no_others() {
    Two two = two("http://a.example/", "http://b.example/");
    Claim a = two.claim();
    Claim b = two.other().claimOne();
    var operations = operations(two.one().store());
    String worker =
        operations.claims().stream()
            .filter(live -> live.domain().equals(a.domain()))
            .findFirst()
            .orElseThrow()
            .worker();
    assertThat(operations.endClaims("no such worker")).isEmpty();
    assertThat(operations.endClaims(worker))
        .extracting(live -> live.domain())
        .containsExactly(a.domain());
    assertThat(operations.claims()).extracting(live -> live.domain()).containsExactly(b.domain());
    CrawlStore store = two.one().store();
    assertThatThrownBy(() -> store.record(a, Note.of(a.state()))).isInstanceOf(ClaimLost.class);
    assertThat(two.other().claimOne().takenOver()).isTrue();
  }

  @Test
  default void a_run_is_open_while_only_paused_domains_are_left() {
    Two two = two("http://a.example/", "http://b.example/");
    exhaust(two.one());
    var operations = operations(two.one().store());
    operations.setTerms(DomainStatus.EXHAUSTED, terms -> terms.withPaused(true));
    operations.setTerms(DomainStatus.PENDING, terms -> terms.withPaused(true));
    CrawlStore store = two.one().store();
    assertThat(store.outlook(NOON)).isEqualTo(new Outlook.OnlyPaused());
    assertThat(store.end(RunEnding.PAUSED, NOON)).isFalse();
    operations.setTerms(DomainStatus.PENDING, terms -> terms.withPaused(false));
    assertThat(store.outlook(NOON)).isEqualTo(new Outlook.At(NOON));
    exhaust(two.one());
    assertThat(store.outlook(NOON)).isEqualTo(new Outlook.Nothing());
  }

  @Test
  default void terms_are_set_for_all_domains_with_a_status() {
    Two two = two("http://a.example/", "http://b.example/");
    exhaust(two.one());
    var operations = operations(two.one().store());
    var changed = operations.setTerms(DomainStatus.PENDING, terms -> terms.withPaused(true));
    assertThat(changed).hasSize(1);
    assertThat(changed.getFirst().before().paused()).isFalse();
    assertThat(changed.getFirst().after().paused()).isTrue();
    assertThat(two.one().store().claim(2, NOON)).isEmpty();
    assertThat(operations.terms(seed("http://c.example/").url().domain())).isEmpty();
    assertThat(
            operations.setTerms(
                seed("http://c.example/").url().domain(), terms -> terms.withPaused(true)))
        .isEmpty();
  }

  @Test
  default void with_more_pages_a_domain_that_had_spent_its_share_goes_on() {
    Two two = two("http://a.example/", "http://a.example/2");
    Claim claim = two.claim();
    two.one().release(claim, new Ending.DomainOutOfBudget());
    assertThat(two.one().store().claim(1, NOON)).isEmpty();
    operations(two.one().store())
        .setTerms(claim.domain(), terms -> terms.withMaxPages(OptionalLong.of(9)));
    assertThat(two.other().store().claim(1, NOON)).hasSize(1);
  }
}
