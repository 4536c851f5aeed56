package dev.comity.web.image;

import java.util.Optional;

/**
 * Which images are taken, judged without decoding them.
 *
 * @param minSide the least width and height in pixels
 * @param maxPixels no image with more is taken or decoded
 */
public record ImageLimits(int minSide, long maxPixels) {
  /**
   * Smaller than 64 pixels are icons and counters. A hundred million pixels take 400 MB when they
   * are decoded, and no camera of today makes more.
   */
  public static final ImageLimits USUAL = new ImageLimits(64, 100_000_000);

  public ImageLimits {
    if (minSide < 0 || maxPixels < 1) {
      throw new IllegalArgumentException("image limits: " + minSide + ", " + maxPixels);
    }
  }

  /** Why a file is not taken, for people; empty if it is. */
  public Optional<String> refusal(byte[] file) {
    Optional<ImageHeader> header = ImageHeader.read(file);
    return header.isEmpty() ? Optional.of("it is no image") : refusal(header.get());
  }

  /** The same of a file whose header has been read. */
  public Optional<String> refusal(ImageHeader header) {
    if (!header.format().isRaster()) {
      return Optional.of("SVG is no raster image");
    }
    if (!header.hasSize()) {
      // Of JPEG XL only the type is known.
      return header.format() == ImageFormat.JXL
          ? Optional.empty()
          : Optional.of("its size cannot be read");
    }
    String size = header.width() + " × " + header.height() + " pixels";
    if (header.pixels() > maxPixels) {
      return Optional.of(size + " are too many");
    }
    if (Math.min(header.width(), header.height()) < minSide) {
      return Optional.of(size + " are too few");
    }
    return Optional.empty();
  }
}
