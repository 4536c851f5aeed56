package dev.comity.core.port.fetch;

import dev.comity.core.outcome.Body;
import dev.comity.core.url.CrawlUrl;
import java.util.function.Consumer;

/**
 * Reads sitemaps: lists of a site's URLs, and lists of such lists. Any bytes at all give something,
 * never an exception.
 */
public interface SitemapReader {

  /** Whether these bytes are a sitemap, by what they are and not by what they are called. */
  boolean recognizes(Body body);

  /**
   * Hands over what is listed, in order, each as it is read: a list can be far longer than anybody
   * wants to hold at once.
   */
  Tally read(Body body, Consumer<Listed> listed);

  /** One thing a sitemap lists. */
  sealed interface Listed {
    CrawlUrl url();

    record Page(CrawlUrl url) implements Listed {}

    record Sitemap(CrawlUrl url) implements Listed {}

    /** An image on one of the pages. */
    record Image(CrawlUrl url) implements Listed {}
  }

  /**
   * What came of reading.
   *
   * @param listed URLs handed over
   * @param unreadable entries that are no URL
   * @param whole whether it was read to its end, and not cut off by a limit or by whoever sent it
   */
  record Tally(int listed, int unreadable, boolean whole) {}
}
