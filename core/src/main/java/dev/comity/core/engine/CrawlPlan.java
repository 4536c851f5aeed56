package dev.comity.core.engine;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.util.function.Function;

/**
 * What a crawl is to do.
 *
 * @param naming the domain a URL belongs to
 * @param maxPages pages the run may settle in all
 * @param maxInFlight requests in flight at once, over all domains
 * @param maxClaims domains worked on at once
 * @param longWait a domain that must wait longer than this is given back meanwhile
 * @param grace how long a stop waits for answers under way
 */
public record CrawlPlan(
    DomainPolicy policy,
    Reach reach,
    Function<CrawlUrl, DomainName> naming,
    long maxPages,
    int maxInFlight,
    int maxClaims,
    Duration longWait,
    Duration grace) {

  /** Which links are followed. */
  public interface Reach {
    boolean follows(CrawlUrl from, CrawlUrl to, int depth);
  }

  public CrawlPlan {
    require(maxPages > 0, "max-pages must be at least 1, not " + maxPages);
    require(maxInFlight > 0, "max-in-flight must be at least 1, not " + maxInFlight);
    require(maxClaims > 0, "max-claims must be at least 1, not " + maxClaims);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
