package dev.comity.core.policy.settings;

import dev.comity.core.util.Require;
import java.time.Duration;

/**
 * How close together requests to one domain may start, and how many may be open.
 *
 * @param minimum the interval where neither the domain nor a source sets one; 0 for none
 * @param concurrency requests in flight per domain before anything was learned
 * @param latencyFactor the delay is at least this many times the average answer time; 0 switches it
 *     off
 */
public record PaceSettings(Duration minimum, int concurrency, double latencyFactor) {

  public static final PaceSettings DEFAULTS = new PaceSettings(Duration.ofSeconds(1), 5, 0);

  public PaceSettings {
    Require.notNegative(minimum, "delay");
    Require.atLeast(1, concurrency, "concurrency");
    Require.within(0.0, 1000.0, latencyFactor, "latency-factor");
  }

  /** These settings with another minimum. */
  public PaceSettings withMinimum(Duration other) {
    return new PaceSettings(other, concurrency, latencyFactor);
  }
}
