package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.DONE;
import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.POLICY;
import static dev.comity.testkit.contract.Moves.seed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.store.Borrowing;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.QueuedUrl;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * What operators set is obeyed: a worker sees it before its next request, and after every write.
 */
public interface OperatorContract extends StoreUnderTest {
  private TwoWorkers two(String... urls) {
    return TwoWorkers.of(this, urls);
  }

  @Test
  default void a_claim_that_is_ended_from_outside_writes_nothing_more() {
    TwoWorkers two = two("http://a.example/");
    Claim claim = two.claim();
    QueuedUrl entry = two.one().take(claim);
    two.clock().pass(TwoWorkers.SHORT);
    assertThat(two.operations().endExpiredClaims())
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
  default void every_term_is_known_after_every_call_of_the_holder() {
    List<UnaryOperator<OperatorTerms>> changes =
        List.of(
            terms -> terms.withPaused(true),
            terms -> terms.withMinimum(Optional.of(Duration.ofSeconds(7))),
            terms -> terms.withConcurrency(OptionalInt.of(1)),
            terms -> terms.withMaxPages(OptionalLong.of(3)),
            terms -> terms.withPaused(false),
            _ -> OperatorTerms.NONE);
    TwoWorkers two = two("http://a.example/0", "http://a.example/1", "http://a.example/2");
    two.one().seeded("http://a.example/3", "http://a.example/4", "http://a.example/5");
    Claim claim = two.claim();
    two.one().seeded("http://b.example/");
    Claim elsewhere = two.other().claimOne();
    for (Consumer<Claim> call : calls(two)) {
      OperatorTerms wanted = OperatorTerms.NONE;
      for (UnaryOperator<OperatorTerms> change : changes) {
        two.operations().setTerms(claim.domain(), change);
        wanted = change.apply(wanted);
        call.accept(claim);
        assertThat(two.store().terms(claim)).isEqualTo(wanted);
        assertThat(two.other().store().terms(elsewhere)).isEqualTo(OperatorTerms.NONE);
      }
    }
    // A pause keeps no worker from writing what it has heard.
    assertThat(two.reports().domain(claim.domain()).orElseThrow().pages())
        .isEqualTo(changes.size());
  }

  /** What a holder does under its claim. */
  private static List<Consumer<Claim>> calls(TwoWorkers two) {
    return List.of(
        _ -> {},
        claim -> two.one().settleNext(claim, DONE),
        claim -> two.store().record(claim, Note.of(claim.state())),
        claim -> assertThat(two.store().renew(List.of(claim), NOON).lost()).isEmpty());
  }

  @Test
  default void terms_that_were_set_before_come_with_the_claim() {
    TwoWorkers two = two("http://a.example/", "http://b.example/");
    OperatorTerms slow =
        OperatorTerms.NONE
            .withMinimum(Optional.of(Duration.ofMinutes(1)))
            .withConcurrency(OptionalInt.of(1))
            .withMaxPages(OptionalLong.of(2));
    two.operations().setTerms(DomainStatus.PENDING, _ -> slow);
    Claim claim = two.claim();
    assertThat(claim.terms()).isEqualTo(slow);
    two.one().stop(claim);
    assertThat(two.other().store().borrow(claim.domain(), NOON))
        .isInstanceOfSatisfying(
            Borrowing.Lent.class, lent -> assertThat(lent.claim().terms()).isEqualTo(slow));
  }

  @Test
  default void operators_see_the_claims_of_all_workers() {
    TwoWorkers two = two("http://a.example/", "http://b.example/");
    Claim a = two.claim();
    Claim b = two.other().claimOne();
    var claims = two.operations().claims();
    assertThat(claims)
        .extracting(live -> List.of(live.domain(), live.token(), live.since(), live.expires()))
        .containsExactlyInAnyOrder(
            List.of(a.domain(), a.token(), NOON, NOON.plus(TwoWorkers.SHORT)),
            List.of(b.domain(), b.token(), NOON, NOON.plus(TwoWorkers.SHORT)));
    assertThat(claims).extracting(live -> live.worker()).doesNotHaveDuplicates();
    assertThat(two.operations().endExpiredClaims()).isEmpty();
  }

  @Test
  default void terms_of_the_operator_are_known_at_once_without_a_write() {
    TwoWorkers two = two("http://a.example/", "http://a.example/2");
    Claim claim = two.claim();
    CrawlStore store = two.one().store();
    var operations = two.operations();
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
    TwoWorkers two = two("http://a.example/");
    Claim claim = two.claim();
    CrawlStore store = two.one().store();
    assertThat(store.terms(claim)).isEqualTo(OperatorTerms.NONE);
    var operations = two.operations();
    operations.endClaims(operations.claims().getFirst().worker());
    assertThatThrownBy(() -> store.terms(claim)).isInstanceOf(ClaimLost.class);
    assertThat(two.other().store().terms(two.other().claimOne())).isEqualTo(OperatorTerms.NONE);
  }

  @Test
  default void a_worker_s_claims_are_ended_by_its_name_and_no_others() {
    TwoWorkers two = two("http://a.example/", "http://b.example/");
    Claim a = two.claim();
    Claim b = two.other().claimOne();
    var operations = two.operations();
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
    TwoWorkers two = two("http://a.example/", "http://b.example/");
    two.one().exhaustOne();
    var operations = two.operations();
    operations.setTerms(DomainStatus.EXHAUSTED, terms -> terms.withPaused(true));
    operations.setTerms(DomainStatus.PENDING, terms -> terms.withPaused(true));
    CrawlStore store = two.one().store();
    assertThat(store.outlook(NOON)).isEqualTo(new Outlook.OnlyPaused());
    assertThat(store.end(RunEnding.PAUSED, NOON)).isFalse();
    operations.setTerms(DomainStatus.PENDING, terms -> terms.withPaused(false));
    assertThat(store.outlook(NOON)).isEqualTo(new Outlook.At(NOON));
    two.one().exhaustOne();
    assertThat(store.outlook(NOON)).isEqualTo(new Outlook.Nothing());
  }

  @Test
  default void terms_are_set_for_all_domains_with_a_status() {
    TwoWorkers two = two("http://a.example/", "http://b.example/");
    two.one().exhaustOne();
    var operations = two.operations();
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
    TwoWorkers two = two("http://a.example/", "http://a.example/2");
    Claim claim = two.claim();
    two.one().release(claim, new Ending.DomainOutOfBudget());
    assertThat(two.one().store().claim(1, NOON)).isEmpty();
    two.operations().setTerms(claim.domain(), terms -> terms.withMaxPages(OptionalLong.of(9)));
    assertThat(two.other().store().claim(1, NOON)).hasSize(1);
  }
}
