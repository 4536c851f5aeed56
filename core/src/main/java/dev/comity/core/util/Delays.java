package dev.comity.core.util;

import java.time.Duration;

/** Arithmetic of delays, in milliseconds with fractions. */
public final class Delays {
  /** A domain that must wait longer is parked, so no longer delay is learnt. */
  public static final Duration LONGEST = Duration.ofMinutes(10);

  private Delays() {}

  public static double millis(Duration delay) {
    return delay.toNanos() / 1e6;
  }

  /** In whole milliseconds, as it is stored: rounded up, and at most the longest. */
  public static Duration of(double millis) {
    return Duration.ofMillis((long) Math.ceil(Math.min(millis, (double) LONGEST.toMillis())));
  }

  public static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
