package dev.comity.core.policy;

import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;

/**
 * One request that was sent.
 *
 * @param ordinal 1 for the first try of this URL
 * @param startedAt when its first byte was written
 * @param delay the pause between starts that was in force
 */
public record Attempt(CrawlUrl url, Kind kind, int ordinal, Instant startedAt, Duration delay) {}
