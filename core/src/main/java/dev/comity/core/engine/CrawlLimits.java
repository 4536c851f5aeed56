package dev.comity.core.engine;

import dev.comity.core.policy.Sane;
import java.time.Duration;

/**
 * How large a crawl may be, and how patient it is.
 *
 * @param maxPages pages the run may settle in all
 * @param maxPagesPerDomain pages of one domain the run may settle
 * @param maxInFlight requests in flight at once, over all domains
 * @param maxClaims domains worked on at once
 * @param longWait a domain that must wait longer than this is given back meanwhile
 * @param grace how long a stop waits for answers under way
 */
public record CrawlLimits(
    long maxPages,
    long maxPagesPerDomain,
    int maxInFlight,
    int maxClaims,
    Duration longWait,
    Duration grace) {

  /** What holds where nobody says otherwise. */
  public static final CrawlLimits DEFAULTS =
      new CrawlLimits(1000, 1000, 256, 1000, Duration.ofMinutes(10), Duration.ofSeconds(5));

  public CrawlLimits {
    Sane.atLeast(1, maxPages, "max-pages");
    Sane.atLeast(1, maxPagesPerDomain, "max-pages-per-domain");
    Sane.atLeast(1, maxInFlight, "max-in-flight");
    Sane.atLeast(1, maxClaims, "max-claims");
  }

  /** These limits with other budgets. */
  public CrawlLimits withPages(long most, long mostPerDomain) {
    return new CrawlLimits(most, mostPerDomain, maxInFlight, maxClaims, longWait, grace);
  }

  /** These limits with another patience for domains that must wait. */
  public CrawlLimits withLongWait(Duration other) {
    return new CrawlLimits(maxPages, maxPagesPerDomain, maxInFlight, maxClaims, other, grace);
  }
}
