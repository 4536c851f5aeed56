package dev.comity.app.demo;

import java.time.Duration;
import java.time.Instant;

/** Lets so many requests through at once and one more after each interval, as servers do. */
final class Bucket {
  private final Duration interval;
  private final int burst;
  private Instant emptyAt = Instant.EPOCH;

  /**
   * @param burst how many beyond the one that is due
   */
  Bucket(Duration interval, int burst) {
    this.interval = interval;
    this.burst = burst;
  }

  synchronized boolean takes(Instant now) {
    Instant from = emptyAt.isAfter(now) ? emptyAt : now;
    if (Duration.between(now, from).compareTo(interval.multipliedBy(burst)) > 0) {
      return false;
    }
    emptyAt = from.plus(interval);
    return true;
  }
}
