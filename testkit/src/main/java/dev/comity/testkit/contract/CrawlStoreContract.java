package dev.comity.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.outcome.Category;
import dev.comity.core.policy.Attempt;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.Kind;
import dev.comity.core.policy.PolicySettings;
import dev.comity.core.port.Claim;
import dev.comity.core.port.ClaimLost;
import dev.comity.core.port.CrawlStore;
import dev.comity.core.port.Ending;
import dev.comity.core.port.Frontier.Next;
import dev.comity.core.port.Note;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.port.Settlement;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every {@link CrawlStore} must do. */
public interface CrawlStoreContract {
  DomainPolicy POLICY = new DomainPolicy(PolicySettings.DEFAULTS);
  Fate DONE = new Fate.Done(Category.SUCCESS);
  Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

  /** An empty store that keeps sub-domains apart. */
  CrawlStore emptyStore();

  private CrawlStore storeSeededWith(String... urls) {
    CrawlStore store = emptyStore();
    store.add(Arrays.stream(urls).map(CrawlStoreContract::seed).toList(), NOON);
    return store;
  }

  private static QueuedUrl seed(String url) {
    return QueuedUrl.seed(CrawlUrl.of(url), Optional.empty());
  }

  /** What settles a URL that was asked. */
  private static Settlement settlement(QueuedUrl entry, Fate fate, QueuedUrl... found) {
    Attempt attempt = new Attempt(entry.url(), Kind.PAGE, 1, NOON, Duration.ofSeconds(1));
    return new Settlement(
        entry,
        Optional.of(attempt),
        Optional.empty(),
        fate,
        DomainState.FRESH,
        List.of(found),
        Optional.empty());
  }

  private static void release(CrawlStore store, Claim claim, Ending ending) {
    store.release(claim, claim.state(), ending, NOON);
  }

  private static Claim claimOne(CrawlStore store) {
    return store.claim(1, NOON).getFirst();
  }

  private static QueuedUrl take(CrawlStore store, Claim claim) {
    return store.frontier().next(claim, NOON) instanceof Next.Ready(var entry)
        ? entry
        : org.assertj.core.api.Assertions.fail("nothing is ready");
  }

  @Test
  default void a_url_enters_once() {
    CrawlStore store = emptyStore();
    assertThat(store.add(List.of(seed("http://a.example/"), seed("http://a.example/")), NOON))
        .isEqualTo(1);
    assertThat(store.add(List.of(seed("http://a.example/")), NOON)).isZero();
  }

  @Test
  default void a_finished_url_does_not_enter_again() {
    CrawlStore store = storeSeededWith("http://a.example/");
    Claim claim = claimOne(store);
    store.settle(claim, settlement(take(store, claim), DONE));
    assertThat(store.add(List.of(seed("http://a.example/")), NOON)).isZero();
    assertThat(store.frontier().next(claim, NOON)).isInstanceOf(Next.Empty.class);
  }

  @Test
  default void a_domain_is_claimed_by_one_worker_at_a_time() {
    CrawlStore store =
        storeSeededWith("http://a.example/", "http://b.example/", "http://a.example/2");
    assertThat(store.claim(10, NOON))
        .extracting(claim -> claim.domain().name())
        .containsExactly("a.example", "b.example");
    assertThat(store.claim(10, NOON)).isEmpty();
  }

  @Test
  default void no_more_domains_are_claimed_than_asked_for() {
    CrawlStore store =
        storeSeededWith("http://a.example/", "http://b.example/", "http://c.example/");
    assertThat(store.claim(2, NOON)).hasSize(2);
    assertThat(store.claim(2, NOON)).hasSize(1);
  }

  @Test
  default void a_domain_without_urls_is_not_claimed() {
    CrawlStore store = storeSeededWith("http://a.example/");
    Claim claim = claimOne(store);
    store.settle(claim, settlement(take(store, claim), DONE));
    release(store, claim, new Ending.Exhausted());
    assertThat(store.claim(1, NOON)).isEmpty();
    assertThat(store.nextClaimable(NOON)).isEmpty();
  }

