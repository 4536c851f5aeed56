package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.POLICY;
import static dev.comity.testkit.contract.Moves.failing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which domains can be claimed, and which of them first. */
public interface CandidateContract extends StoreUnderTest {
  private Moves moves(String... urls) {
    return Moves.on(store(StoreShape.USUAL)).seeded(urls);
  }

  /** Domains of one URL each, claimed once and given back active. */
  private static void activate(Moves moves, String name, int domains) {
    for (int number = 0; number < domains; number++) {
      moves.seeded("http://" + name + number + ".example/");
    }
    List<Claim> claims = moves.store().claim(domains, NOON);
    assertThat(claims).hasSize(domains);
    claims.forEach(claim -> moves.stopActive(claim, NOON));
  }

  private static void close(Moves moves, DomainState state) {
    Claim claim = moves.claimOne();
    moves.store().release(claim, state, new Ending.Closed(state.standing()), NOON);
  }

  @Test
  default void active_domains_come_before_pending_ones_and_these_before_recovering_ones() {
    Moves moves = moves("http://recovering.example/");
    close(moves, failing(POLICY.claimed(DomainState.FRESH, NOON), 5, NOON));
    activate(moves, "active", 1);
    moves.seeded("http://pending.example/");
    Instant later = NOON.plus(Duration.ofDays(2));
    moves.store().recalculatePriorities(later);
    assertThat(moves.claimInTurn(4, later))
        .containsExactly("active0.example", "pending.example", "recovering.example");
  }

  @Test
  default void an_active_domain_that_fails_does_not_come_first() {
    Moves moves = moves("http://failing.example/");
    Claim claim = moves.claimOne();
    DomainState failed = failing(POLICY.claimed(claim.state(), NOON), 1, NOON);
    moves.store().release(claim, failed, new Ending.Stopped(), NOON);
    moves.seeded("http://pending.example/");
    assertThat(moves.claimInTurn(2, NOON.plusSeconds(60)))
        .containsExactly("pending.example", "failing.example");
  }

  @Test
  default void among_alike_domains_the_one_not_crawled_for_longest_comes_first() {
    Moves moves = moves();
    activate(moves, "d", 2);
    Claim first = moves.claimOne(NOON.plusSeconds(60));
    moves.stopActive(first, NOON.plusSeconds(60));
    Claim second = moves.claimOne(NOON.plusSeconds(120));
    moves.stopActive(second, NOON.plusSeconds(120));
    assertThat(second.domain()).isNotEqualTo(first.domain());
    assertThat(moves.claimOne(NOON.plusSeconds(180)).domain()).isEqualTo(first.domain());
  }

  @Test
  default void every_fourth_claim_is_a_pending_domain() {
    Moves moves = moves();
    activate(moves, "active", 12);
    moves.seeded("http://p1.example/", "http://p2.example/", "http://p3.example/");
    for (int four = 0; four < 3; four++) {
      assertThat(moves.claimInTurn(4, NOON)).filteredOn(name -> name.startsWith("p")).hasSize(1);
    }
  }

  @Test
  default void every_fourth_claim_of_a_batch_is_a_pending_domain() {
    Moves moves = moves();
    activate(moves, "active", 12);
    moves.seeded("http://p1.example/", "http://p2.example/", "http://p3.example/");
    assertThat(moves.store().claim(8, NOON))
        .hasSize(8)
        .filteredOn(claim -> claim.domain().name().startsWith("p"))
        .hasSize(2);
  }

  @Test
  default void the_pending_domain_that_gets_its_turn_is_the_best_one() {
    Moves moves = moves();
    activate(moves, "active", 4);
    moves.seeded("http://poor.example/", "http://rich.example/", "http://rich.example/2");
    moves.store().recalculatePriorities(NOON);
    assertThat(moves.claimInTurn(4, NOON))
        .filteredOn(name -> !name.startsWith("active"))
        .containsExactly("rich.example");
  }

