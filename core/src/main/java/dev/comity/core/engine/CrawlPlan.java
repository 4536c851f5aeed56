package dev.comity.core.engine;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Scope;
import java.time.Duration;
import java.util.Map;

/**
 * What a crawl is to do.
 *
 * @param scope which links are followed, and which hosts are one domain
 * @param maxPages pages the run may settle in all
 * @param maxPagesPerDomain pages of one domain the run may settle
 * @param maxInFlight requests in flight at once, over all domains
 * @param maxClaims domains worked on at once
 * @param longWait a domain that must wait longer than this is given back meanwhile
 * @param grace how long a stop waits for answers under way
 * @param traps when URLs of a kind are no longer asked
 * @param domains what is set for single domains
 */
public record CrawlPlan(
    DomainPolicy policy,
    Scope scope,
    long maxPages,
    long maxPagesPerDomain,
    int maxInFlight,
    int maxClaims,
    Duration longWait,
    Duration grace,
    TrapSettings traps,
    Map<DomainName, DomainTerms> domains) {

  /** Requests in flight where nobody says otherwise. */
  public static final int USUAL_IN_FLIGHT = 256;

  /** Domains worked on at once where nobody says otherwise. */
  public static final int USUAL_CLAIMS = 1000;

  /** A wait beyond which a domain is given back, where nobody says otherwise. */
  public static final Duration USUAL_LONG_WAIT = Duration.ofMinutes(10);

  /** How long answers under way are waited for, where nobody says otherwise. */
  public static final Duration USUAL_GRACE = Duration.ofSeconds(5);

  /** A plan with the usual sense for traps, and nothing set for single domains. */
  public CrawlPlan(
      DomainPolicy policy,
      Scope scope,
      long maxPages,
      long maxPagesPerDomain,
      int maxInFlight,
      int maxClaims,
      Duration longWait,
      Duration grace) {
    this(
        policy,
        scope,
        maxPages,
        maxPagesPerDomain,
        maxInFlight,
        maxClaims,
        longWait,
        grace,
        TrapSettings.DEFAULTS);
  }

  /** A plan with nothing set for single domains. */
  public CrawlPlan(
      DomainPolicy policy,
      Scope scope,
      long maxPages,
      long maxPagesPerDomain,
      int maxInFlight,
      int maxClaims,
      Duration longWait,
      Duration grace,
      TrapSettings traps) {
    this(
        policy,
        scope,
        maxPages,
        maxPagesPerDomain,
        maxInFlight,
        maxClaims,
        longWait,
        grace,
        traps,
        Map.of());
  }

  public CrawlPlan {
    domains = Map.copyOf(domains);
    require(maxPages > 0, "max-pages must be at least 1, not " + maxPages);
    require(
        maxPagesPerDomain > 0, "max-pages-per-domain must be at least 1, not " + maxPagesPerDomain);
    require(maxInFlight > 0, "max-in-flight must be at least 1, not " + maxInFlight);
    require(maxClaims > 0, "max-claims must be at least 1, not " + maxClaims);
  }

  /** Whether a link is followed. */
  boolean follows(CrawlUrl from, CrawlUrl to, int depth) {
    return scope.judge(from, to, depth) == Scope.Verdict.IN_SCOPE;
  }

  /** What is set for this domain. */
  DomainTerms termsOf(DomainName domain) {
    return domains.getOrDefault(domain, DomainTerms.NONE);
  }

  /** How many pages of this domain the run may settle. */
  long maxPagesOf(DomainName domain) {
    return termsOf(domain).maxPages().orElse(maxPagesPerDomain);
  }

  /** The domain a URL belongs to. */
  DomainName domainOf(CrawlUrl url) {
    return scope.grouping().domainOf(url);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
