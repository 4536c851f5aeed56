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

  public static final LatencySettings DEFAULTS =
      new LatencySettings(3, Duration.ofSeconds(5), Duration.ofSeconds(30), 0);

  public LatencySettings {
    Sane.atLeast(1, firstByteFactor, "first-byte-factor");
    Sane.positive(shortestFirstByte, "shortest-first-byte");
    Sane.ordered(shortestFirstByte, longestFirstByte, "shortest and longest-first-byte");
    Sane.that(latencyFactor >= 0 && latencyFactor <= 1000, "latency-factor must be 0 to 1000");
  }

  /** These settings with another latency factor. */
  public LatencySettings withLatencyFactor(double other) {
    return new LatencySettings(firstByteFactor, shortestFirstByte, longestFirstByte, other);
  }
}
