package dev.comity.testkit.sim;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

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
    return phases(from, to).stream()
        .mapToDouble(it -> it.limit().allowed(Duration.ZERO, it.lasting()))
        .sum();
  }

  @Override
  public List<LimitPhase> phases(Duration from, Duration to) {
    if (to.compareTo(at) <= 0) {
      return before.phases(from, to);
    }
    if (from.compareTo(at) >= 0) {
      return after.phases(from, to);
    }
    return Stream.concat(before.phases(from, at).stream(), after.phases(at, to).stream()).toList();
  }
}
