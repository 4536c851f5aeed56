package dev.comity.core.port.source;

import dev.comity.core.schedule.SourcePace;
import java.time.Instant;

/** The answer to a request for the turn of a source. */
public sealed interface SourceTurn {

  /**
   * The request may start now.
   *
   * @param pace the pace after this start
   */
  record TurnTaken(SourcePace pace) implements SourceTurn {}

  /** No request may start before then. */
  record NotBefore(Instant due) implements SourceTurn {}
}
