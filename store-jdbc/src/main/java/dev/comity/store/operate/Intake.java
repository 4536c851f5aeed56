package dev.comity.store.operate;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes seeds into a store, also beside crawls. It needs no claim: arrivals are rows that a
 * domain's holder counts later, and a domain without a holder wakes in the same transaction. Each
 * batch is one transaction, which a crash undoes as a whole.
 */
public interface Intake extends AutoCloseable {
  /**
   * Seeds to hand over at once: a transaction of some ten milliseconds, for which a crawl waits.
   */
  int BATCH = 200;

  /**
   * What became of seeds; all others were known.
   *
   * @param added how many are new
   * @param later how many of these are left to the next run, since this one is about other domains
   * @param noRoom for how many their domains had no room
   */
  record Taken(int added, int later, int noRoom) {}

  /** Whether a crawl was at work when seeds were last taken in. */
  boolean isBesideCrawl();

  /** Takes in a batch of seeds, and the ranks of domains. */
  default Taken take(List<QueuedUrl> seeds, Map<DomainName, Long> ranks, Instant now) {
    return take(seeds, ranks, Map.of(), now);
  }

  /**
   * Takes in a batch of seeds, and the ranks of domains.
   *
   * @param origins what domains came from, if they are new
   */
  Taken take(
      List<QueuedUrl> seeds,
      Map<DomainName, Long> ranks,
      Map<DomainName, String> origins,
      Instant now);

  /**
   * Takes in one URL, and says what became of it.
   *
   * @param origin what its domain came from, if it is new
   */
  AddAnswer offer(QueuedUrl url, String origin, Instant now);

  /**
   * Keeps what is known of the addresses of URLs that a person has named; returns what is stored of
   * them now.
   */
  List<SeedAddress> keepAddresses(List<SeedAddress> addresses);

  /** Whether the operator has paused a domain. */
  boolean isPaused(DomainName domain);

  /** The last known state of a domain. */
  Optional<DomainState> state(DomainName domain);

  @Override
  void close();
}
