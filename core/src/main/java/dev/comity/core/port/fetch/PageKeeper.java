package dev.comity.core.port.fetch;

import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import dev.comity.core.url.CrawlUrl;
import java.time.Instant;

/**
 * Makes what a crawl keeps of a page beside its title. The thread of the request calls it, so a
 * slow page delays no other. A crawl without a keeper keeps none of it.
 */
public interface PageKeeper {

  /**
   * Called for pages that may be kept.
   *
   * @param at when the page was received
   */
  KeptPage keep(CrawlUrl url, Success page, Extraction extraction, Instant at)
      throws InterruptedException;

  /** Whether it can use a body as it came, packed by gzip. */
  default boolean usesReceived() {
    return false;
  }
}