  @Test
  default void no_pending_domain_starves_while_active_ones_abound() {
    Moves moves = moves();
    activate(moves, "active", 6);
    moves.seeded("http://p1.example/", "http://p2.example/", "http://p3.example/");
    Set<String> pending = new HashSet<>(Set.of("p1.example", "p2.example", "p3.example"));
    for (int turn = 0; turn < 12; turn++) {
      Claim claim = moves.claimOne();
      pending.remove(claim.domain().name());
      moves.stopActive(claim, NOON);
    }
    assertThat(pending).isEmpty();
  }

  @Test
  default void priorities_weigh_what_is_left_errors_and_the_days_since_the_last_crawl() {
    Moves moves = moves();
    // A request that failed, and 300 URLs left: 600 + 200 - 500.
    fill(moves, "broken", 301);
    Claim broken = moves.claimOne();
    moves
        .store()
        .settle(
            broken,
            Moves.answered(
                moves.take(broken),
                new Fate.Failed(Category.FORBIDDEN),
                new FetchOutcome.Forbidden(403)));
    // One URL left, 40 days ago: 2 + 200.
    moves.seeded("http://old.example/");
    Claim old = moves.claimOne();
    moves.stop(old);
    moves.stop(broken);
    // Never crawled counts as 30 days: 2 + 150, and with a hundred URLs 200 + 150.
    moves.seeded("http://never.example/");
    fill(moves, "big", 100);
    Instant later = NOON.plus(Duration.ofDays(40));
    moves.store().recalculatePriorities(later);
    assertThat(moves.claimInTurn(4, later))
        .containsExactly("big.example", "broken.example", "old.example", "never.example");
  }

  @Test
  default void the_better_rank_comes_first_and_a_domain_without_one_last() {
    Moves moves =
        moves("http://none.example/", "http://hundredth.example/", "http://second.example/");
    moves
        .store()
        .rank(
            Map.of(
                CrawlUrl.of("http://hundredth.example/").domain(), 100L,
                CrawlUrl.of("http://second.example/").domain(), 2L,
                CrawlUrl.of("http://unheard.example/").domain(), 1L),
            NOON);
    moves.store().recalculatePriorities(NOON);
    assertThat(moves.claimInTurn(4, NOON))
        .containsExactly("second.example", "hundredth.example", "none.example");
  }

  @Test
  default void domains_that_are_put_in_order_keep_it_whatever_their_rank() {
    Moves moves = moves("http://late.example/", "http://a.example/", "http://b.example/");
    List<DomainName> order =
        List.of(
            CrawlUrl.of("http://b.example/").domain(), CrawlUrl.of("http://a.example/").domain());
    moves.store().order(order, NOON);
    moves.store().rank(Map.of(CrawlUrl.of("http://late.example/").domain(), 1L), NOON);
    moves.store().recalculatePriorities(NOON);
    assertThat(moves.claimInTurn(3, NOON))
        .containsExactly("b.example", "a.example", "late.example");
  }

  private static void fill(Moves moves, String name, int urls) {
    for (int number = 0; number < urls; number++) {
      moves.seeded("http://" + name + ".example/" + number);
    }
  }

