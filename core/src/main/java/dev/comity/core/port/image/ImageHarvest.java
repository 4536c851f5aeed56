package dev.comity.core.port.image;

import java.util.Optional;

/**
 * A crawl that collects images.
 *
 * @param files where files are kept; empty if only their rows are
 */
public record ImageHarvest(ImageReader reader, Optional<ImageFiles> files) {}
