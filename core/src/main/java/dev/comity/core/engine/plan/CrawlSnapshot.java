package dev.comity.core.engine.plan;

import dev.comity.core.policy.Pace;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a crawl is doing at one moment. It is looked at from outside, by whoever wants to know:
 * those at work keep no count for it, and it is as long as the domains they hold are many.
 *
 * @param inFlight requests under way
 * @param queuing domains that have a request ready and no place for it
 * @param paced domains whose pace is kept in memory
 * @param outage whether everything pauses because our own network seems to be down
 * @param idleUntil when the store is looked at again, where no domain is held and some wait
 * @param domains the domains that are held
 */
public record CrawlSnapshot(
    int inFlight,
    int queuing,
    int paced,
    boolean outage,
    Optional<Instant> idleUntil,
    List<AtWork> domains) {

  /** Before anything has begun. */
  public static final CrawlSnapshot NOTHING =
      new CrawlSnapshot(0, 0, 0, false, Optional.empty(), List.of());

  public CrawlSnapshot {
    domains = List.copyOf(domains);
  }

  /**
   * A domain somebody holds.
   *
   * @param waiting until when nothing is asked of it
   */
  public record AtWork(DomainName domain, int inFlight, Pace pace, Optional<Wait> waiting) {}

  /**
   * Nothing is asked until then.
   *
   * @param rest whether the site brought it about by a refusal or a failure, and it is not just the
   *     usual delay
   */
  public record Wait(Instant until, String why, boolean rest) {}
}
