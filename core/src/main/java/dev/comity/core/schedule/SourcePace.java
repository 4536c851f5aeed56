package dev.comity.core.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The pace of a source: its URLs start at least an interval apart, on whatever domain.
 *
 * @param interval the effective interval; empty if the source has no minimum
 * @param lastStart when a request for one of its URLs last started
 */
public record SourcePace(Optional<Duration> interval, Optional<Instant> lastStart) {
  /** A source that nothing is known of: its URLs wait for their domains alone. */
  public static final SourcePace FREE = new SourcePace(Optional.empty(), Optional.empty());

  public SourcePace {
    interval = interval.filter(Duration::isPositive);
  }

  /**
   * The pace of a source.
   *
   * @param own the interval of the source; empty for the global one, 0 or less for none
   * @param global the interval where the source sets none; 0 or less for none
   */
  public static SourcePace of(
      Optional<Duration> own, Duration global, Optional<Instant> lastStart) {
    return new SourcePace(Optional.of(own.orElse(global)), lastStart);
  }

  /**
   * When the next URL may start, if it may not start now. A last start in the future is one of a
   * clock that was wrong, and counts as now.
   */
  public Optional<Instant> dueAfter(Instant now) {
    if (interval.isEmpty() || lastStart.isEmpty()) {
      return Optional.empty();
    }
    Instant last = lastStart.get().isAfter(now) ? now : lastStart.get();
    Instant due = last.plus(interval.get());
    return due.isAfter(now) ? Optional.of(due) : Optional.empty();
  }

  /** The time until then in whole seconds, rounded up. */
  public static long waitSeconds(Instant now, Instant due) {
    Duration left = Duration.between(now, due);
    return left.isPositive() ? left.plusSeconds(1).minusNanos(1).toSeconds() : 0;
  }

  /** The same source after a start. */
  public SourcePace started(Instant at) {
    return new SourcePace(interval, Optional.of(at));
  }
}
