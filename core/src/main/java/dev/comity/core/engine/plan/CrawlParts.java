package dev.comity.core.engine.plan;

import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.fetch.ExchangeArchive;
import dev.comity.core.port.fetch.Fetcher;
import dev.comity.core.port.fetch.LinkExtractor;
import dev.comity.core.port.fetch.PageKeeper;
import dev.comity.core.port.fetch.RobotsReader;
import dev.comity.core.port.fetch.SitemapReader;
import dev.comity.core.port.image.ImageHarvest;
import dev.comity.core.port.store.CrawlStore;
import java.util.Optional;

/**
 * The adapters and the clock that a crawl runs with.
 *
 * @param sitemaps reads sitemaps; without it no sitemap is fetched
 * @param bodyMemory how many bytes of the heap bodies in flight may take
 * @param images collects images; without it they are counted and not fetched
 * @param keeper makes what is kept of pages; without it only titles are
 * @param archive keeps every exchange; without it none is recorded
 */
public record CrawlParts(
    CrawlStore store,
    Fetcher fetcher,
    RobotsReader robots,
    LinkExtractor links,
    Optional<SitemapReader> sitemaps,
    CrawlListener listener,
    Timeline time,
    long bodyMemory,
    Optional<ImageHarvest> images,
    Optional<PageKeeper> keeper,
    Optional<ExchangeArchive> archive) {

  /** Parts that give half of the heap to bodies. */
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

  /** These parts, collecting images. */
  public CrawlParts collecting(ImageHarvest harvest) {
    return new CrawlParts(
        store,
        fetcher,
        robots,
        links,
        sitemaps,
        listener,
        time,
        bodyMemory,
        Optional.of(harvest),
        keeper,
        archive);
  }

  /** Parts that collect no images, and keep nothing of pages beside their titles. */
  public CrawlParts(
      CrawlStore store,
      Fetcher fetcher,
      RobotsReader robots,
      LinkExtractor links,
      Optional<SitemapReader> sitemaps,
      CrawlListener listener,
      Timeline time,
      long bodyMemory) {
    this(
        store,
        fetcher,
        robots,
        links,
        sitemaps,
        listener,
        time,
        bodyMemory,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** These parts with another keeper of pages. */
  public CrawlParts keeping(Optional<PageKeeper> other) {
    return new CrawlParts(
        store,
        fetcher,
        robots,
        links,
        sitemaps,
        listener,
        time,
        bodyMemory,
        images,
        other,
        archive);
  }

  /** These parts with another clock. */
  public CrawlParts with(Timeline other) {
    return new CrawlParts(
        store,
        fetcher,
        robots,
        links,
        sitemaps,
        listener,
        other,
        bodyMemory,
        images,
        keeper,
        archive);
  }

  /** These parts with an archive of every exchange. */
  public CrawlParts archiving(ExchangeArchive kept) {
    return new CrawlParts(
        store,
        fetcher,
        robots,
        links,
        sitemaps,
        listener,
        time,
        bodyMemory,
        images,
        keeper,
        Optional.of(kept));
  }

  /** Parts without sitemaps. */
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
