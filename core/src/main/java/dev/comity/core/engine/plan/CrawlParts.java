package dev.comity.core.engine.plan;

import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.fetch.Fetcher;
import dev.comity.core.port.fetch.LinkExtractor;
import dev.comity.core.port.fetch.RobotsReader;
import dev.comity.core.port.fetch.SitemapReader;
import dev.comity.core.port.store.CrawlStore;
import java.util.Optional;

/**
 * The world a crawl runs in.
 *
 * @param sitemaps reads sitemaps; without it none is asked for
 * @param bodyMemory how many bytes of the heap the bodies under way may take
 */
public record CrawlParts(
    CrawlStore store,
    Fetcher fetcher,
    RobotsReader robots,
    LinkExtractor links,
    Optional<SitemapReader> sitemaps,
    CrawlListener listener,
    Timeline time,
    long bodyMemory) {

  /** A world in which bodies may take half of the heap. */
  public CrawlParts(
      CrawlStore store,
      Fetcher fetcher,
      RobotsReader robots,
      LinkExtractor links,
      Optional<SitemapReader> sitemaps,
      CrawlListener listener,
      Timeline time) {
    this(
        store,
        fetcher,
        robots,
        links,
        sitemaps,
        listener,
        time,
        Runtime.getRuntime().maxMemory() / 2);
  }

  /** A world without sitemaps. */
  public CrawlParts(
      CrawlStore store,
      Fetcher fetcher,
      RobotsReader robots,
      LinkExtractor links,
      CrawlListener listener,
      Timeline time) {
    this(store, fetcher, robots, links, Optional.empty(), listener, time);
  }
}