  @Test
  default void a_closed_domain_is_not_claimed_again_however_it_was_given_back() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    moves.store().release(claim, POLICY.blocked(claim.state()), new Ending.Stopped(), NOON);
    assertThat(moves.store().claim(1, NOON.plus(Duration.ofDays(1)))).isEmpty();
    assertThat(moves.store().outlook(NOON)).isEqualTo(new Outlook.Nothing());
  }

  @Test
  default void a_cooldown_ends_by_itself_and_leaves_no_streak() {
    Moves moves = moves("http://a.example/");
    DomainState closed = failing(POLICY.claimed(DomainState.FRESH, NOON), 5, NOON);
    Instant opens = closed.standing().until().orElseThrow();
    close(moves, closed);
    assertThat(moves.store().outlook(NOON)).isEqualTo(new Outlook.Nothing());
    assertThat(moves.store().claim(1, opens.minusMillis(1))).isEmpty();

    Claim claim = moves.claimOne(opens);
    assertThat(claim.takenOver()).isFalse();
    assertThat(claim.state()).isEqualTo(POLICY.cooled(closed, opens));
    assertThat(claim.state().standing().status()).isEqualTo(DomainStatus.PENDING);
    assertThat(claim.state().standing().recovering()).isTrue();
    assertThat(claim.state().failures().streak()).isEmpty();
  }

  @Test
  default void where_every_url_has_failed_the_end_of_a_cooldown_queues_those_it_was_entered_by() {
    Moves moves = moves("http://a.example/1", "http://a.example/2");
    Claim claim = moves.claimOne();
    Fate failed = new Fate.Failed(Category.TIMEOUT);
    moves.settleNext(claim, failed, Moves.seed("http://a.example/").link(url("/deep")));
    moves.settleNext(claim, failed);
    moves.settleNext(claim, failed);
    DomainState closed = failing(POLICY.claimed(claim.state(), NOON), 5, NOON);
    moves.store().release(claim, closed, new Ending.Closed(closed.standing()), NOON);

    List<QueuedUrl> again = moves.drain(moves.claimOne(closed.standing().until().orElseThrow()));
    assertThat(again).extracting(QueuedUrl::url).containsExactly(url("/1"), url("/2"));
    assertThat(again).allMatch(entry -> entry.asked() == 1 && entry.triesSpent() == 0);
  }

  private static CrawlUrl url(String path) {
    return CrawlUrl.of("http://a.example" + path);
  }

  @Test
  default void a_domain_closed_for_good_stays_closed() {
    Moves moves = moves("http://a.example/");
    close(moves, POLICY.blocked(DomainState.FRESH));
    moves.seeded("http://a.example/2");
    Instant years = NOON.plus(Duration.ofDays(4000));
    assertThat(moves.store().claim(1, years)).isEmpty();
    assertThat(moves.store().state(CrawlUrl.of("http://a.example/").domain()))
        .contains(POLICY.blocked(DomainState.FRESH));
  }

  @Test
  default void a_url_does_not_open_a_closed_domain_and_is_asked_when_the_cooldown_ends() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    moves.settleNext(claim, Moves.DONE);
    DomainState closed = failing(POLICY.claimed(claim.state(), NOON), 5, NOON);
    moves.store().release(claim, closed, new Ending.Closed(closed.standing()), NOON);
    moves.seeded("http://a.example/2");
    assertThat(moves.store().claim(1, NOON)).isEmpty();
    Instant opens = closed.standing().until().orElseThrow();
    assertThat(moves.take(moves.claimOne(opens)).url().toString()).isEqualTo("http://a.example/2");
  }

  @Test
  default void a_resting_domain_is_not_claimed_before_its_time() {
    Moves moves = moves("http://a.example/", "http://b.example/");
    Instant rested = NOON.plusSeconds(3600);
    List<Claim> claims = moves.store().claim(2, NOON);
    moves.release(claims.getFirst(), new Ending.RestUntil(rested, "asked to"));
    moves.release(claims.getLast(), new Ending.RestUntil(rested.plusSeconds(1), "asked to"));
    // Nor does something new to ask shorten it.
    moves.seeded("http://a.example/2", "http://b.example/2");
    assertThat(moves.store().claim(2, rested.minusMillis(1))).isEmpty();
    assertThat(moves.store().outlook(NOON)).isEqualTo(new Outlook.At(rested));
    assertThat(moves.store().claim(2, rested))
        .extracting(Claim::domain)
        .containsExactly(claims.getFirst().domain());
    assertThat(moves.store().outlook(rested))
        .isEqualTo(new Outlook.Others(1, Optional.of(rested.plusSeconds(1))));
  }

  @Test
  default void a_domain_without_urls_is_not_claimed() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    moves.settleNext(claim, Moves.DONE);
    moves.release(claim, new Ending.Stopped());
    assertThat(moves.store().claim(1, NOON)).isEmpty();
    assertThat(moves.store().outlook(NOON)).isEqualTo(new Outlook.Nothing());
  }
}
