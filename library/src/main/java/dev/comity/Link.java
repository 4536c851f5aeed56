package dev.comity;

import dev.comity.core.url.CrawlUrl;

/**
 * A link that is followed, or a redirect: its target is in scope, and asked for unless it is known.
 *
 * @param depth links followed from where the crawl started to the target
 */
public record Link(CrawlUrl from, CrawlUrl to, int depth) {}
