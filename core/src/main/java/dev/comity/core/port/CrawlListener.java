package dev.comity.core.port;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.SharedBudgets;
import dev.comity.core.port.fetch.SitemapReader;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;

/**
 * Receives the events of a crawl, from many threads, after they are durable. It must not block for
 * long.
 */
public interface CrawlListener {

  /** A worker has claimed the domain, perhaps from a worker that never released it. */
  default void claimed(Claim claim) {
    claimed(claim.domain());
  }

  /** A worker has claimed the domain. */
  default void claimed(DomainName domain) {}

  /** The first byte of a request was written. */
  default void started(DomainName domain, Attempt attempt) {}

  /**
   * A request for a page, a sitemap or a robots.txt has ended. If it settles a URL, this is called
   * after {@link #settled}. Requests that a stopping crawl cancels are not reported.
   */
  default void answered(DomainName domain, Attempt attempt, Fetched fetched) {}

  /** An attempt is settled. */
  default void settled(DomainName domain, Settlement settlement) {}

  /**
   * So many new URLs are known that are not fetched, because their ending names a type that is not
   * kept.
   */
  default void skipped(DomainName foundOn, long urls) {}

  /** A sitemap was read, and the URLs it lists are in the frontier if they are in scope. */
  default void listed(DomainName domain, CrawlUrl sitemap, SitemapReader.Tally tally) {}

  /** So many links of a settled page lead into traps and were not kept. */
  default void leftOut(DomainName domain, int links) {}

  /** An outcome changed how the domain is treated. */
  default void changed(DomainName domain, Change change) {}

  /** Domains of one server share a budget from now on, or do no longer. */
  default void shared(SharedBudgets.BudgetChange change) {}

  /** The crawler's own network seems to be down, or is back: no request is sent meanwhile. */
  default void outage(boolean ours) {}

  /**
   * Connections have to wait, because the process has too few file descriptors. Called once.
   *
   * @param limit how many file descriptors the process may have
   */
  default void shortOfDescriptors(long limit) {}

  /**
   * All URLs left of this domain wait for their sources. Called once before the next request.
   *
   * @param source the one that has its turn first
   */
  default void deferred(DomainName domain, String source, Instant until) {}

  /** No request is sent to this domain until then. */
  default void waiting(DomainName domain, Instant until, String why) {}

  /** The worker has released the domain. */
  default void ended(DomainName domain, Ending ending) {}
}
