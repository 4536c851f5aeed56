package dev.comity.store.backfill;

import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.util.Optional;

/**
 * A URL that another program knew.
 *
 * @param page its last answer that makes it a page
 * @param requests how often it was asked; 0 for one that waits
 */
public record PastUrl(CrawlUrl url, Optional<PastPage> page, int requests) {

  /**
   * An answer.
   *
   * @param at when the page was asked, if that is known
   * @param due when the other program meant to look again
   */
  public record PastPage(int status, Optional<Instant> at, Optional<Instant> due) {}
}
