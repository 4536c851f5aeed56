package dev.comity.core.engine;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Scope;
import java.util.Map;

/**
 * What a crawl is to do.
 *
 * @param scope which links are followed, and which hosts are one domain
 * @param traps when URLs of a kind are no longer asked
 * @param domains what is set for single domains
 */
public record CrawlPlan(
    DomainPolicy policy,
    Scope scope,
    CrawlLimits limits,
    TrapSettings traps,
    Map<DomainName, DomainTerms> domains) {

  public CrawlPlan {
    domains = Map.copyOf(domains);
  }

  /** A plan with the usual sense for traps, and nothing set for single domains. */
  public static CrawlPlan of(DomainPolicy policy, Scope scope, CrawlLimits limits) {
    return new CrawlPlan(policy, scope, limits, TrapSettings.DEFAULTS, Map.of());
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
    return termsOf(domain).maxPages().orElse(limits.maxPagesPerDomain());
  }

  /** The domain a URL belongs to. */
  DomainName domainOf(CrawlUrl url) {
    return scope.grouping().domainOf(url);
  }
}
