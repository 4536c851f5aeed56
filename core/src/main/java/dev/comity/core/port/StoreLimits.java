package dev.comity.core.port;

import dev.comity.core.policy.Sane;
import java.time.Duration;

/**
 * How much a store keeps, and how it gives domains out.
 *
 * @param lease how long a claim lasts unless renewed, which is done when a third has passed
 * @param maxUnfinished URLs one domain may have waiting; more are counted and not kept
 * @param maxSubdomains domains under one registered name that links may open
 * @param maxAhead URLs of all claimed domains that are kept in memory, where memory is not all
 *     there is
 * @param maxAheadPerDomain the same of one domain
 * @param setAsideAfter workers that may die with a URL before it is left alone
 * @param pendingEvery every so many claims the best pending domain is taken, whatever else could be
 */
public record StoreLimits(
    Duration lease,
    int maxUnfinished,
    int maxSubdomains,
    int maxAhead,
    int maxAheadPerDomain,
    int setAsideAfter,
    int pendingEvery) {

  /** Claims are looked at every few seconds: a shorter one would be lost before it is renewed. */
  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(30);

  /** What a worker died with is taken up by nobody before its claim has run out. */
  private static final Duration LONGEST_LEASE = Duration.ofDays(1);

  /** What holds unless something else is set. */
  public static final StoreLimits DEFAULTS =
      new StoreLimits(Duration.ofMinutes(30), 100_000, 1000, 50_000, 32, 3, 4);

  /** Fewer would have a domain's next URL looked for while it could be asked. */
  public static final int LEAST_AHEAD = 2;

  public StoreLimits {
    Sane.within(SHORTEST_LEASE, LONGEST_LEASE, lease, "lease");
    Sane.atLeast(1, maxUnfinished, "max-unfinished");
    Sane.atLeast(0, maxSubdomains, "max-subdomains");
    Sane.atLeast(1, maxAhead, "max-ahead");
    Sane.within(LEAST_AHEAD, 10_000, maxAheadPerDomain, "max-ahead-per-domain");
    Sane.atLeast(1, setAsideAfter, "set-aside-after");
    Sane.atLeast(1, pendingEvery, "pending-every");
  }

  /** These limits with another lease. */
  public StoreLimits withLease(Duration other) {
    return new StoreLimits(
        other,
        maxUnfinished,
        maxSubdomains,
        maxAhead,
        maxAheadPerDomain,
        setAsideAfter,
        pendingEvery);
  }

  /** These limits with another bound on what waits. */
  public StoreLimits withMaxUnfinished(int other) {
    return new StoreLimits(
        lease, other, maxSubdomains, maxAhead, maxAheadPerDomain, setAsideAfter, pendingEvery);
  }

  /** These limits with another bound on sub-domains. */
  public StoreLimits withMaxSubdomains(int other) {
    return new StoreLimits(
        lease, maxUnfinished, other, maxAhead, maxAheadPerDomain, setAsideAfter, pendingEvery);
  }

  /** These limits with room in memory for at least so many URLs. */
  public StoreLimits withRoomAhead(int least) {
    return new StoreLimits(
        lease,
        maxUnfinished,
        maxSubdomains,
        Math.max(maxAhead, least),
        maxAheadPerDomain,
        setAsideAfter,
        pendingEvery);
  }
}
