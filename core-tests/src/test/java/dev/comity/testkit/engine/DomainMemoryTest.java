package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.memory.MemoryStore;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.time.VirtualTimeline;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** What ten thousand domains take in memory while they are crawled and when they were. */
class DomainMemoryTest {
  private static final int DOMAINS = 10_000;
  private static final long TEN_MB = 10_000_000;
  private static final Instant NOON = VirtualTimeline.START;

  private final DomainPolicy policy = new DomainPolicy(PolicySettings.DEFAULTS);

  @Test
  void ten_thousand_domains_take_less_than_10_mb() {
    takesLessThanTenMb(new MemoryStore(CrawlUrl::domain, () -> NOON));
  }

  @Test
  void ten_thousand_domains_of_a_crawl_that_keeps_nothing_take_less_than_10_mb() {
    takesLessThanTenMb(new MemoryStore(CrawlUrl::domain, () -> NOON).forgettingIdle());
  }

  private void takesLessThanTenMb(MemoryStore store) {
    // What is loaded once belongs to no domain; nor does a cache that others have filled already.
    MemoryStore others = new MemoryStore(CrawlUrl::domain, () -> NOON);
    know(others, "another");
    askAll(others);
    long before = live();
    know(store, "the");
    assertThat(live() - before).as("known").isBetween(5_000_000L, TEN_MB);
    askAll(store);
    assertThat(live() - before).as("crawled").isBetween(7_000_000L, TEN_MB);
    for (int domain = 0; domain < DOMAINS; domain++) {
      var state = store.state(CrawlUrl.of(url("the", domain)).domain()).orElseThrow();
      assertThat(state.latency().samples()).isEqualTo(1);
    }
    assertThat(others.reports().census(1).urls()).isZero();
  }

  private static void know(MemoryStore store, String kind) {
    for (int domain = 0; domain < DOMAINS; domain++) {
      CrawlUrl url = CrawlUrl.of(url(kind, domain));
      store.add(List.of(QueuedUrl.seed(url, Optional.empty())), Instant.EPOCH);
    }
  }

  private void askAll(MemoryStore store) {
    int asked = 0;
    for (List<Claim> claims = store.claim(1_000, NOON);
        !claims.isEmpty();
        claims = store.claim(1_000, NOON)) {
      asked += claims.size();
      claims.forEach(claim -> ask(store, claim));
    }
    assertThat(asked).isEqualTo(DOMAINS);
  }

  private static String url(String kind, int domain) {
    return "https://www." + kind + "-domain-" + domain + ".example/";
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

  /**
   * The bytes of all objects that can be reached, as the JVM counts them class by class. The used
   * part of the heap is more by what the collector has not compacted, some 5 %.
   */
  private static long live() {
    try {
      Object histogram =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "gcClassHistogram",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
      return ((String) histogram)
          .lines()
          .map(line -> line.strip().split(" +"))
          .filter(row -> row[0].endsWith(":") && !row[3].contains("FillerElement"))
          .mapToLong(row -> Long.parseLong(row[2]))
          .sum();
    } catch (JMException unknown) {
      throw new AssertionError("this JVM counts no objects", unknown);
    }
  }
}
