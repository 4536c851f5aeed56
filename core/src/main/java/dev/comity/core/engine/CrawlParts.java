package dev.comity.core.engine;

import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.CrawlStore;
import dev.comity.core.port.Fetcher;
import dev.comity.core.port.LinkExtractor;
import dev.comity.core.port.RobotsReader;
import dev.comity.core.port.Timeline;

/** The world a crawl runs in. */
public record CrawlParts(
    CrawlStore store,
    Fetcher fetcher,
    RobotsReader robots,
    LinkExtractor links,
    CrawlListener listener,
    Timeline time) {}
