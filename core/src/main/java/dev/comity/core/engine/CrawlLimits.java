package dev.comity.core.engine;

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

  /** Requests in flight where nobody says otherwise. */
  public static final int USUAL_IN_FLIGHT = 256;

  /** Domains worked on at once where nobody says otherwise. */
  public static final int USUAL_CLAIMS = 1000;

  /** A wait beyond which a domain is given back, where nobody says otherwise. */
  public static final Duration USUAL_LONG_WAIT = Duration.ofMinutes(10);

  /** How long answers under way are waited for, where nobody says otherwise. */
  public static final Duration USUAL_GRACE = Duration.ofSeconds(5);

  public CrawlLimits {
    require(maxPages > 0, "max-pages must be at least 1, not " + maxPages);
    require(
        maxPagesPerDomain > 0, "max-pages-per-domain must be at least 1, not " + maxPagesPerDomain);
    require(maxInFlight > 0, "max-in-flight must be at least 1, not " + maxInFlight);
    require(maxClaims > 0, "max-claims must be at least 1, not " + maxClaims);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
