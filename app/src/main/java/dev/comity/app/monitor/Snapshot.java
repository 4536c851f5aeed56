package dev.comity.app.monitor;

import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.port.store.Census;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A crawl at one moment, with its rate.
 *
 * @param rate pages a second, lately
 * @param left how long it may still take, going by its budgets and by what is known
 * @param quietSince when a request was last seen to start, or the crawl began
 */
record Snapshot(
    Instant now,
    Duration elapsed,
    long pages,
    long failed,
    long refused,
    long requests,
    double rate,
    Optional<Duration> left,
    int maxInFlight,
    CrawlSnapshot snapshot,
    Optional<Census> census,
    Instant quietSince) {}
