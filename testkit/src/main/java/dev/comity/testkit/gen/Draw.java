package dev.comity.testkit.gen;

import java.util.List;
import java.util.SplittableRandom;

/** A source of arbitrary choices; the same seed makes the same ones. */
public final class Draw {
  private final SplittableRandom random;

  private Draw(long seed) {
    random = new SplittableRandom(seed);
  }

  /** The choices of this seed. */
  public static Draw of(long seed) {
    return new Draw(seed);
  }

  /** A number from 0 to one less than the bound, all alike. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** A number from 0 to the largest one, every order of magnitude alike. */
  public int logUniform(int largest) {
    double magnitude = random.nextDouble() * Math.log(largest + 1.0);
    return (int) Math.min(largest, Math.floor(Math.exp(magnitude)) - 1 + random.nextInt(2));
  }

  /** True once in so many times. */
  public boolean onceIn(int times) {
    return random.nextInt(times) == 0;
  }

  /** One of the given. */
  public <T> T from(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
