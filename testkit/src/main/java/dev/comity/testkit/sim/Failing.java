package dev.comity.testkit.sim;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Fails for the first part of every period, and is otherwise another server. */
public final class Failing implements SimServer {
  private final Duration period;
  private final Duration failing;
  private final Reply failure;
  private final SimServer otherwise;

  public Failing(Duration period, Duration failing, Reply failure, SimServer otherwise) {
    this.period = period;
    this.failing = failing;
    this.failure = failure;
    this.otherwise = otherwise;
  }

  @Override
  public Reply reply(Duration now, RandomGenerator random) {
    long into = now.toNanos() % period.toNanos();
    return into < failing.toNanos() ? failure : otherwise.reply(now, random);
  }

  @Override
  public double allowed(Duration from, Duration to) {
    double up = 1 - (double) failing.toNanos() / period.toNanos();
    return otherwise.allowed(from, to) * up;
  }
}
