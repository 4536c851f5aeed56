package dev.comity.core.engine.plan;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.SeedIntake;
import dev.comity.core.scope.Scope;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.usage.Purpose;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The plan of a crawl: what to crawl, how politely and within which limits.
 *
 * @param scope which links are followed, and which hosts are one domain
 * @param traps when URLs of one template are no longer fetched
 * @param domains terms of single domains
 * @param purposes what the content is collected for; sites may refuse some
 * @param named whether the user named the purposes; only then tdmrep.json files are asked for
 */
public record CrawlPlan(
    DomainPolicy policy,
    Scope scope,
    CrawlLimits limits,
    TrapSettings traps,
    Map<DomainName, DomainTerms> domains,
    Set<Purpose> purposes,
    boolean named) {

  public CrawlPlan {
    domains = Map.copyOf(domains);
    purposes = Set.copyOf(purposes);
  }

  /** A plan for purposes of which all but the usual one count as named. */
  public CrawlPlan(
      DomainPolicy policy,
      Scope scope,
      CrawlLimits limits,
      TrapSettings traps,
      Map<DomainName, DomainTerms> domains,
      Set<Purpose> purposes) {
    this(policy, scope, limits, traps, domains, purposes, !purposes.equals(Purpose.USUAL));
  }

  /** A plan of the usual purpose. */
  public CrawlPlan(
      DomainPolicy policy,
      Scope scope,
      CrawlLimits limits,
      TrapSettings traps,
      Map<DomainName, DomainTerms> domains) {
    this(policy, scope, limits, traps, domains, Purpose.USUAL);
  }

  /** The same plan for other purposes. */
  public CrawlPlan forPurposes(Set<Purpose> other) {
    return new CrawlPlan(policy, scope, limits, traps, domains, other);
  }

  /** A plan with default traps and no terms for single domains. */
  public static CrawlPlan of(DomainPolicy policy, Scope scope, CrawlLimits limits) {
    return new CrawlPlan(policy, scope, limits, TrapSettings.DEFAULTS, Map.of());
  }

  /**
   * The terms that make a crawl of these seeds the same run as another: scope, budgets, purposes.
   * Pace, contact and sitemaps do not count.
   */
  public RunTerms terms(List<CrawlUrl> from) {
    SortedMap<String, String> reach = new TreeMap<>(scope.terms());
    String budgets =
        domains.entrySet().stream()
            .filter(domain -> domain.getValue().maxPages().isPresent())
            .map(domain -> domain.getKey() + " " + domain.getValue().maxPages().getAsLong())
            .sorted()
            .collect(Collectors.joining("\n"));
    if (!budgets.isEmpty()) {
      reach.put("domains", budgets);
    }
    if (!purposes.equals(Purpose.USUAL)) {
      reach.put("purpose", Purpose.keys(purposes));
    }
    return new RunTerms(from, reach, limits.maxPages(), limits.maxPagesPerDomain());
  }

  /**
   * Queues links that an earlier, narrower scope left out. Called after the run has begun and
   * before the first claim.
   *
   * @return how many links were queued
   */
  public int takeOutside(SeedIntake store, Instant now) {
    return store.takeOutside(
        domain -> scope.reach() == Scope.Reach.ANY || scope.seeds().contains(domain),
        kept ->
            scope.judge(kept.referrer().orElse(kept.url()), kept.url(), kept.depth())
                == Scope.ScopeVerdict.IN_SCOPE,
        now);
  }

  /** Whether tdmrep.json files are asked for: they can refuse a purpose that the user named. */
  public boolean asksReservations() {
    return named && Purpose.canBeReserved(purposes);
  }

  /** The terms of this domain. */
  public DomainTerms termsOf(DomainName domain) {
    return domains.getOrDefault(domain, DomainTerms.NONE);
  }

  /** The terms of this domain, with what its operator has set in their place. */
  public DomainTerms termsOf(DomainName domain, OperatorTerms operator) {
    return operator.equals(OperatorTerms.NONE) ? termsOf(domain) : termsOf(domain).under(operator);
  }

  /** How many pages of this domain the run may settle. */
  public long maxPagesOf(DomainName domain, OperatorTerms operator) {
    return termsOf(domain, operator).maxPages().orElse(limits.maxPagesPerDomain());
  }

  /** The domain a URL belongs to. */
  public DomainName domainOf(CrawlUrl url) {
    return scope.grouping().domainOf(url);
  }
}
