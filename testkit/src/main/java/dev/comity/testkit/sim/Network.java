package dev.comity.testkit.sim;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The way to a server: 20 ms plus the jitter, give or take the jitter (one standard deviation), and
 * never less than a millisecond.
 *
 * @param jitter how unevenly it carries
 */
public record Network(Duration jitter) {
  /** A good line. */
  public static final Network STEADY = new Network(Duration.ofMillis(2));

  private static final double LEAST = 1e6;
  private static final double USUAL = 20e6;

  /** One way, in nanoseconds. */
  long oneWay(RandomGenerator random) {
    double spread = (double) jitter.toNanos();
    return (long) Math.max(LEAST, USUAL + spread + spread * random.nextGaussian());
  }
}
