package dev.comity.testkit.sim;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** One server until some time, another from then on. */
public final class Changing implements SimServer {
  private final SimServer before;
  private final Duration at;
  private final SimServer after;

  public Changing(SimServer before, Duration at, SimServer after) {
    this.before = before;
    this.at = at;
    this.after = after;
  }

  @Override
  public Reply reply(Duration now, RandomGenerator random) {
    return (now.compareTo(at) < 0 ? before : after).reply(now, random);
  }

  @Override
  public double allowed(Duration from, Duration to) {
    double sum = 0;
    if (from.compareTo(at) < 0) {
      sum += before.allowed(from, to.compareTo(at) < 0 ? to : at);
    }
    if (to.compareTo(at) > 0) {
      sum += after.allowed(from.compareTo(at) > 0 ? from : at, to);
    }
    return sum;
  }
}
