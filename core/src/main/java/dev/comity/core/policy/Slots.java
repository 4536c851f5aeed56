package dev.comity.core.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When the next request may start. Only facts are kept, never a planned slot: a delay that changes
 * moves the slot with it.
 *
 * @param lastStart when a request last started or failed to, as late as the site may have seen it
 * @param restUntil nothing starts before this, whatever the delay
 * @param why what the rest is for
 * @param shared the budget that the domain shared with others when it was last answered
 */
public record Slots(Instant lastStart, Instant restUntil, Turn.Why why, Optional<Sharing> shared) {

  /** Before any crawl. As a stored number it is 0, which is what an empty column holds. */
  public static final Instant NEVER = Instant.EPOCH;

  static final Slots FRESH = new Slots(NEVER, NEVER, Turn.Why.DELAY);

  /** Slots of a domain that shares no budget. */
  public Slots(Instant lastStart, Instant restUntil, Turn.Why why) {
    this(lastStart, restUntil, why, Optional.empty());
  }

  Slots sharing(Optional<Sharing> budget) {
    return budget.equals(shared) ? this : new Slots(lastStart, restUntil, why, budget);
  }

  Slots startedAt(Instant start) {
    return start.isAfter(lastStart) ? new Slots(start, restUntil, why, shared) : this;
  }

  /** A start was so much later for the site than for us; told of the last one, it counts. */
  Slots readLate(Instant start, Duration late) {
    return start.equals(lastStart) ? new Slots(start.plus(late), restUntil, why, shared) : this;
  }

  /**
   * A start that seems to lie ahead is taken to be now. A rest stays: it may have been asked for.
   */
  Slots notAheadOf(Instant now) {
    return lastStart.isAfter(now) ? new Slots(now, restUntil, why, shared) : this;
  }

  /** Rests are only ever extended. */
  Slots restingUntil(Instant until, Turn.Why cause) {
    return until.isAfter(restUntil) ? new Slots(lastStart, until, cause, shared) : this;
  }

  Instant next(Duration effective) {
    Instant slot = lastStart.plus(effective);
    return slot.isAfter(restUntil) ? slot : restUntil;
  }

  Turn.Why whyNot(Duration effective) {
    return lastStart.plus(effective).isAfter(restUntil) ? Turn.Why.DELAY : why;
  }
}
