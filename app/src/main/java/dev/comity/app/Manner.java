package dev.comity.app;

import dev.comity.core.engine.CrawlLimits;
import dev.comity.core.engine.DomainTerms;
import dev.comity.core.policy.PolicySettings;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.web.FetchSettings;
import java.util.Map;

/**
 * How a crawl goes about it, beside its pace and how far it goes: what hardly anybody sets.
 *
 * @param policy the rules of politeness; the least interval is set elsewhere
 * @param fetch how long and how much is taken of one answer
 * @param traps when URLs of a kind are no longer asked
 * @param maxInFlight requests in flight at once, over all domains
 * @param maxClaims domains worked on at once
 * @param grouping which hosts are one domain
 * @param smart whether domains are claimed by priority, and not in the order of the seeds
 * @param domains what is set for single domains
 */
public record Manner(
    PolicySettings policy,
    FetchSettings fetch,
    TrapSettings traps,
    int maxInFlight,
    int maxClaims,
    Grouping grouping,
    boolean smart,
    Map<DomainName, DomainTerms> domains) {

  /** What holds when nothing is said. */
  public static final Manner DEFAULT =
      new Manner(
          PolicySettings.DEFAULTS,
          FetchSettings.DEFAULT,
          TrapSettings.DEFAULTS,
          CrawlLimits.USUAL_IN_FLIGHT,
          CrawlLimits.USUAL_CLAIMS,
          Grouping.BY_HOST,
          true,
          Map.of());

  public Manner {
    domains = Map.copyOf(domains);
    Settings.require(maxInFlight >= 1, "max-in-flight", maxInFlight, "must be at least 1");
    Settings.require(maxClaims >= 1, "max-claims", maxClaims, "must be at least 1");
  }
}
