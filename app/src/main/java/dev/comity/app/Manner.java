package dev.comity.app;

import dev.comity.core.engine.CrawlLimits;
import dev.comity.core.engine.DomainTerms;
import dev.comity.core.engine.EngineSettings;
import dev.comity.core.policy.PolicySettings;
import dev.comity.core.policy.Priority;
import dev.comity.core.port.StoreLimits;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Scope;
import dev.comity.web.FetchSettings;
import java.util.Map;

/**
 * How a crawl goes about it, beside its pace and how far it goes: what hardly anybody sets.
 *
 * @param policy the rules of politeness; the least interval is set elsewhere
 * @param fetch how long and how much is taken of one answer
 * @param traps when URLs of a kind are no longer asked
 * @param limits how much is worked on at once; budgets are set elsewhere
 * @param engine how the engine works
 * @param store how much is kept of a domain, and how domains are given out
 * @param weights what makes a domain come early
 * @param maxUrlLength characters a URL may have
 * @param grouping which hosts are one domain
 * @param smart whether domains are claimed by priority, and not in the order of the seeds
 * @param domains what is set for single domains
 */
public record Manner(
    PolicySettings policy,
    FetchSettings fetch,
    TrapSettings traps,
    CrawlLimits limits,
    EngineSettings engine,
    StoreLimits store,
    Priority.Weights weights,
    int maxUrlLength,
    Grouping grouping,
    boolean smart,
    Map<DomainName, DomainTerms> domains) {

  /** What holds when nothing is said. */
  public static final Manner DEFAULT =
      new Manner(
          PolicySettings.DEFAULTS,
          FetchSettings.DEFAULT,
          TrapSettings.DEFAULTS,
          CrawlLimits.DEFAULTS,
          EngineSettings.DEFAULTS,
          StoreLimits.DEFAULTS,
          Priority.Weights.DEFAULTS,
          Scope.USUAL_LENGTH,
          Grouping.BY_HOST,
          true,
          Map.of());

  public Manner {
    domains = Map.copyOf(domains);
    // Refused where it would be used, but only with a crawl's seeds.
    Scope.requireLength(maxUrlLength);
  }

  /** A frontier's head in memory has a hundred URLs for each request in flight. */
  private static final int AHEAD_PER_REQUEST = 100;

  /** What a store is held to when so many requests are in flight. */
  StoreLimits storeLimits() {
    long ahead = (long) limits.maxInFlight() * AHEAD_PER_REQUEST;
    return store.withRoomAhead((int) Math.min(ahead, Integer.MAX_VALUE));
  }
}
