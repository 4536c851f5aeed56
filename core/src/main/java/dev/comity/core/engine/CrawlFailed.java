package dev.comity.core.engine;

/**
 * A worker met something that should not happen; the crawl was stopped, and nothing half-done was
 * kept.
 */
public final class CrawlFailed extends RuntimeException {
  CrawlFailed(Throwable cause) {
    super("the crawl stopped because of an unexpected failure: " + cause, cause);
  }
}
