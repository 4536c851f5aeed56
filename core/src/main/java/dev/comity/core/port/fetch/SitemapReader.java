package dev.comity.core.port.fetch;

import dev.comity.core.outcome.Body;
import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A parser of sitemaps: lists of a site's URLs, and lists of such lists. Any bytes give a result,
 * never an exception.
 */
public interface SitemapReader {

  /** Whether these bytes are a sitemap, by their content and not by their name. */
  boolean recognizes(Body body);

  /**
   * Passes the entries on in order, each as it is read: a list can be far longer than memory
   * allows.
   */
  Tally read(Body body, Consumer<Listed> listed);

  /** An entry of a sitemap. */
  sealed interface Listed {
    CrawlUrl url();

    /**
     * A page.
     *
     * @param modified when it was changed last, by the site's own word
     */
    record SitemapPage(CrawlUrl url, Optional<Instant> modified) implements Listed {
      /** A page without a date. */
      public SitemapPage(CrawlUrl url) {
        this(url, Optional.empty());
      }
    }

    record Sitemap(CrawlUrl url) implements Listed {}

    /** An image on one of the pages. */
    record Image(CrawlUrl url) implements Listed {}
  }

  /**
   * Counts of what was read.
   *
   * @param listed URLs passed on
   * @param unreadable entries that are no URL
   * @param whole whether it was read to its end, and not cut off by a limit or by the server
   */
  record Tally(int listed, int unreadable, boolean whole) {}
}
