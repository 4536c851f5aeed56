package dev.comity.core.port.source;

import java.time.Duration;
import java.time.Instant;

/** What became of a URL that was added on its own. */
public sealed interface AddAnswer {

  /**
   * It is queued.
   *
   * @param later whether the present run is about other domains, so that the next run asks it
   */
  record Enqueued(boolean later) implements AddAnswer {}

  /** It is known already: queued, asked before, or left out by its ending. */
  record Duplicate() implements AddAnswer {}

  /**
   * It is queued, and its source has no turn yet. It is asked by itself when the wait is over.
   *
   * @param waitSeconds whole seconds, rounded up
   * @param interval the source's effective interval
   * @param lastStart when a URL of the source last started
   */
  record Deferred(long waitSeconds, Duration interval, Instant lastStart) implements AddAnswer {
    /** When its source has a turn again. */
    public Instant due() {
      return lastStart.plus(interval);
    }
  }

  /** It is not stored. */
  record Refused(String reason) implements AddAnswer {}
}
