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

/** Hears of what has happened, from many threads, after it is durable. Must not block for long. */
public interface CrawlListener {

  /** A worker has taken the domain, perhaps from one that never gave it back. */
  default void claimed(Claim claim) {
    claimed(claim.domain());
  }

  /** A worker has taken the domain. */
  default void claimed(DomainName domain) {}

  /** The first byte of a request was written. */
  default void started(DomainName domain, Attempt attempt) {}

  /**
   * A request has come to something, be it a page's, a sitemap's or that of a robots.txt; where it
   * settles a URL, after that. Of what a stopping crawl leaves behind nothing is told.
   */
  default void answered(DomainName domain, Attempt attempt, Fetched fetched) {}

  /** An attempt is settled. */
  default void settled(DomainName domain, Settlement settlement) {}

  /**
   * So many new URLs are known that are not asked, because their ending names a type that is not
   * kept.
   */
  default void skipped(DomainName foundOn, long urls) {}

  /** A sitemap was read, and what it lists is in the frontier as far as it is wanted. */
  default void listed(DomainName domain, CrawlUrl sitemap, SitemapReader.Tally tally) {}

  /** So many links of a page that was settled lead into traps and were not kept. */
  default void leftOut(DomainName domain, int links) {}

  /** An outcome changed how the domain is treated. */
  default void changed(DomainName domain, Change change) {}

  /** Domains of one server share a budget from now on, or do no longer. */
  default void shared(SharedBudgets.Change change) {}

  /** Our own network seems to be down, or is back: nothing is asked of anybody meanwhile. */
  default void outage(boolean ours) {}

  /**
   * Connections have to wait, because the process may have so few file descriptors. Told once.
   *
   * @param limit how many it may have
   */
  default void shortOfDescriptors(long limit) {}

  /** Nothing is asked of this domain until then. */
  default void waiting(DomainName domain, Instant until, String why) {}

  /** The worker gave the domain back. */
  default void ended(DomainName domain, Ending ending) {}
}
