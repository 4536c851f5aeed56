package dev.comity.testkit.sim;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** One request in so many seconds, measured more or less exactly. */
public final class OnePer implements SimServer {
  private final Duration interval;
  private final double jitter;
  private final boolean refusedCount;
  private Duration last = Duration.ofDays(-1);

  /**
   * A server that wants this interval.
   *
   * @param jitter how far its measure is off, as a share of the interval, evenly to both sides
   * @param refusedCount whether a refused request starts the interval anew
   */
  public OnePer(Duration interval, double jitter, boolean refusedCount) {
    this.interval = interval;
    this.jitter = jitter;
    this.refusedCount = refusedCount;
  }

  @Override
  public Reply reply(Duration now, RandomGenerator random) {
    double wanted = interval.toNanos() * (1 + jitter * (2 * random.nextDouble() - 1));
    boolean early = now.minus(last).toNanos() < wanted;
    if (!early || refusedCount) {
      last = now;
    }
    return early ? SimReplies.TOO_FAST : SimReplies.PAGE;
  }

  @Override
  public double allowed(Duration from, Duration to) {
    return (double) to.minus(from).toNanos() / interval.toNanos();
  }
}
