package dev.comity.testkit.sim;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Gives some answer now and then for no reason, and leaves the rest to another server. */
public final class Moody implements SimServer {
  private final double share;
  private final Reply mood;
  private final SimServer otherwise;

  public Moody(double share, Reply mood, SimServer otherwise) {
    this.share = share;
    this.mood = mood;
    this.otherwise = otherwise;
  }

  @Override
  public Reply reply(Duration now, RandomGenerator random) {
    return random.nextDouble() < share ? mood : otherwise.reply(now, random);
  }

  @Override
  public double allowed(Duration from, Duration to) {
    return otherwise.allowed(from, to);
  }

  @Override
  public List<LimitPhase> phases(Duration from, Duration to) {
    return otherwise.phases(from, to);
  }
}
