package dev.comity.core.port.image;

import dev.comity.core.outcome.Body;

/** Keeps the files of images, each content once. Thread-safe. */
public interface ImageFiles {

  /**
   * Keeps a file, durably, before the image is settled. A crash in between leaves a file without a
   * row. A file that is there is left as it is.
   */
  void keep(ImageFacts image, Body file);
}
