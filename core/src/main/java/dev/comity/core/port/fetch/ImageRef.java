package dev.comity.core.port.fetch;

import dev.comity.core.url.CrawlUrl;

/**
 * An image that a page refers to.
 *
 * @param alt what the page says is to be seen, in one line; empty where it says nothing
 */
public record ImageRef(CrawlUrl url, String alt, Source source) {

  /** Where in the page it stands. */
  public enum Source {
    /** {@code img src} */
    IMG,
    /** {@code img srcset} */
    SRCSET,
    /** {@code picture source} */
    PICTURE,
    /** {@code meta property="og:image"} */
    OPEN_GRAPH,
    /** {@code meta name="twitter:image"} */
    TWITTER_CARD,
    /** {@code a href} that leads to an image file */
    LINK
  }
}
