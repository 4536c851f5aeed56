package dev.comity.core.engine.shared;

import dev.comity.core.port.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;

/**
 * So many requests a second in all, where that is set: it protects one's own line, as a domain's
 * pace protects the domain. Whoever could start stands in line, and the first in it goes when the
 * last start is long enough ago. So the requests of all domains are spaced evenly, and nobody is
 * overtaken.
 *
 * <p>Asking never blocks and reserves nothing: who comes to be first is woken, and waits for its
 * time like for any other. Who leaves the line costs nobody a start. Without a limit, which is
 * usual, nobody's lock is taken: every request comes by here.
 */
public final class StartRate {
  /** None without a limit. */
  private final Optional<Duration> interval;

  private final LinkedHashSet<Signal> line = new LinkedHashSet<>();
  private Instant next = Instant.MIN;

  /**
   * @param perSecond starts a second; 0 for no limit
   */
  StartRate(double perSecond) {
    interval =
        perSecond == 0
            ? Optional.empty()
            : Optional.of(Duration.ofNanos(Math.round(1_000_000_000 / perSecond)));
  }

  /** Whether this one may start now; if not, it stands in line from now on. */
  public boolean admits(Signal asker, Instant now) {
    if (interval.isEmpty()) {
      return true;
    }
    synchronized (this) {
      line.add(asker);
      return isFirst(asker) && !now.isBefore(next);
    }
  }

  /** When to ask again; empty for who is not first, and is woken when it is. */
  public synchronized Optional<Instant> nextFor(Signal asker) {
    return isFirst(asker) ? Optional.of(next) : Optional.empty();
  }

  /** One that was admitted has started. */
  public void started(Signal asker, Instant now) {
    if (interval.isPresent()) {
      synchronized (this) {
        next = now.plus(interval.get());
        leave(asker);
      }
    }
  }

  /** Leaves the line. */
  public void leave(Signal asker) {
    if (interval.isPresent()) {
      synchronized (this) {
        boolean wasFirst = isFirst(asker);
        if (line.remove(asker) && wasFirst && !line.isEmpty()) {
          line.getFirst().raise();
        }
      }
    }
  }

  /** How many stand in line. */
  public synchronized int queuing() {
    return line.size();
  }

  private boolean isFirst(Signal asker) {
    return !line.isEmpty() && line.getFirst() == asker;
  }
}
