package dev.comity.core.outcome;

import java.time.Duration;
import java.util.Optional;

/**
 * One finished attempt as it was on the wire.
 *
 * @param firstByte from the start of the request to the first byte of the response, where one came
 * @param total from asking to the end, connecting included
 * @param bytes what was read of the body, before decoding
 * @param note what is worth knowing beside the outcome, such as by what sign a wall was recognised;
 *     in one line for people
 * @param announced what the answer says about the pace its site wants
 */
public record Fetched(
    FetchOutcome outcome,
    Optional<Duration> firstByte,
    Duration total,
    long bytes,
    Optional<String> note,
    Announced announced) {

  /** One with nothing to note. */
  public Fetched(FetchOutcome outcome, Optional<Duration> firstByte, Duration total, long bytes) {
    this(outcome, firstByte, total, bytes, Optional.empty(), Announced.NOTHING);
  }

  /** The same attempt, and what its answer announced. */
  public Fetched announcing(Announced other) {
    return new Fetched(outcome, firstByte, total, bytes, note, other);
  }

  /** The same attempt, understood as this. */
  public Fetched as(FetchOutcome other, String why) {
    return new Fetched(other, firstByte, total, bytes, Optional.of(why), announced);
  }
}
