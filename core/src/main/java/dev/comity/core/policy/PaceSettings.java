package dev.comity.core.policy;

import java.time.Duration;

/**
 * How close together requests to one domain may start, and how many may be open.
 *
 * @param minimum the interval where neither the domain nor a source sets one; 0 for none
 * @param concurrency requests in flight per domain before anything was learned
 * @param concurrencyStep how much slowing down costs one request in flight
 * @param parkAfter a longer wait gives the claim back
 * @param blockAfter a site that asks for a longer wait is left alone until an operator resets it
 */
public record PaceSettings(
    Duration minimum,
    int concurrency,
    Duration concurrencyStep,
    Duration parkAfter,
    Duration blockAfter) {

  public static final PaceSettings DEFAULTS =
      new PaceSettings(
          Duration.ofSeconds(1),
          5,
          Duration.ofSeconds(5),
          Duration.ofMinutes(10),
          Duration.ofDays(30));

  public PaceSettings {
    Sane.notNegative(minimum, "delay");
    Sane.atLeast(1, concurrency, "concurrency");
    Sane.positive(concurrencyStep, "concurrency-step");
    Sane.positive(parkAfter, "park-after");
    Sane.positive(blockAfter, "block-beyond");
    Sane.ordered(parkAfter, "park-after", blockAfter, "block-beyond");
  }

  /** These settings with another minimum. */
  public PaceSettings withMinimum(Duration other) {
    return new PaceSettings(other, concurrency, concurrencyStep, parkAfter, blockAfter);
  }
}
