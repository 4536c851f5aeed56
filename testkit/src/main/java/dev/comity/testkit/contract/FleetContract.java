package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.DONE;
import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.POLICY;
import static dev.comity.testkit.contract.Moves.TERMS;
import static dev.comity.testkit.contract.Moves.seed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunInUse;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Borrowing;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Two workers on the same data: one holds a domain at a time, and none ends what is not over.
 * Decision 24 lists what could go wrong with several workers, and the test for each.
 */
public interface FleetContract extends StoreUnderTest {
  private TwoWorkers two(String... urls) {
    return TwoWorkers.of(this, urls);
  }

  @Test
  default void what_one_worker_holds_another_does_not_get() {
    TwoWorkers two = two("http://a.example/", "http://b.example/");
    Claim claim = two.claim();
    assertThat(two.other().store().claim(9, NOON))
        .extracting(Claim::domain)
        .hasSize(1)
        .doesNotContain(claim.domain());
  }

  @Test
  default void what_one_worker_gave_back_another_gets_and_waits_a_full_delay() {
    TwoWorkers two = two("http://a.example/", "http://a.example/2");
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
    TwoWorkers two = two("http://a.example/", "http://b.example/");
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
    TwoWorkers two = two("http://a.example/", "http://a.example/1");
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
    TwoWorkers two = two("http://a.example/", "http://b.example/");
    two.one().settleNext(two.claim(), DONE);
    two.other().settleNext(two.other().claimOne(), DONE);
    assertThat(two.one().store().begin(TERMS, NOON).pages()).isEqualTo(2);
    assertThat(two.other().store().begin(TERMS, NOON).pages()).isEqualTo(2);
  }

  @Test
  default void a_run_is_not_over_while_a_worker_holds_a_domain() {
    TwoWorkers two = two("http://a.example/");
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
    TwoWorkers two = two("http://a.example/", "http://b.example/");
    Instant rested = NOON.plusSeconds(60);
    two.one().release(two.claim(), new Ending.RestUntil(rested, "asked to"));
    two.other().exhaustOne();
    assertThat(two.one().store().outlook(NOON)).isEqualTo(new Outlook.At(rested));
    assertThat(two.one().store().end(RunEnding.FINISHED, NOON)).isFalse();
    two.clock().set(rested);
    assertThat(two.one().store().outlook(rested)).isEqualTo(new Outlook.At(rested));
    assertThat(two.one().store().end(RunEnding.FINISHED, rested)).isFalse();
    assertThat(two.one().store().begin(TERMS, rested).continued()).isTrue();
  }

  @Test
  default void a_claim_that_was_left_to_itself_keeps_a_run_open_until_its_lease_ends() {
    TwoWorkers two = two("http://a.example/");
    two.claim();
    // Its worker never heard of it, and asks itself.
    assertThat(two.one().store().outlook(NOON)).isInstanceOf(Outlook.Others.class);
    assertThat(two.one().store().end(RunEnding.FINISHED, NOON)).isFalse();
    two.clock().pass(TwoWorkers.SHORT);
    assertThat(two.other().store().outlook(NOON)).isEqualTo(new Outlook.At(NOON));
    assertThat(two.other().claimOne().takenOver()).isTrue();
  }

  @Test
  default void a_lease_goes_by_the_store_s_clock_whatever_the_workers_clocks_say() {
    TwoWorkers two = two("http://a.example/");
    Claim claim = two.one().claimOne(NOON.minusSeconds(600));
    assertThat(claim.until()).isBefore(NOON.minusSeconds(600).plus(TwoWorkers.SHORT));
    Instant fast = NOON.plus(Duration.ofDays(1));
    assertThat(two.other().store().claim(1, fast)).isEmpty();
    assertThat(two.one().store().renew(List.of(claim), fast).lost()).isEmpty();
    two.clock().pass(TwoWorkers.SHORT);
    assertThat(two.one().store().renew(List.of(claim), NOON).lost()).hasSize(1);
    assertThat(two.other().store().claim(1, NOON)).hasSize(1);
    assertThat(two.one().store().now()).isEqualTo(NOON.plus(TwoWorkers.SHORT));
  }

  @Test
  default void a_domain_that_another_worker_holds_is_neither_lent_nor_closed() {
    TwoWorkers two = two("http://a.example/");
    Claim claim = two.claim();
    assertThat(two.other().store().borrow(claim.domain(), NOON))
        .isEqualTo(new Borrowing.HeldElsewhere());
    two.one().stop(claim);
    assertThat(two.other().store().borrow(claim.domain(), NOON)).isInstanceOf(Borrowing.Lent.class);
  }

  @Test
  default void what_another_worker_held_since_is_not_taken_back() {
    TwoWorkers two = two("http://a.example/");
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
    TwoWorkers two = TwoWorkers.of(this, terms(10), "http://a.example/", "http://b.example/");
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
    TwoWorkers two = TwoWorkers.of(this, terms(1), "http://a.example/", "http://b.example/");
    Claim claim = two.claim();
    assertThat(two.one().store().draw(500)).isEqualTo(new Portion(1, false));
    two.one().settleNext(claim, DONE);
    two.one().stop(claim);
    assertThat(two.one().store().draw(500)).isEqualTo(new Portion(0, true));
    assertThat(two.other().store().draw(500)).isEqualTo(new Portion(0, true));
  }

  @Test
  default void a_run_on_other_terms_does_not_close_one_that_another_worker_is_at() {
    TwoWorkers two = two("http://a.example/", "http://b.example/");
    Claim claim = two.claim();
    CrawlStore other = two.other().store();
    assertThatThrownBy(() -> other.begin(terms(7), NOON))
        .isInstanceOf(RunInUse.class)
        .hasMessageContaining("run " + two.run().id());
    two.one().settleNext(claim, DONE);
    two.other().settleNext(two.other().claimOne(), DONE);
    assertThat(two.store().begin(TERMS, NOON))
        .isEqualTo(new Run(two.run().id(), true, 2, 0, Set.of(), OptionalLong.empty()));
  }

  @Test
  default void a_run_on_other_terms_begins_when_no_other_worker_has_a_claim() {
    for (Consumer<TwoWorkers> end : ends()) {
      TwoWorkers two = two("http://a.example/", "http://b.example/");
      // Its own claim keeps no worker from another run.
      two.other().claimOne();
      two.claim();
      end.accept(two);
      Run second = two.other().store().begin(terms(7), two.clock().instant());
      assertThat(second).isEqualTo(Run.begun(second.id(), OptionalLong.of(two.run().id())));
    }
  }

  /** How the claims of the first worker can end. */
  private static List<Consumer<TwoWorkers>> ends() {
    return List.of(
        two ->
            two.operations().claims().stream()
                .filter(claim -> claim.domain().name().equals("b.example"))
                .forEach(claim -> two.operations().endClaims(claim.worker())),
        two -> two.clock().pass(TwoWorkers.SHORT));
  }

  @Test
  default void wider_terms_go_on_with_a_run_that_another_worker_is_at() {
    TwoWorkers two = TwoWorkers.of(this, terms(7), "http://a.example/");
    two.claim();
    Run wider = two.other().store().begin(terms(9), NOON);
    assertThat(wider.id()).isEqualTo(two.run().id());
    assertThat(wider.continued()).isTrue();
  }

  private static RunTerms terms(long pages) {
    return new RunTerms(List.of(), new TreeMap<>(), pages, 1000);
  }
}
