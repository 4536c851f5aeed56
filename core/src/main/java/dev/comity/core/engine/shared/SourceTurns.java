package dev.comity.core.engine.shared;

import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.port.source.SourceWaits;
import dev.comity.core.port.store.SourceStore;
import dev.comity.core.schedule.SourcePace;
import dev.comity.core.util.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The turns of sources, as the workers of one crawl take them. The store grants a turn in one
 * statement, just before the first byte is written, so the interval holds whatever happens here.
 *
 * <p>What is kept in memory saves connections. A crawl has one request of a source on its way at a
 * time: of a thousand hosts of one source, one is connected to. The interval counts from the first
 * byte and not from the turn. Thread-safe.
 */
public final class SourceTurns implements SourceWaits {
  /** A source beyond that is looked up in the store once more. */
  private static final int MOST = 10_000;

  /** A request that is on its way may come to nothing. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final SourceStore store;
  private final BoundedMap<String, Waiting> waits = BoundedMap.byPut(MOST);

  /**
   * A source without a turn.
   *
   * @param departing the request on its way that has not started
   * @param started when the last request of this crawl started; the store may not know it yet
   */
  private record Waiting(
      Instant until, Duration interval, @Nullable Object departing, Optional<Instant> started) {}

  SourceTurns(SourceStore store) {
    this.store = store;
  }

  @Override
  public synchronized Optional<Instant> until(String source, Instant now) {
    Waiting waiting = waits.get(source);
    if (waiting == null) {
      return Optional.empty();
    }
    if (waiting.departing() != null) {
      // It has not started, and nothing may start within an interval of its start.
      return Optional.of(now.plus(shorter(waiting.interval(), LOOK_AGAIN)));
    }
    if (waiting.until().isAfter(now)) {
      return Optional.of(waiting.until());
    }
    waits.remove(source);
    return Optional.empty();
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /**
   * Lets a request of a source on its way, if none is and the interval has passed.
   *
   * @param request the request, which must {@link #leave} again
   */
  public boolean depart(String source, Object request, Instant now) {
    if (!reserve(source, request, now)) {
      return false;
    }
    // Outside the lock: the store may take long.
    return isFree(source, store.pace(source), Optional.of(request), now);
  }

  private synchronized boolean reserve(String source, Object request, Instant now) {
    boolean free = until(source, now).isEmpty();
    if (free) {
      waits.putLast(source, new Waiting(now, LOOK_AGAIN, request, Optional.empty()));
    }
    return free;
  }

  /** Whether a source has a turn, by its pace and the last start here. Keeps what it finds. */
  private synchronized boolean isFree(
      String source, SourcePace pace, Optional<Object> request, Instant now) {
    Optional<Instant> started =
        Optional.ofNullable(waits.get(source)).flatMap(waiting -> waiting.started());
    SourcePace known =
        started
            .filter(at -> pace.lastStart().filter(last -> !last.isBefore(at)).isEmpty())
            .map(pace::started)
            .orElse(pace);
    Optional<Instant> due = known.dueAfter(now);
    if (known.interval().isEmpty()) {
      waits.remove(source);
    } else {
      Object departing = due.isEmpty() ? request.orElse(null) : null;
      waits.putLast(
          source, new Waiting(due.orElse(now), known.interval().get(), departing, started));
    }
    return due.isEmpty();
  }

  /**
   * When the source has a turn again, as the store says now: an operator may have set its interval.
   * Empty if it has a turn.
   */
  public Optional<Instant> look(String source, Instant now) {
    if (until(source, now).isPresent() && !isDeparting(source)) {
      find(source, store.pace(source), now);
    }
    return until(source, now);
  }

  private synchronized boolean isDeparting(String source) {
    Waiting waiting = waits.get(source);
    return waiting != null && waiting.departing() != null;
  }

  /** A request may have departed while the store was asked. */
  private synchronized void find(String source, SourcePace pace, Instant now) {
    if (!isDeparting(source)) {
      isFree(source, pace, Optional.empty(), now);
    }
  }

  /** Takes the turn for a request that is about to start. */
  public boolean take(String source, Instant now) {
    return switch (store.takeTurn(source, now)) {
      case SourceTurn.TurnTaken _ -> true;
      case SourceTurn.NotBefore(var due) -> {
        refused(source, due);
        yield false;
      }
    };
  }

  private synchronized void refused(String source, Instant due) {
    Waiting waiting = waits.get(source);
    if (waiting != null) {
      waits.putLast(
          source, new Waiting(due, waiting.interval(), waiting.departing(), waiting.started()));
    }
  }

  /** A request that was on its way has started. */
  public synchronized void started(String source, Object request, Instant at) {
    Waiting waiting = waits.get(source);
    if (waiting != null && request.equals(waiting.departing())) {
      Instant until = at.plus(waiting.interval());
      waits.putLast(source, new Waiting(until, waiting.interval(), null, Optional.of(at)));
    }
  }

  /** A request has ended; if it never started, another may go. */
  public synchronized void leave(String source, Object request) {
    Waiting waiting = waits.get(source);
    if (waiting != null && request.equals(waiting.departing())) {
      waits.putLast(
          source, new Waiting(waiting.until(), waiting.interval(), null, waiting.started()));
    }
  }
}
