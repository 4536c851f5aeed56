package dev.comity.core.outcome;

import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;

/**
 * One request, with all that judging its outcome needs.
 *
 * @param ordinal 1 for the first try; it grows with every retry spent, so not after a refusal
 * @param startedAt when its first byte was written, or when trying to failed
 * @param delay the effective delay it was started under
 */
public record Attempt(CrawlUrl url, Kind kind, int ordinal, Instant startedAt, Duration delay) {}
