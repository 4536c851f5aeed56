package dev.comity.core.port.store;

import dev.comity.core.util.Require;
import java.time.Duration;

/**
 * How much a store keeps, and for how long it gives domains out.
 *
 * @param lease how long a claim lasts unless renewed, which is done when a third has passed
 * @param maxUnfinished URLs one domain may have waiting; more are counted and not kept
 * @param maxAhead URLs of all claimed domains that are kept in memory, where memory is not all
 *     there is
 */
public record StoreLimits(Duration lease, int maxUnfinished, int maxAhead) {

  /** Claims are looked at every few seconds: a shorter one would be lost before it is renewed. */
  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(30);

  /** What a worker died with is taken up by nobody before its claim has run out. */
  private static final Duration LONGEST_LEASE = Duration.ofDays(1);

  /** A frontier's head in memory has a hundred URLs for each request in flight. */
  private static final int AHEAD_PER_REQUEST = 100;

  /** What holds unless something else is set. */
  public static final StoreLimits DEFAULTS =
      new StoreLimits(Duration.ofMinutes(30), 100_000, 50_000);

  /** Fewer would have a domain's next URL looked for while it could be asked. */
  public static final int LEAST_AHEAD = 2;

  /** URLs of one domain in memory: half a minute's work at a request a second. */
  public static final int MOST_AHEAD_PER_DOMAIN = 32;

  /**
   * Domains under one registered name that links may open. Few names have more sites that differ,
   * while a wildcard in the DNS has as many as there are links.
   */
  public static final int MOST_SUBDOMAINS = 1000;

  /** Every fourth claim takes the best pending domain, so that those begun starve no others. */
  public static final int PENDING_EVERY = 4;

  public StoreLimits {
    Require.within(SHORTEST_LEASE, LONGEST_LEASE, lease, "lease");
    Require.atLeast(1, maxUnfinished, "max-unfinished");
    Require.atLeast(1, maxAhead, "max-ahead");
  }

  /** These limits with another lease. */
  public StoreLimits withLease(Duration other) {
    return new StoreLimits(other, maxUnfinished, maxAhead);
  }

  /** These limits with another bound on what waits. */
  public StoreLimits withMaxUnfinished(int other) {
    return new StoreLimits(lease, other, maxAhead);
  }

  /** These limits with room in memory for so many requests in flight. */
  public StoreLimits forInFlight(int requests) {
    long ahead = Math.max(maxAhead, (long) requests * AHEAD_PER_REQUEST);
    return new StoreLimits(lease, maxUnfinished, (int) Math.min(ahead, Integer.MAX_VALUE));
  }
}
