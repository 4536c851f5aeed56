package dev.comity.core.port.store;

import dev.comity.core.url.CrawlUrl;
import java.time.Instant;

/**
 * What a sitemap or a feed says of a page: when it was changed last.
 *
 * @param modified by the site's own word
 */
public record PageHint(CrawlUrl url, Instant modified) {}
