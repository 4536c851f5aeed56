package dev.comity.core.policy;

import java.time.Duration;

/**
 * How fast a site answers: a running average, and a running 95th percentile that needs no samples
 * kept. The percentile moves up by 19 parts when a sample is above it and down by one part when it
 * is not, so it rests where one sample in twenty is above.
 *
 * @param high the estimate of the 95th percentile
 */
public record Latency(int samples, Duration average, Duration high) {
  static final Latency UNKNOWN = new Latency(0, Duration.ZERO, Duration.ZERO);

  private static final int AVERAGED_OVER = 16;
  private static final long PARTS = 400;
  private static final long UP = 19;

  /** An answer that takes three times as long as nearly all others is not worth waiting for. */
  private static final int FACTOR = 3;

  /** A fast site may have a slow moment. */
  private static final Duration SHORTEST = Duration.ofSeconds(5);

  /** Half of what a whole answer may take; also for a site of which nothing is known. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  /** The samples after which the count no longer matters. */
  private static final int ENOUGH = 1_000;

  Latency with(Duration sample) {
    long value = sample.toNanos();
    if (samples == 0) {
      return new Latency(1, sample, sample);
    }
    int count = Math.min(ENOUGH, samples + 1);
    long mean = average.toNanos();
    long p95 = high.toNanos();
    return new Latency(
        count,
        Duration.ofNanos(mean + (value - mean) / Math.min(count, AVERAGED_OVER)),
        Duration.ofNanos(value > p95 ? rise(p95, value, count) : p95 - p95 / PARTS));
  }

  /**
   * The first few samples are taken at their word: a slow site should not time out twenty times.
   */
  private static long rise(long p95, long value, int count) {
    return count <= 20 ? value : Math.min(value, p95 + p95 * UP / PARTS);
  }

  /** Nothing came in time, so what we thought slow was not slow enough. */
  Latency timedOut() {
    if (samples == 0) {
      return this;
    }
    Duration most = LONGEST.dividedBy(FACTOR);
    Duration least = SHORTEST.dividedBy(FACTOR);
    Duration doubled = longer(high, least).multipliedBy(2);
    return new Latency(
        samples, average, doubled.compareTo(most) > 0 ? longer(high, most) : doubled);
  }

  /**
   * How late a request may have been read that was answered after so long: as much as that is more
   * than usual. Of a site that has not answered before, nothing is known.
   */
  Duration lateness(Duration sample) {
    return samples == 0 || sample.compareTo(average) < 0 ? Duration.ZERO : sample.minus(average);
  }

  Duration firstByteTimeout() {
    if (samples == 0) {
      return LONGEST;
    }
    // Asked for every request: Duration multiplies with BigDecimal.
    long wanted = Math.clamp(high.toMillis(), 0, LONGEST.toMillis()) * FACTOR;
    return Duration.ofMillis(Math.clamp(wanted, SHORTEST.toMillis(), LONGEST.toMillis()));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
