package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.memory.MemoryStore;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.policy.Attempt;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Kind;
import dev.comity.core.policy.PolicySettings;
import dev.comity.core.port.Claim;
import dev.comity.core.port.Ending;
import dev.comity.core.port.Frontier.Next;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.port.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What ten thousand domains take in memory while they are crawled and when they were. */
class DomainMemoryTest {
  private static final int DOMAINS = 10_000;
  private static final long TEN_MB = 10_000_000;
  private static final Instant NOON = VirtualTimeline.START;

  private final DomainPolicy policy = new DomainPolicy(PolicySettings.DEFAULTS);

  @Test
  void ten_thousand_domains_take_less_than_10_mb() {
    takesLessThanTenMb(() -> new MemoryStore(CrawlUrl::domain));
  }

  @Test
  void ten_thousand_domains_of_a_crawl_that_keeps_nothing_take_less_than_10_mb() {
    takesLessThanTenMb(() -> new MemoryStore(CrawlUrl::domain).forgettingIdle());
  }

  private void takesLessThanTenMb(Supplier<MemoryStore> empty) {
    // What is loaded once, such as the list of public suffixes, belongs to no domain.
    MemoryStore few = known(empty.get(), 10);
    askAll(few, 10);
    long before = used();
    MemoryStore store = known(empty.get(), DOMAINS);
    assertThat(used() - before).as("known").isBetween(1L, TEN_MB);
    askAll(store, DOMAINS);
    assertThat(used() - before).as("crawled").isBetween(1L, TEN_MB);
    for (int domain = 0; domain < DOMAINS; domain++) {
      var state = store.state(CrawlUrl.of(url(domain)).domain()).orElseThrow();
      assertThat(state.latency().samples()).isEqualTo(1);
    }
    assertThat(few.census().urls()).isZero();
  }

  private static MemoryStore known(MemoryStore store, int domains) {
    for (int domain = 0; domain < domains; domain++) {
      store.add(List.of(QueuedUrl.seed(CrawlUrl.of(url(domain)), Optional.empty())), Instant.EPOCH);
    }
    return store;
  }

  private void askAll(MemoryStore store, int domains) {
    int asked = 0;
    for (List<Claim> claims = store.claim(1_000, NOON);
        !claims.isEmpty();
        claims = store.claim(1_000, NOON)) {
      asked += claims.size();
      claims.forEach(claim -> ask(store, claim));
    }
    assertThat(asked).isEqualTo(domains);
  }

  private static String url(int domain) {
    return "https://www.the-domain-" + domain + ".example/";
  }

  /** Asks it for the one page there is. */
  private void ask(MemoryStore store, Claim claim) {
    Instant start = NOON.plusMillis(claim.domain().hashCode() & 0xffff);
    QueuedUrl entry = ((Next.Ready) store.frontier().next(claim, start)).entry();
    var state = policy.claimed(claim.state(), start);
    Attempt attempt = new Attempt(entry.url(), Kind.PAGE, 1, start, Duration.ofSeconds(1));
    Duration took = Duration.ofMillis(80 + start.getEpochSecond() % 100);
    Fetched fetched =
        new Fetched(new Success(200, Headers.NONE, Body.of("hello")), Optional.of(took), took, 5);
    Decision decision =
        policy.decide(policy.started(state, attempt), attempt, fetched, start.plus(took));
    store.settle(
        claim,
        new Settlement(
            entry,
            Optional.of(attempt),
            Optional.of(fetched),
            decision.fate(),
            decision.state(),
            List.of(),
            Optional.empty(),
            List.of()));
    store.release(
        claim, policy.emptied(decision.state(), start.plus(took)), new Ending.Exhausted(), start);
  }

  /** Of the heap, by what can still be reached. */
  private static long used() {
    long least = Long.MAX_VALUE;
    for (int time = 0; time < 4; time++) {
      System.gc();
      Runtime heap = Runtime.getRuntime();
      least = Math.min(least, heap.totalMemory() - heap.freeMemory());
    }
    return least;
  }
}
