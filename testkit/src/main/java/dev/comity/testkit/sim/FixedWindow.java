package dev.comity.testkit.sim;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.random.RandomGenerator;

/** So many requests in each minute or hour of the clock. */
public final class FixedWindow implements SimServer {
  private final int requests;
  private final Duration window;
  private final boolean saysWhen;
  private long current = -1;
  private int served;

  /**
   * A server with this quota.
   *
   * @param saysWhen whether a refusal carries the time to the end of the window
   */
  public FixedWindow(int requests, Duration window, boolean saysWhen) {
    this.requests = requests;
    this.window = window;
    this.saysWhen = saysWhen;
  }

  @Override
  public Reply reply(Duration now, RandomGenerator random) {
    long index = now.dividedBy(window);
    if (index != current) {
      current = index;
      served = 0;
    }
    if (served < requests) {
      served++;
      return SimReplies.PAGE;
    }
    Duration left = window.multipliedBy(index + 1).minus(now);
    return saysWhen
        ? SimReplies.tooFast(left.plusMillis(999).truncatedTo(ChronoUnit.SECONDS))
        : SimReplies.TOO_FAST;
  }

  @Override
  public double allowed(Duration from, Duration to) {
    return (double) to.minus(from).toNanos() / window.toNanos() * requests;
  }
}
