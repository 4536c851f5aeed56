package dev.comity.core.policy;

import java.time.Duration;
import java.time.Instant;

/**
 * When the next request may start. Only facts are kept, never a planned slot: a delay that changes
 * moves the slot with it.
 *
 * @param lastStart when a request last started or failed to, as late as the site may have seen it
 * @param restUntil nothing starts before this, whatever the delay
 * @param why what the rest is for
 */
public record Slots(Instant lastStart, Instant restUntil, Turn.Why why) {

  /** Before any crawl. As a stored number it is 0, which is what an empty column holds. */
  public static final Instant NEVER = Instant.EPOCH;

  static final Slots FRESH = new Slots(NEVER, NEVER, Turn.Why.DELAY);

  Slots startedAt(Instant start) {
    return start.isAfter(lastStart) ? new Slots(start, restUntil, why) : this;
  }

  /** A start was so much later for the site than for us; told of the last one, it counts. */
  Slots readLate(Instant start, Duration late) {
    return start.equals(lastStart) ? new Slots(start.plus(late), restUntil, why) : this;
  }

  /**
   * A start that seems to lie ahead is taken to be now. A rest stays: it may have been asked for.
   */
  Slots notAheadOf(Instant now) {
    return lastStart.isAfter(now) ? new Slots(now, restUntil, why) : this;
  }

  /** Rests are only ever extended. */
  Slots restingUntil(Instant until, Turn.Why cause) {
    return until.isAfter(restUntil) ? new Slots(lastStart, until, cause) : this;
  }

  Instant next(Duration effective) {
    Instant slot = lastStart.plus(effective);
    return slot.isAfter(restUntil) ? slot : restUntil;
  }

  Turn.Why whyNot(Duration effective) {
    return lastStart.plus(effective).isAfter(restUntil) ? Turn.Why.DELAY : why;
  }
}
