package dev.comity.testkit.sim;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

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
    return phases(from, to).stream()
        .mapToDouble(it -> it.limit().allowed(Duration.ZERO, it.lasting()))
        .sum();
  }

  /** Whole hours only. */
  @Override
  public List<LimitPhase> phases(Duration from, Duration to) {
    boolean dayFirst = isDay(from.toHours());
    long hours = to.toHours() - from.toHours();
    long byDay = LongStream.range(from.toHours(), to.toHours()).filter(ByHour::isDay).count();
    LimitPhase light = new LimitPhase(day, Duration.ofHours(byDay));
    LimitPhase dark = new LimitPhase(night, Duration.ofHours(hours - byDay));
    return Stream.of(dayFirst ? light : dark, dayFirst ? dark : light)
        .filter(it -> it.lasting().isPositive())
        .toList();
  }

  private SimServer at(long hour) {
    return isDay(hour) ? day : night;
  }

  private static boolean isDay(long hour) {
    return hour % 24 >= 8 && hour % 24 < 20;
  }
}
