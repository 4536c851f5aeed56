package dev.comity.core.policy;

import java.time.Duration;

/**
 * What a site's speed decides.
 *
 * @param firstByteFactor how many times the 95th percentile we wait for the first byte
 * @param shortestFirstByte the least we wait
 * @param longestFirstByte the most we wait, and what a site gets that we know nothing about
 * @param latencyFactor the delay is at least this many times the average; 0 switches it off
 */
public record LatencySettings(
    int firstByteFactor,
    Duration shortestFirstByte,
    Duration longestFirstByte,
    double latencyFactor) {

  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration MOST = Duration.ofDays(1);

  public static final LatencySettings DEFAULTS =
      new LatencySettings(3, Duration.ofSeconds(5), Duration.ofSeconds(30), 0);

  public LatencySettings {
    Sane.within(1, 1000, firstByteFactor, "first-byte-factor");
    Sane.within(LEAST, MOST, shortestFirstByte, "shortest-first-byte");
    Sane.within(LEAST, MOST, longestFirstByte, "longest-first-byte");
    Sane.ordered(shortestFirstByte, "shortest-first-byte", longestFirstByte, "longest-first-byte");
    Sane.within(0.0, 1000.0, latencyFactor, "latency-factor");
  }

  /** These settings with another latency factor. */
  public LatencySettings withLatencyFactor(double other) {
    return new LatencySettings(firstByteFactor, shortestFirstByte, longestFirstByte, other);
  }
}
