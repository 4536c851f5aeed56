package dev.comity.core.schedule;

import dev.comity.core.util.Require;
import java.time.Duration;
import java.time.Instant;

/**
 * The interval until a page is fetched again. It doubles after each visit that found the page
 * unchanged, and halves after one that found it changed.
 */
public record RefreshInterval(Duration first, Duration shortest, Duration longest) {
  public static final RefreshInterval DEFAULTS =
      new RefreshInterval(Duration.ofDays(14), Duration.ofHours(1), Duration.ofDays(90));

  public RefreshInterval {
    Require.positive(shortest, "shortest");
    Require.ordered(shortest, "shortest", first, "first");
    Require.ordered(first, "first", longest, "longest");
  }

  /** The next interval after a visit. */
  public Duration after(Duration interval, boolean changed) {
    Duration next = changed ? interval.dividedBy(2) : interval.multipliedBy(2);
    if (next.compareTo(shortest) < 0) {
      return shortest;
    }
    return next.compareTo(longest) > 0 ? longest : next;
  }

  /** When a page is due that was last visited then. */
  public static Instant due(Instant visited, Duration interval) {
    return visited.plus(interval);
  }
}
