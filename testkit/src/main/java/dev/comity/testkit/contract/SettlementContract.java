package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.DONE;
import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.POLICY;
import static dev.comity.testkit.contract.Moves.TERMS;
import static dev.comity.testkit.contract.Moves.asked;
import static dev.comity.testkit.contract.Moves.attempt;
import static dev.comity.testkit.contract.Moves.seed;
import static dev.comity.testkit.contract.Moves.unasked;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a request leaves behind is written together, once, and by the holder only. */
public interface SettlementContract extends StoreUnderTest {
  private Moves moves(String... urls) {
    return Moves.on(store(StoreShape.USUAL)).seeded(urls);
  }

  @Test
  default void a_settlement_writes_fate_links_state_and_start_together() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    QueuedUrl entry = moves.take(claim);
    QueuedUrl link = entry.link(CrawlUrl.of("http://a.example/1"));
    DomainState after = POLICY.started(claim.state(), attempt(entry, NOON));
    moves.store().settle(claim, asked(entry, DONE, after, link));

    assertThat(moves.drain(claim)).containsExactly(link);
    assertThat(moves.store().state(claim.domain())).contains(after);
    assertThat(moves.store().lastStart(claim.domain())).contains(NOON);
  }

  @Test
  default void links_enter_their_own_domains() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    QueuedUrl entry = moves.take(claim);
    QueuedUrl own = entry.link(CrawlUrl.of("http://a.example/1"));
    QueuedUrl foreign = entry.link(CrawlUrl.of("http://b.example/"));
    moves.store().settle(claim, asked(entry, DONE, claim.state(), own, foreign, own, entry));

    assertThat(moves.drain(claim)).containsExactly(own);
    Claim other = moves.claimOne();
    assertThat(other.domain().name()).isEqualTo("b.example");
    assertThat(moves.drain(other)).containsExactly(foreign);
  }

  @Test
  default void who_settles_hears_whether_another_domain_has_a_url_it_had_not() {
    Moves moves = moves("http://a.example/", "http://a.example/1", "http://a.example/2");
    Claim claim = moves.claimOne();
    QueuedUrl entry = moves.take(claim);
    QueuedUrl foreign = entry.link(CrawlUrl.of("http://b.example/"));
    DomainState state = claim.state();

    assertThat(moves.store().settle(claim, asked(entry, DONE, state, foreign)).elsewhere())
        .isTrue();
    Settlement again = asked(moves.take(claim), DONE, state, foreign, entry);
    assertThat(moves.store().settle(claim, again).elsewhere()).isFalse();
    assertThat(moves.store().settle(claim, again).elsewhere()).isFalse();
    assertThat(moves.store().settle(claim, asked(moves.take(claim), DONE, state)).elsewhere())
        .isFalse();
  }

  @Test
  default void the_same_settlement_again_changes_nothing() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    QueuedUrl entry = moves.take(claim);
    QueuedUrl link = entry.link(CrawlUrl.of("http://a.example/1"));
    Settlement first = asked(entry, DONE, claim.state(), link);
    moves.store().settle(claim, first);
    moves.store().settle(claim, first);
    DomainState last = POLICY.startFailed(claim.state(), NOON.plusSeconds(9));
    moves.store().settle(claim, asked(moves.take(claim), DONE, last));
    moves.store().settle(claim, first);

    assertThat(moves.next(claim)).isEqualTo(new Next.Empty());
    assertThat(moves.store().state(claim.domain())).contains(last);
    moves.seeded("http://a.example/2");
    moves.stop(claim);
    assertThat(moves.claimOne().job().pages()).isEqualTo(2);
    assertThat(moves.store().begin(TERMS, NOON).pages()).isEqualTo(2);
  }

  @Test
  default void the_same_retry_again_makes_no_second_copy_and_spends_no_second_try() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    QueuedUrl entry = moves.take(claim);
    Settlement retry = asked(entry, new Fate.Retry(NOON, true), claim.state());
    moves.store().settle(claim, retry);
    moves.store().settle(claim, retry);
    assertThat(moves.take(claim)).isEqualTo(entry.askedAgain(true));
    moves.store().settle(claim, retry);
    assertThat(moves.next(claim)).isEqualTo(new Next.Empty());
    moves.stop(claim);
    assertThat(moves.drain(moves.claimOne())).containsExactly(entry.askedAgain(true));
  }

  @Test
  default void the_same_failure_again_makes_the_streak_no_longer() {
    Moves moves = moves("http://a.example/", "http://a.example/2");
    Claim claim = moves.claimOne();
    Settlement failed = asked(moves.take(claim), new Fate.Failed(Category.TIMEOUT), claim.state());
    moves.store().settle(claim, failed);
    moves.store().settle(claim, failed);
    moves.stop(claim);
    assertThat(moves.claimOne().job().streak().failed()).isEqualTo(1);
  }

  @Test
  default void the_first_failure_of_a_url_makes_the_streak_longer_whatever_tries_it_has_left() {
    Moves moves = moves("http://a.example/", "http://a.example/2");
    Claim claim = moves.claimOne();
    DomainState state = claim.state();
    for (int request = 0; request < 4; request++) {
      QueuedUrl entry = moves.take(claim);
      Fetched broken =
          new Fetched(new FetchOutcome.ServerError(500), Optional.empty(), Duration.ZERO, 0);
      Attempt attempt = attempt(entry, NOON.plusSeconds(request));
      state = POLICY.decide(state, attempt, broken, attempt.startedAt().plusMillis(80)).state();
      Settlement failed =
          new Settlement(
              entry,
              Optional.of(attempt),
              Optional.of(broken),
              new Fate.Retry(NOON, true),
              state,
              List.of(),
              Optional.empty());
      moves.store().settle(claim, failed);
    }
    moves.stop(claim);
    assertThat(moves.claimOne().job().streak().failed()).isEqualTo(2);
  }

  @Test
  default void a_failed_denied_or_suppressed_url_is_finished() {
    Moves moves = moves("http://a.example/", "http://a.example/2", "http://a.example/3");
    Claim claim = moves.claimOne();
    moves.settleNext(claim, new Fate.Failed(Category.TIMEOUT));
    moves.store().settle(claim, unasked(moves.take(claim), new Fate.Denied()));
    moves.store().settle(claim, unasked(moves.take(claim), new Fate.Suppressed()));
    assertThat(moves.next(claim)).isEqualTo(new Next.Empty());
    assertThat(moves.store().add(List.of(seed("http://a.example/2")), NOON)).isZero();
    assertThat(moves.store().add(List.of(seed("http://a.example/3")), NOON)).isZero();
  }

  @Test
  default void
      a_url_whose_authority_moved_is_finished_without_a_page_and_asked_for_at_the_new_one() {
    Moves moves = moves("http://a.example/", "http://a.example/2", "https://a.example/2");
    Claim claim = moves.claimOne();
    CrawlUrl old = CrawlUrl.of("http://a.example/");
    CrawlUrl secure = CrawlUrl.of("https://a.example/");
    DomainState moved = POLICY.redirected(claim.state(), old, secure);
    for (int i = 0; i < 2; i++) {
      QueuedUrl entry = moves.take(claim);
      QueuedUrl elsewhere = entry.at(moved.heard().doors().now(entry.url()));
      moves
          .store()
          .settle(
              claim,
              new Settlement(
                  entry,
                  Optional.empty(),
                  Optional.empty(),
                  new Fate.Moved(),
                  moved,
                  List.of(elsewhere),
                  Optional.empty()));
    }
    moves.store().release(claim, moved, new Ending.Stopped(), NOON);
    Claim again = moves.claimOne();
    assertThat(again.state().heard().doors().now(CrawlUrl.of("http://a.example/x?y")))
        .isEqualTo(CrawlUrl.of("https://a.example/x?y"));
    assertThat(again.job().pages()).isZero();
    assertThat(moves.drain(again))
        .extracting(entry -> entry.url().toString())
        .containsExactlyInAnyOrder("https://a.example/", "https://a.example/2");
  }

  @Test
  default void settled_from_many_threads_at_once_only_those_who_lost_their_claim_fail()
      throws Exception {
    int domains = 64;
    Moves moves =
        moves(
            IntStream.range(0, domains)
                .mapToObj(number -> "http://d" + number + ".example/")
                .toArray(String[]::new));
    CrawlStore store = moves.store();
    List<Claim> claims = store.claim(domains, NOON);
    List<Settlement> settlements = new ArrayList<>();
    for (Claim claim : claims) {
      QueuedUrl entry = moves.take(claim);
      settlements.add(
          asked(
              entry,
              DONE,
              POLICY.startFailed(claim.state(), NOON),
              entry.link(CrawlUrl.of("http://" + claim.domain() + "/1")),
              entry.link(CrawlUrl.of("http://shared.example/"))));
    }
    for (int lost = 0; lost < domains; lost += 4) {
      moves.stop(claims.get(lost));
    }
    List<Callable<Boolean>> settling = new ArrayList<>();
    for (int number = 0; number < domains; number++) {
      Claim claim = claims.get(number);
      Settlement settlement = settlements.get(number);
      settling.add(
          () -> {
            try {
              store.settle(claim, settlement);
              return true;
            } catch (ClaimLost _) {
              return false;
            }
          });
    }
    List<Boolean> settled = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Boolean> one : threads.invokeAll(settling)) {
        settled.add(one.get());
      }
    }
    for (int number = 0; number < domains; number++) {
      Claim claim = claims.get(number);
      boolean held = number % 4 > 0;
      assertThat(settled.get(number)).as("settled %s", claim.domain()).isEqualTo(held);
      assertThat(store.state(claim.domain()))
          .contains(held ? settlements.get(number).state() : claim.state());
      if (held) {
        assertThat(moves.drain(claim)).containsExactly(settlements.get(number).found().getFirst());
      }
    }
    List<Claim> left = store.claim(domains, NOON);
    assertThat(left).hasSize(17);
    for (Claim again : left) {
      assertThat(moves.drain(again)).hasSize(1);
    }
    assertThat(store.begin(TERMS, NOON).pages()).isEqualTo(48);
  }
}