  @Test
  default void tokens_grow_with_every_claim() {
    CrawlStore store = storeSeededWith("http://a.example/");
    Claim first = claimOne(store);
    release(store, first, new Ending.Stopped());
    assertThat(claimOne(store).token()).isGreaterThan(first.token());
  }

  @Test
  default void who_lost_the_claim_settles_nothing() {
    CrawlStore store = storeSeededWith("http://a.example/");
    Claim first = claimOne(store);
    QueuedUrl entry = take(store, first);
    release(store, first, new Ending.Stopped());
    Claim second = claimOne(store);

    assertThatThrownBy(
            () -> store.settle(first, settlement(entry, DONE, seed("http://b.example/"))))
        .isInstanceOf(ClaimLost.class);
    assertThatThrownBy(() -> store.record(first, Note.of(DomainState.FRESH)))
        .isInstanceOf(ClaimLost.class);
    assertThatThrownBy(() -> release(store, first, new Ending.Exhausted()))
        .isInstanceOf(ClaimLost.class);
    assertThatThrownBy(() -> store.frontier().next(first, NOON)).isInstanceOf(ClaimLost.class);

    assertThat(take(store, second)).isEqualTo(entry);
    assertThat(store.claim(10, NOON)).isEmpty();
  }

  @Test
  default void what_was_in_flight_returns_when_the_claim_is_given_back() {
    CrawlStore store = storeSeededWith("http://a.example/");
    Claim first = claimOne(store);
    QueuedUrl taken = take(store, first);
    assertThat(store.frontier().next(first, NOON)).isInstanceOf(Next.Empty.class);
    release(store, first, new Ending.Stopped());
    assertThat(take(store, claimOne(store))).isEqualTo(taken);
  }

  @Test
  default void links_enter_with_the_settlement_in_their_own_domain() {
    CrawlStore store = storeSeededWith("http://a.example/");
    Claim claim = claimOne(store);
    QueuedUrl entry = take(store, claim);
    QueuedUrl own = entry.link(CrawlUrl.of("http://a.example/1"));
    QueuedUrl foreign = entry.link(CrawlUrl.of("http://b.example/"));
    store.settle(claim, settlement(entry, DONE, own, foreign));

    assertThat(take(store, claim)).isEqualTo(own);
    Claim other = claimOne(store);
    assertThat(other.domain().name()).isEqualTo("b.example");
    assertThat(take(store, other)).isEqualTo(foreign);
  }

  @Test
  default void redirect_targets_come_first_then_the_shallow_then_the_old_and_the_tried_last() {
    CrawlStore store = storeSeededWith("http://a.example/");
    Claim claim = claimOne(store);
    QueuedUrl entry = take(store, claim);
    QueuedUrl deep =
        entry.link(CrawlUrl.of("http://a.example/x")).link(CrawlUrl.of("http://a.example/deep"));
    QueuedUrl old = entry.link(CrawlUrl.of("http://a.example/old"));
    QueuedUrl young = entry.link(CrawlUrl.of("http://a.example/young"));
    QueuedUrl hop =
        entry.link(CrawlUrl.of("http://a.example/r")).hop(CrawlUrl.of("http://a.example/hop"));
    store.settle(claim, settlement(entry, new Fate.Retry(NOON, true), deep, old, young, hop));

    assertThat(
            List.of(
                take(store, claim),
                take(store, claim),
                take(store, claim),
                take(store, claim),
                take(store, claim)))
        .containsExactly(hop, old, young, deep, entry.askedAgain(true));
  }

  @Test
  default void a_deferred_url_waits_for_its_time() {
    CrawlStore store = storeSeededWith("http://a.example/");
    Claim claim = claimOne(store);
    QueuedUrl entry = take(store, claim);
    Instant due = NOON.plusSeconds(90);
    store.settle(claim, settlement(entry, new Fate.Retry(due, false)));

    assertThat(store.frontier().next(claim, due.minusMillis(1))).isEqualTo(new Next.DueAt(due));
    release(store, claim, new Ending.Stopped());
    assertThat(store.claim(1, NOON)).isEmpty();
    assertThat(store.nextClaimable(NOON)).contains(due);

    Claim again = store.claim(1, due).getFirst();
    assertThat(store.frontier().next(again, due))
        .isEqualTo(new Next.Ready(entry.askedAgain(false)));
  }

