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
 */
public record Fetched(
    FetchOutcome outcome,
    Optional<Duration> firstByte,
    Duration total,
    long bytes,
    Optional<String> note) {

  /** One with nothing to note. */
  public Fetched(FetchOutcome outcome, Optional<Duration> firstByte, Duration total, long bytes) {
    this(outcome, firstByte, total, bytes, Optional.empty());
  }

  /** The same attempt, understood as this. */
  public Fetched as(FetchOutcome other, String why) {
    return new Fetched(other, firstByte, total, bytes, Optional.of(why));
  }
}
