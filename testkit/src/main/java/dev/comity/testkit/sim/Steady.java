package dev.comity.testkit.sim;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Always gives the same answer, after the same time. */
public final class Steady implements SimServer {
  private final Reply reply;

  public Steady(Reply reply) {
    this.reply = reply;
  }

  /** A server that serves whatever is asked. */
  public static SimServer serving() {
    return new Steady(SimReplies.PAGE);
  }

  @Override
  public Reply reply(Duration now, RandomGenerator random) {
    return reply;
  }

  @Override
  public double allowed(Duration from, Duration to) {
    return Double.POSITIVE_INFINITY;
  }
}
