package dev.comity.core.port;

import dev.comity.core.url.CrawlUrl;

/** Decides about a link or redirect that is in scope. Several threads may ask at once. */
@FunctionalInterface
public interface LinkFilter {

  /**
   * Whether it is followed.
   *
   * @param depth links from a seed to the target
   */
  boolean follows(CrawlUrl from, CrawlUrl to, int depth);
}
