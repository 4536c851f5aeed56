package dev.comity.testkit.sim;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * A steady rate with a little room, as nginx's limit_req keeps it: what arrives too early adds to
 * an excess that drains at the rate; what would overflow is refused and adds nothing.
 */
public final class LeakyBucket implements SimServer {
  private final double perSecond;
  private final double burst;
  private final boolean refusedCount;
  private double excess;
  private double lastSeconds = Double.NEGATIVE_INFINITY;

  public LeakyBucket(double perSecond, double burst) {
    this(perSecond, burst, false);
  }

  /**
   * A bucket of this rate and room.
   *
   * @param refusedCount whether a refused request fills it to the brim again
   */
  public LeakyBucket(double perSecond, double burst, boolean refusedCount) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.refusedCount = refusedCount;
  }

  @Override
  public Reply reply(Duration now, RandomGenerator random) {
    double seconds = now.toNanos() / 1e9;
    double drained = Math.max(0, excess - (seconds - lastSeconds) * perSecond);
    double filled = Double.isInfinite(lastSeconds) ? 1 : drained + 1;
    if (filled > burst + 1) {
      if (refusedCount) {
        excess = burst + 1;
        lastSeconds = seconds;
      }
      return SimReplies.TOO_FAST;
    }
    excess = filled;
    lastSeconds = seconds;
    return SimReplies.PAGE;
  }

  @Override
  public double allowed(Duration from, Duration to) {
    return to.minus(from).toNanos() / 1e9 * perSecond;
  }
}
