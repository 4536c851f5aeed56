package dev.comity.core.port.store;

import dev.comity.core.schedule.RefreshDates;
import dev.comity.core.scope.AcceptedTypes;
import dev.comity.core.util.Require;
import java.time.Duration;
import java.time.Instant;

/**
 * The limits of a store: the length of leases, the number of URLs and their types.
 *
 * @param lease how long a claim lasts unless renewed, which is done when a third has passed
 * @param maxUnfinished URLs one domain may have waiting; more are counted and not kept
 * @param maxAhead URLs of all claimed domains that a store on disk keeps in memory
 * @param accepted types of documents that are queued beside pages
 */
public record StoreLimits(
    Duration lease, int maxUnfinished, int maxAhead, AcceptedTypes accepted, RefreshDates refresh) {

  /** A third of it must be long enough for a renewal. */
  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(3);

  /** A worker stops so long before its lease ends, at least: its last request is under way then. */
  private static final Duration LEAST_MARGIN = Duration.ofSeconds(1);

  /** A longer lease has a longer margin: clocks run apart by less than this part of it. */
  private static final int MARGIN = 30;

  /** The domain of a worker that died stays locked until its lease ends. */
  private static final Duration LONGEST_LEASE = Duration.ofDays(1);

  /** A frontier's head in memory has a hundred URLs for each request in flight. */
  private static final int AHEAD_PER_REQUEST = 100;

  /** The defaults. */
  public static final StoreLimits DEFAULTS =
      new StoreLimits(Duration.ofMinutes(30), 100_000, 50_000);

  /** With fewer a worker would wait for the store while it could send a request. */
  public static final int LEAST_AHEAD = 2;

  /** URLs of one domain in memory: half a minute's work at a request a second. */
  public static final int MOST_AHEAD_PER_DOMAIN = 32;

  /**
   * Domains under one registered name that links may add. Few names have more different sites; a
   * wildcard in the DNS has as many as there are links.
   */
  public static final int MOST_SUBDOMAINS = 1000;

  /** Every fourth claim takes the best pending domain, so that active ones starve no other. */
  public static final int PENDING_EVERY = 4;

  public StoreLimits {
    Require.within(SHORTEST_LEASE, LONGEST_LEASE, lease, "lease");
    Require.atLeast(1, maxUnfinished, "max-unfinished");
    Require.atLeast(1, maxAhead, "max-ahead");
  }

  /** Limits of a store of pages alone. */
  public StoreLimits(Duration lease, int maxUnfinished, int maxAhead) {
    this(lease, maxUnfinished, maxAhead, AcceptedTypes.NONE, RefreshDates.ADAPTIVE);
  }

  /** These limits with other documents beside pages. */
  public StoreLimits accepting(AcceptedTypes other) {
    return new StoreLimits(lease, maxUnfinished, maxAhead, other, refresh);
  }

  /** These limits with another rule for the next look at a page. */
  public StoreLimits refreshing(RefreshDates other) {
    return new StoreLimits(lease, maxUnfinished, maxAhead, accepted, other);
  }

  /** When a worker that asks for a claim or a renewal now must stop by itself. */
  public Instant until(Instant now) {
    Duration margin = lease.dividedBy(MARGIN);
    return now.plus(lease).minus(margin.compareTo(LEAST_MARGIN) > 0 ? margin : LEAST_MARGIN);
  }

  /** These limits with another lease. */
  public StoreLimits withLease(Duration other) {
    return new StoreLimits(other, maxUnfinished, maxAhead, accepted, refresh);
  }

  /** These limits with another number of unfinished URLs. */
  public StoreLimits withMaxUnfinished(int other) {
    return new StoreLimits(lease, other, maxAhead, accepted, refresh);
  }

  /** How many URLs of one domain are read ahead, while so many domains are held. */
  public int aheadWith(int domains) {
    return Math.clamp(maxAhead / Math.max(1, domains), LEAST_AHEAD, MOST_AHEAD_PER_DOMAIN);
  }

  /** These limits with room in memory for so many requests in flight. */
  public StoreLimits forInFlight(int requests) {
    long ahead = Math.max(maxAhead, (long) requests * AHEAD_PER_REQUEST);
    return new StoreLimits(
        lease, maxUnfinished, (int) Math.min(ahead, Integer.MAX_VALUE), accepted, refresh);
  }
}
