package dev.comity.core.port.image;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Success;

/** Reads what a server sent for an image. Any bytes give a reading, never an exception. */
public interface ImageReader {

  /** What was sent. */
  sealed interface Reading {}

  /** An image that is taken. */
  record Taken(ImageFacts image) implements Reading {}

  /**
   * It is not taken.
   *
   * @param outcome what the request came to
   * @param why in one line for people
   */
  record Refused(FetchOutcome outcome, String why) implements Reading {}

  Reading read(Success answer);
}
