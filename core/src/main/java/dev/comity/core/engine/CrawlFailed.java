package dev.comity.core.engine;

/** Thrown when an unexpected failure stopped the crawl. No partial write was kept. */
public final class CrawlFailed extends RuntimeException {
  public CrawlFailed(Throwable cause) {
    super("the crawl stopped because of an unexpected failure: " + cause, cause);
  }
}
