package dev.comity.core.engine.shared;

import dev.comity.core.port.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;

/**
 * A rate limit of request starts over all domains, where one is set. It protects the crawler's own
 * network, as a domain's pace protects the domain. Callers queue, and the first one starts when the
 * last start is long enough ago. So starts are spaced evenly, in the order of arrival.
 *
 * <p>No method blocks, and nothing is reserved: a caller that becomes the first is woken and waits
 * for its time. A caller that leaves the queue costs no start. Without a limit, which is usual, no
 * lock is taken: every request passes here.
 */
public final class StartRate {
  /** Between two starts; empty without a limit. */
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

  /** Whether this caller may start now; if not, it is queued. */
  public boolean admits(Signal asker, Instant now) {
    if (interval.isEmpty()) {
      return true;
    }
    synchronized (this) {
      line.add(asker);
      return isFirst(asker) && !now.isBefore(next);
    }
  }

  /** When to ask again; empty for a caller that is not the first: it is woken when it is. */
  public synchronized Optional<Instant> nextFor(Signal asker) {
    return isFirst(asker) ? Optional.of(next) : Optional.empty();
  }

  /** An admitted caller has started. */
  public void started(Signal asker, Instant now) {
    if (interval.isPresent()) {
      synchronized (this) {
        next = now.plus(interval.get());
        leave(asker);
      }
    }
  }

  /** Leaves the queue. */
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

  /** How many are queued. */
  public synchronized int queuing() {
    return line.size();
  }

  private boolean isFirst(Signal asker) {
    return !line.isEmpty() && line.getFirst() == asker;
  }
}
