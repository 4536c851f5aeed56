package dev.comity.core.port.image;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Success;

/** Reads what a server sent for an image. Any bytes give a reading, never an exception. */
public interface ImageReader {

  /** What was sent. */
  sealed interface ImageReading {}

  /** An image that is taken. */
  record ImageTaken(ImageFacts image) implements ImageReading {}

  /**
   * It is not taken.
   *
   * @param outcome what the request came to
   * @param why in one line for people
   */
  record ImageRefused(FetchOutcome outcome, String why) implements ImageReading {}

  ImageReading read(Success answer);
}
