package dev.comity.core.engine.plan;

import dev.comity.core.policy.Pace;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a crawl is doing at one moment, for monitoring. Workers keep no counters for it. It has one
 * entry for each active domain.
 *
 * @param inFlight requests in flight
 * @param queuing domains with a request ready and no slot for it
 * @param paced domains with their pace in memory
 * @param outage whether all workers pause because the crawler's network seems to be down
 * @param idleUntil when the store is read again, if no domain is active and some wait
 * @param domains the active domains
 */
public record CrawlSnapshot(
    int inFlight,
    int queuing,
    int paced,
    boolean outage,
    Optional<Instant> idleUntil,
    List<AtWork> domains) {

  /** The snapshot of a crawl that has not begun. */
  public static final CrawlSnapshot NOTHING =
      new CrawlSnapshot(0, 0, 0, false, Optional.empty(), List.of());

  public CrawlSnapshot {
    domains = List.copyOf(domains);
  }

  /**
   * An active domain.
   *
   * @param waiting its present wait
   */
  public record AtWork(DomainName domain, int inFlight, Pace pace, Optional<Wait> waiting) {}

  /**
   * Nothing is asked until then.
   *
   * @param rest whether a refusal or a failure is the reason, and not the usual delay
   */
  public record Wait(Instant until, String why, boolean rest) {}
}
