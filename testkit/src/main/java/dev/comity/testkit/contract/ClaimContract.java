package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.DONE;
import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.POLICY;
import static dev.comity.testkit.contract.Moves.asked;
import static dev.comity.testkit.contract.Moves.seed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.store.Borrowing.Closed;
import dev.comity.core.port.store.Borrowing.HeldElsewhere;
import dev.comity.core.port.store.Borrowing.Lent;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A domain has one holder at a time, for a time, and only that one writes. */
public interface ClaimContract extends StoreUnderTest {
  /** Of the claims in these tests. */
  Duration LEASE = Duration.ofMinutes(5);

  private Moves moves(String... urls) {
    return Moves.on(store(StoreShape.USUAL.withLease(LEASE))).seeded(urls);
  }

  @Test
  default void a_domain_is_claimed_by_one_worker_at_a_time() {
    Moves moves = moves("http://a.example/", "http://b.example/", "http://a.example/2");
    assertThat(moves.store().claim(10, NOON))
        .extracting(claim -> claim.domain().name())
        .containsExactlyInAnyOrder("a.example", "b.example");
    assertThat(moves.store().claim(10, NOON)).isEmpty();
  }

  @Test
  default void no_more_domains_are_claimed_than_asked_for() {
    Moves moves = moves("http://a.example/", "http://b.example/", "http://c.example/");
    assertThat(moves.store().claim(2, NOON)).hasSize(2);
    assertThat(moves.store().claim(2, NOON)).hasSize(1);
    assertThat(moves.store().claim(0, NOON.plus(LEASE))).isEmpty();
  }

