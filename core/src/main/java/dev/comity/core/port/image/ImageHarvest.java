package dev.comity.core.port.image;

import java.util.Optional;

/**
 * A crawl that collects images.
 *
 * @param files where files are kept; empty if only their rows are
 * @param byYield whether scarce pages of the run are used where images are
 */
public record ImageHarvest(ImageReader reader, Optional<ImageFiles> files, boolean byYield) {

  /** One that looks for images first. */
  public ImageHarvest(ImageReader reader, Optional<ImageFiles> files) {
    this(reader, files, true);
  }
}
