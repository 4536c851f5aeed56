package dev.comity.testkit.sim;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** One server by day, between 8 and 20 o'clock, another by night. */
public final class ByHour implements SimServer {
  private final SimServer day;
  private final SimServer night;

  public ByHour(SimServer day, SimServer night) {
    this.day = day;
    this.night = night;
  }

  @Override
  public Reply reply(Duration now, RandomGenerator random) {
    return at(now.toHours()).reply(now, random);
  }

  @Override
  public double allowed(Duration from, Duration to) {
    double sum = 0;
    for (long hour = from.toHours(); hour < to.toHours(); hour++) {
      sum += at(hour).allowed(Duration.ofHours(hour), Duration.ofHours(hour + 1));
    }
    return sum;
  }

  private SimServer at(long hour) {
    return hour % 24 >= 8 && hour % 24 < 20 ? day : night;
  }
}