  @Test
  default void many_claimers_at_once_get_no_domain_twice_and_leave_none() throws Exception {
    String[] urls =
        IntStream.range(0, 500).mapToObj(n -> "http://d" + n + ".example/").toArray(String[]::new);
    CrawlStore store = moves(urls).store();
    Callable<List<Claim>> claimer =
        () -> {
          List<Claim> mine = new ArrayList<>();
          for (var some = store.claim(10, NOON); !some.isEmpty(); some = store.claim(10, NOON)) {
            mine.addAll(some);
          }
          return mine;
        };
    List<DomainName> claimed = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<List<Claim>> claims :
          threads.invokeAll(Stream.generate(() -> claimer).limit(32).toList())) {
        claims.get().forEach(claim -> claimed.add(claim.domain()));
      }
    }
    assertThat(claimed).hasSize(500).doesNotHaveDuplicates();
  }

  @Test
  default void tokens_grow_with_every_claim() {
    Moves moves = moves("http://a.example/");
    Claim first = moves.claimOne();
    moves.stop(first);
    Claim second = moves.claimOne();
    Claim third = moves.claimAfter(LEASE).getFirst();
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(third.token()).isGreaterThan(second.token());
  }

  @Test
  default void a_holder_is_told_to_stop_a_while_before_its_lease_ends() {
    Claim claim = moves("http://a.example/").claimOne();
    assertThat(claim.until()).isAfter(NOON).isBefore(NOON.plus(LEASE));
  }

  @Test
  default void a_claim_holds_until_its_lease_ends_and_passes_on_then() {
    Moves moves = moves("http://a.example/");
    Claim first = moves.claimOne();
    assertThat(moves.store().claim(1, NOON.plus(LEASE).minusMillis(1))).isEmpty();
    Claim second = moves.claimOne(NOON.plus(LEASE));
    assertThat(first.takenOver()).isFalse();
    assertThat(second.takenOver()).isTrue();
    assertThat(second.until()).isAfter(NOON.plus(LEASE));
  }

  @Test
  default void what_was_given_back_properly_is_not_taken_over() {
    Moves moves = moves("http://a.example/");
    moves.claimOne();
    moves.stop(moves.claimAfter(LEASE).getFirst());
    assertThat(moves.claimAfter(LEASE).getFirst().takenOver()).isFalse();
  }

  @Test
  default void a_claim_that_is_taken_over_has_the_state_that_was_last_written() {
    Moves moves = moves("http://a.example/");
    DomainState started = POLICY.startFailed(POLICY.claimed(DomainState.FRESH, NOON), NOON);
    moves.store().record(moves.claimOne(), Note.of(started));
    assertThat(moves.claimAfter(LEASE).getFirst().state()).isEqualTo(started);
  }

  @Test
  default void what_was_in_flight_returns_when_the_claim_passes_on() {
    Moves moves = moves("http://a.example/", "http://a.example/2");
    QueuedUrl taken = moves.take(moves.claimOne());
    assertThat(moves.take(moves.claimAfter(LEASE).getFirst())).isEqualTo(taken);
  }

  @Test
  default void who_let_the_claim_pass_on_does_nothing_more() {
    Moves moves = moves("http://a.example/");
    Claim first = moves.claimOne();
    QueuedUrl entry = moves.take(first);
    doesNothingMore(moves, first, moves.claimAfter(LEASE).getFirst(), entry);
  }

  @Test
  default void who_gave_the_claim_back_does_nothing_more() {
    Moves moves = moves("http://a.example/");
    Claim first = moves.claimOne();
    QueuedUrl entry = moves.take(first);
    moves.stop(first);
    doesNothingMore(moves, first, moves.claimOne(), entry);
  }

  private static void doesNothingMore(Moves moves, Claim old, Claim present, QueuedUrl entry) {
    CrawlStore store = moves.store();
    var before = store.state(old.domain());
    DomainState changed = POLICY.startFailed(old.state(), NOON.plusSeconds(7));
    assertThatThrownBy(
            () -> store.settle(old, asked(entry, DONE, changed, seed("http://b.example/"))))
        .isInstanceOf(ClaimLost.class);
    assertThatThrownBy(() -> store.record(old, Note.of(changed))).isInstanceOf(ClaimLost.class);
    assertThatThrownBy(() -> store.release(old, changed, new Ending.Exhausted(), NOON))
        .isInstanceOf(ClaimLost.class);
    assertThatThrownBy(() -> store.frontier().next(old, NOON)).isInstanceOf(ClaimLost.class);
    assertThat(store.renew(List.of(old), NOON).lost()).containsExactly(old.domain());

    assertThat(store.state(old.domain())).isEqualTo(before);
    assertThat(store.lastStart(old.domain())).isEmpty();
    assertThat(store.claim(10, NOON)).isEmpty();
    assertThat(moves.take(present)).isEqualTo(entry);
  }

  @Test
  default void who_gave_the_claim_back_and_nobody_took_it_does_nothing_more() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    moves.stop(claim);
    assertThatThrownBy(() -> moves.stop(claim)).isInstanceOf(ClaimLost.class);
    assertThatThrownBy(() -> moves.next(claim)).isInstanceOf(ClaimLost.class);
    assertThat(moves.store().renew(List.of(claim), NOON).lost()).containsExactly(claim.domain());
  }

  @Test
  default void a_renewed_claim_lasts_longer_under_the_same_token() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    Instant later = NOON.plus(LEASE.dividedBy(3));
    Renewal renewal = moves.store().renew(List.of(claim), later);
    assertThat(renewal.lost()).isEmpty();
    assertThat(renewal.until()).isEqualTo(claim.until().plus(LEASE.dividedBy(3)));
    assertThat(moves.store().claim(1, later.plus(LEASE).minusMillis(1))).isEmpty();
    moves.settleNext(claim, DONE);
    assertThat(moves.next(claim)).isEqualTo(new Next.Empty());
  }

  @Test
  default void a_renewed_claim_ends_a_lease_after_its_renewal() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    Instant later = NOON.plus(LEASE.dividedBy(3));
    moves.store().renew(List.of(claim), later);
    assertThat(moves.claimOne(later.plus(LEASE)).takenOver()).isTrue();
  }

  @Test
  default void only_what_was_lost_is_not_renewed() {
    Moves moves = moves("http://a.example/", "http://b.example/", "http://c.example/");
    List<Claim> claims = moves.store().claim(3, NOON);
    moves.stop(claims.get(1));
    Instant later = NOON.plusSeconds(60);
    assertThat(moves.store().renew(claims, later).lost()).containsExactly(claims.get(1).domain());
    assertThat(moves.claimAfter(LEASE))
        .extracting(Claim::domain)
        .containsExactly(claims.get(1).domain());
  }

  @Test
  default void nothing_to_renew_is_nothing_lost() {
    assertThat(moves().store().renew(List.of(), NOON).lost()).isEmpty();
  }

  @Test
  default void a_borrowed_domain_is_held_like_any_other() {
    Moves moves = moves("http://a.example/");
    Claim claim = borrowed(moves, "a.example");
    assertThat(moves.store().claim(1, NOON)).isEmpty();
    assertThat(moves.store().borrow(claim.domain(), NOON)).isEqualTo(new HeldElsewhere());
    DomainState started = POLICY.startFailed(POLICY.claimed(claim.state(), NOON), NOON);
    moves.store().record(claim, Note.of(started));
    Claim after = moves.claimAfter(LEASE).getFirst();
    assertThat(after.token()).isGreaterThan(claim.token());
    assertThat(after.takenOver()).isTrue();
    assertThat(after.state()).isEqualTo(started);
  }

  private static Claim borrowed(Moves moves, String domain) {
    return moves.store().borrow(new DomainName(domain), NOON) instanceof Lent(var claim)
        ? claim
        : fail("not lent");
  }

  private static void giveBack(Moves moves, Claim claim, DomainState state) {
    moves.store().release(claim, state, new Ending.Borrowed(), NOON);
  }

  @Test
  default void a_domain_nobody_knows_can_be_borrowed_and_has_nothing_to_do_afterwards() {
    Moves moves = moves();
    Claim claim = borrowed(moves, "b.example");
    assertThat(claim.state()).isEqualTo(DomainState.FRESH);
    assertThat(moves.next(claim)).isEqualTo(new Next.Empty());
    DomainState idle =
        POLICY.idle(POLICY.startFailed(POLICY.claimed(claim.state(), NOON), NOON.plusSeconds(1)));
    giveBack(moves, claim, idle);
    assertThat(moves.store().claim(1, NOON.plus(Duration.ofDays(1)))).isEmpty();
    assertThat(moves.store().outlook(NOON)).isEqualTo(new Outlook.Nothing());
    Claim again = borrowed(moves, "b.example");
    assertThat(again.state()).isEqualTo(idle);
    assertThat(again.takenOver()).isFalse();
  }

  @Test
  default void work_that_arrives_for_a_borrowed_domain_is_found_afterwards() {
    Moves moves = moves();
    Claim claim = borrowed(moves, "b.example");
    moves.seeded("http://b.example/");
    giveBack(moves, claim, POLICY.idle(POLICY.claimed(claim.state(), NOON)));
    assertThat(moves.take(moves.claimOne())).isEqualTo(seed("http://b.example/"));
  }

  @Test
  default void what_the_run_has_had_its_share_of_can_be_borrowed_and_is_no_more_afterwards() {
    Moves moves = moves("http://a.example/");
    moves.release(moves.claimOne(), new Ending.DomainOutOfBudget());
    Claim claim = borrowed(moves, "a.example");
    giveBack(moves, claim, POLICY.claimed(claim.state(), NOON));
    assertThat(moves.store().claim(1, NOON)).isEmpty();
  }

  @Test
  default void work_left_in_a_borrowed_domain_is_claimed_as_before() {
    Moves moves = moves("http://a.example/");
    Claim claim = borrowed(moves, "a.example");
    QueuedUrl taken = moves.take(claim);
    giveBack(moves, claim, POLICY.claimed(claim.state(), NOON));
    assertThat(moves.take(moves.claimOne())).isEqualTo(taken);
  }

  @Test
  default void a_closed_domain_is_not_lent_until_its_cooldown_is_over() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    DomainState closed = POLICY.denied(POLICY.claimed(claim.state(), NOON), NOON);
    moves.store().release(claim, closed, new Ending.Closed(closed.standing()), NOON);
    assertThat(moves.store().borrow(claim.domain(), NOON)).isEqualTo(new Closed());
    Instant over = closed.standing().until().orElseThrow();
    assertThat(moves.store().borrow(claim.domain(), over)).isInstanceOf(Lent.class);
  }

  @Test
  default void no_more_sub_domains_are_lent_than_links_may_open() {
    Moves moves = Moves.on(store(StoreShape.USUAL));
    moves.seeded("http://site.example/");
    moves.linkedSubdomains("site.example", StoreLimits.MOST_SUBDOMAINS - 1);
    assertThat(moves.store().borrow(new DomainName("a.site.example"), NOON))
        .isInstanceOf(Lent.class);
    assertThat(moves.store().borrow(new DomainName("b.site.example"), NOON))
        .isEqualTo(new Closed());
    assertThat(moves.store().state(new DomainName("b.site.example"))).isEmpty();
  }
}
