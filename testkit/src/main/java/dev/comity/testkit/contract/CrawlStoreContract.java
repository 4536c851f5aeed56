package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.POLICY;
import static dev.comity.testkit.contract.Moves.seed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What every {@link CrawlStore} must do, beside {@link FrontierContract}. Referrers are always URLs
 * that the store has heard of, and times are whole milliseconds.
 */
public interface CrawlStoreContract
    extends ClaimContract,
        RunContract,
        WiderRunContract,
        SettlementContract,
        NoteContract,
        GroupContract,
        CandidateContract,
        CountingContract,
        FleetContract,
        OperatorContract,
        ReportContract,
        TrapContract {
  private Moves moves(String... urls) {
    return Moves.on(store(StoreShape.USUAL)).seeded(urls);
  }

  /** Everything settled, and given back as the worker does that finds nothing more. */
  private static Claim exhaust(Moves moves) {
    Claim claim = moves.claimOne();
    moves.settleNext(claim, Moves.DONE);
    moves
        .store()
        .release(claim, exhausted(claim.state()), new Ending.Exhausted(), NOON.plusSeconds(1));
    return claim;
  }

  private static DomainState exhausted(DomainState state) {
    return POLICY.emptied(POLICY.claimed(state, NOON), NOON);
  }

  @Test
  default void an_unknown_domain_has_no_state() {
    assertThat(moves().store().state(CrawlUrl.of("http://a.example/").domain())).isEmpty();
  }

  @Test
  default void the_state_of_a_domain_outlives_its_claim() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    assertThat(claim.state()).isEqualTo(DomainState.FRESH);
    DomainState started = POLICY.startFailed(DomainState.FRESH, NOON);
    moves.store().record(claim, Note.of(started));
    assertThat(moves.store().state(claim.domain())).contains(started);
    DomainState later = POLICY.startFailed(started, NOON.plusSeconds(1));
    moves.store().release(claim, later, new Ending.Stopped(), NOON);
    assertThat(moves.store().state(claim.domain())).contains(later);
    assertThat(moves.claimOne().state()).isEqualTo(later);
  }

  @Test
  default void an_exhausted_domain_is_not_claimed() {
    Moves moves = moves("http://a.example/");
    Claim claim = exhaust(moves);
    assertThat(moves.store().state(claim.domain()).orElseThrow().standing().status())
        .isEqualTo(DomainStatus.EXHAUSTED);
    assertThat(moves.store().claim(1, NOON.plus(Duration.ofDays(400)))).isEmpty();
    assertThat(moves.store().outlook(NOON)).isEqualTo(new Outlook.Nothing());
  }

  @Test
  default void a_url_that_arrives_makes_an_exhausted_domain_pending() {
    Moves moves = moves("http://a.example/");
    Claim claim = exhaust(moves);
    moves.seeded("http://a.example/2");
    assertThat(moves.store().state(claim.domain()).orElseThrow().standing().status())
        .isEqualTo(DomainStatus.PENDING);
    assertThat(moves.take(moves.claimOne())).isEqualTo(seed("http://a.example/2"));
  }

  @Test
  default void a_known_url_leaves_an_exhausted_domain_as_it_is() {
    Moves moves = moves("http://a.example/");
    exhaust(moves);
    moves.seeded("http://a.example/");
    assertThat(moves.store().claim(1, NOON)).isEmpty();
  }

  @Test
  default void a_link_found_on_another_domain_makes_an_exhausted_domain_pending() {
    Moves moves = moves("http://a.example/");
    exhaust(moves);
    moves.seeded("http://b.example/");
    Claim other = moves.claimOne();
    moves.settleNext(other, Moves.DONE, seed("http://a.example/2"));
    assertThat(moves.take(moves.claimOne())).isEqualTo(seed("http://a.example/2"));
  }

  @Test
  default void a_domain_is_not_exhausted_when_a_url_arrived_since_its_holder_looked() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    moves.settleNext(claim, Moves.DONE);
    moves.seeded("http://a.example/2");
    moves.store().release(claim, exhausted(claim.state()), new Ending.Exhausted(), NOON);
    assertThat(moves.store().state(claim.domain()).orElseThrow().standing().mayBeAsked()).isTrue();
    assertThat(moves.take(moves.claimOne())).isEqualTo(seed("http://a.example/2"));
  }

  @Test
  default void a_domain_closed_by_our_own_outage_can_be_opened_again() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    DomainState closed = POLICY.claimed(claim.state(), NOON);
    for (int page = 0; page < 5; page++) {
      Instant at = NOON.plusSeconds(page);
      closed =
          POLICY
              .decide(
                  closed,
                  Moves.attempt(seed("http://a.example/" + page), at),
                  new Fetched(
                      new FetchOutcome.ConnectionFailed("refused"),
                      Optional.empty(),
                      Duration.ZERO,
                      0),
                  at.plusMillis(1))
              .state();
    }
    assertThat(closed.standing().status()).isEqualTo(DomainStatus.UNREACHABLE);
    moves.store().release(claim, closed, new Ending.Closed(closed.standing()), NOON);
    assertThat(moves.store().claim(1, NOON)).isEmpty();

    moves.store().takeBack(claim.domain(), claim.token(), state -> POLICY.takenBack(state, NOON));
    Claim again = moves.claimOne();
    assertThat(again.state()).isEqualTo(POLICY.takenBack(closed, NOON));
    assertThat(again.takenOver()).isFalse();
  }

  @Test
  default void nothing_is_taken_back_from_a_domain_nobody_knows() {
    Moves moves = moves("http://a.example/");
    moves.store().takeBack(CrawlUrl.of("http://b.example/").domain(), 1, POLICY::blocked);
    assertThat(moves.store().state(CrawlUrl.of("http://b.example/").domain())).isEmpty();
    assertThat(moves.store().claim(2, NOON)).hasSize(1);
  }

  @Test
  default void the_kind_of_address_a_seed_had_first_is_kept() {
    Moves moves = moves("http://a.example/", "http://b.example:8080/");
    SeedAddress first = address("http://a.example/", "public", true);
    SeedAddress other = address("http://b.example:8080/", "private", false);
    assertThat(moves.store().keepAddresses(List.of(first, other))).containsExactly(first, other);
    assertThat(moves.store().keepAddresses(List.of(address("http://a.example/", "loopback", true))))
        .containsExactly(first);
    assertThat(moves.store().keepAddresses(List.of())).isEmpty();
  }

  @Test
  default void a_seed_that_was_named_once_stays_named() {
    Moves moves = moves("http://a.example/");
    SeedAddress listed = address("http://a.example/", "private", false);
    SeedAddress named = address("http://a.example/", "private", true);
    assertThat(moves.store().keepAddresses(List.of(listed))).containsExactly(listed);
    assertThat(moves.store().keepAddresses(List.of(named))).containsExactly(named);
    assertThat(moves.store().keepAddresses(List.of(listed))).containsExactly(named);
  }

  @Test
  default void the_address_of_one_authority_says_nothing_of_another() {
    Moves moves = moves("http://a.example/", "https://a.example/");
    SeedAddress plain = address("http://a.example/", "private", true);
    SeedAddress secure = address("https://a.example/", "public", false);
    moves.store().keepAddresses(List.of(plain));
    assertThat(moves.store().keepAddresses(List.of(secure))).containsExactly(secure);
  }

  @Test
  default void no_address_is_kept_of_a_seed_whose_domain_is_not_known() {
    Moves moves = moves("http://a.example/");
    SeedAddress unknown = address("http://b.example/", "private", true);
    assertThat(moves.store().keepAddresses(List.of(unknown))).isEmpty();
  }

  private static SeedAddress address(String url, String kind, boolean named) {
    return new SeedAddress(CrawlUrl.of(url).authority(), kind, named);
  }
}
