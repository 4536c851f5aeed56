package dev.comity.core.engine;

import dev.comity.core.policy.Sane;
import java.time.Duration;

/**
 * How the engine goes about its work, whatever the crawl is about.
 *
 * @param maxPerAddress requests in flight to one IP address, however many domains are there
 * @param maxRate requests a second in all; 0 for as many as the sites allow
 * @param maxRedirects hops from a URL to where it is
 * @param robotsRedirects the same for a robots.txt
 * @param robotsCache how long a robots.txt is good for once it was read
 * @param claimsAtOnce domains claimed in one go
 * @param recalculateEvery how often priorities are computed anew, beside those after each job
 */
public record EngineSettings(
    int maxPerAddress,
    double maxRate,
    int maxRedirects,
    int robotsRedirects,
    Duration robotsCache,
    int claimsAtOnce,
    Duration recalculateEvery) {

  /** What holds unless something else is set. */
  public static final EngineSettings DEFAULTS =
      new EngineSettings(20, 0, 5, 5, Duration.ofDays(1), 10, Duration.ofHours(1));

  public EngineSettings {
    Sane.atLeast(1, maxPerAddress, "max-per-address");
    Sane.that(
        maxRate == 0 || (maxRate >= 0.001 && maxRate <= 1_000_000),
        "max-rate",
        maxRate,
        "must be from 0.001 to 1000000 requests a second; 0 means no limit");
    Sane.within(0, 100, maxRedirects, "max-redirects");
    Sane.within(0, 100, robotsRedirects, "robots-redirects");
    Sane.positive(robotsCache, "robots-cache");
    Sane.within(1, 10_000, claimsAtOnce, "claims-at-once");
    Sane.positive(recalculateEvery, "recalculate-every");
  }

  /** These settings with another rate for all requests together. */
  public EngineSettings withMaxRate(double other) {
    return new EngineSettings(
        maxPerAddress,
        other,
        maxRedirects,
        robotsRedirects,
        robotsCache,
        claimsAtOnce,
        recalculateEvery);
  }
}