  @Test
  default void a_url_that_was_put_off_unasked_keeps_its_place() {
    CrawlStore store = storeSeededWith("http://a.example/", "http://a.example/2");
    Claim claim = claimOne(store);
    QueuedUrl first = take(store, claim);
    store.settle(
        claim,
        new Settlement(
            first,
            Optional.empty(),
            Optional.empty(),
            new Fate.Retry(NOON, false),
            DomainState.FRESH,
            List.of(),
            Optional.empty()));
    assertThat(take(store, claim)).isEqualTo(first);
  }

  @Test
  default void a_url_that_was_given_back_is_as_if_it_had_never_been_taken() {
    CrawlStore store = storeSeededWith("http://a.example/", "http://a.example/2");
    Claim claim = claimOne(store);
    QueuedUrl first = take(store, claim);
    store.settle(claim, settlement(first, new Fate.Returned()));
    assertThat(take(store, claim)).isEqualTo(first);
  }

  @Test
  default void a_domain_closed_by_our_own_outage_can_be_opened_again() {
    CrawlStore store = storeSeededWith("http://a.example/");
    Claim claim = claimOne(store);
    DomainState closed = POLICY.blocked(claim.state());
    store.release(claim, closed, new Ending.Closed(closed.standing()), NOON);
    store.takeBack(claim.domain(), state -> POLICY.reset(state, NOON));
    assertThat(store.claim(1, NOON)).hasSize(1);
  }

  @Test
  default void a_resting_domain_is_not_claimed_before_its_time() {
    CrawlStore store = storeSeededWith("http://a.example/");
    Instant rested = NOON.plusSeconds(3600);
    release(store, claimOne(store), new Ending.RestUntil(rested, "asked to"));
    assertThat(store.claim(1, rested.minusMillis(1))).isEmpty();
    assertThat(store.nextClaimable(NOON)).contains(rested);
    assertThat(store.claim(1, rested)).hasSize(1);
  }

  @Test
  default void a_closed_domain_is_not_claimed_again_however_it_was_given_back() {
    CrawlStore store = storeSeededWith("http://a.example/");
    Claim claim = claimOne(store);
    store.release(claim, POLICY.blocked(claim.state()), new Ending.Stopped(), NOON);
    assertThat(store.claim(1, NOON.plus(Duration.ofDays(1)))).isEmpty();
    assertThat(store.nextClaimable(NOON)).isEmpty();
  }

  @Test
  default void a_domain_this_run_is_done_with_is_not_claimed_again() {
    CrawlStore store = storeSeededWith("http://a.example/", "http://b.example/");
    release(store, claimOne(store), new Ending.OutOfBudget());
    release(store, claimOne(store), new Ending.JobFailed("nothing works"));
    assertThat(store.claim(2, NOON)).isEmpty();
    assertThat(store.nextClaimable(NOON)).isEmpty();
  }

  @Test
  default void the_state_of_a_domain_outlives_its_claim() {
    CrawlStore store = storeSeededWith("http://a.example/");
    Claim claim = claimOne(store);
    DomainState started = POLICY.startFailed(DomainState.FRESH, NOON);
    store.record(claim, Note.of(started));
    assertThat(store.state(claim.domain())).contains(started);
    DomainState later = POLICY.startFailed(started, NOON.plusSeconds(1));
    store.release(claim, later, new Ending.Stopped(), NOON);
    assertThat(claimOne(store).state()).isEqualTo(later);
  }

  @Test
  default void a_failed_or_denied_url_is_finished() {
    CrawlStore store = storeSeededWith("http://a.example/", "http://a.example/2");
    Claim claim = claimOne(store);
    store.settle(claim, settlement(take(store, claim), new Fate.Failed(Category.TIMEOUT)));
    store.settle(claim, settlement(take(store, claim), new Fate.Denied()));
    assertThat(store.frontier().next(claim, NOON)).isInstanceOf(Next.Empty.class);
  }
}
