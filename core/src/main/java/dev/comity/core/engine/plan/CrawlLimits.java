package dev.comity.core.engine.plan;

import dev.comity.core.util.Require;
import java.time.Duration;

/**
 * The limits of a crawl: its pages, its concurrency and its rate.
 *
 * @param maxPages pages the run may settle in all
 * @param maxPagesPerDomain pages of one domain the run may settle
 * @param maxInFlight requests in flight at once, over all domains
 * @param maxClaims domains claimed at once
 * @param maxRate requests a second in all; 0 for as many as the sites allow
 * @param grace how long a stop waits for requests in flight
 * @param maxImages images the run may keep; 0 if it collects none
 */
public record CrawlLimits(
    long maxPages,
    long maxPagesPerDomain,
    int maxInFlight,
    int maxClaims,
    double maxRate,
    Duration grace,
    long maxImages) {

  /** Limits of a crawl that collects no images. */
  public CrawlLimits(
      long maxPages,
      long maxPagesPerDomain,
      int maxInFlight,
      int maxClaims,
      double maxRate,
      Duration grace) {
    this(maxPages, maxPagesPerDomain, maxInFlight, maxClaims, maxRate, grace, 0);
  }

  /**
   * The defaults. A thousand domains with a request a second each keep 256 requests in flight. More
   * claims would only wait in memory.
   */
  public static final CrawlLimits DEFAULTS =
      new CrawlLimits(1000, 1000, 256, 1000, 0, Duration.ofSeconds(5));

  public CrawlLimits {
    Require.atLeast(1, maxPages, "max-pages");
    Require.atLeast(1, maxPagesPerDomain, "max-pages-per-domain");
    Require.atLeast(0, maxImages, "max-images");
    Require.atLeast(1, maxInFlight, "max-in-flight");
    Require.atLeast(1, maxClaims, "max-claims");
    Require.that(
        maxRate == 0 || (maxRate >= 0.001 && maxRate <= 1_000_000),
        "max-rate",
        maxRate,
        "must be from 0.001 to 1000000 requests a second; 0 means no limit");
  }

  /** These limits with other budgets. */
  public CrawlLimits withPages(long most, long mostPerDomain) {
    return new CrawlLimits(most, mostPerDomain, maxInFlight, maxClaims, maxRate, grace, maxImages);
  }

  /** These limits with so many images. */
  public CrawlLimits withImages(long most) {
    return new CrawlLimits(
        maxPages, maxPagesPerDomain, maxInFlight, maxClaims, maxRate, grace, most);
  }
}
