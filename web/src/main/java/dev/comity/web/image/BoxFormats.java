package dev.comity.web.image;

import java.util.Optional;

/** AVIF and HEIC: boxes in boxes, of which one says how large the image is. */
final class BoxFormats {
  /** Boxes of one file; more are not looked at. */
  private static final int MOST_BOXES = 1_000;

  private static final int MOST_BRANDS = 32;

  private final ImageBytes bytes;
  private int boxes;
  private long width;
  private long height;

  private BoxFormats(ImageBytes bytes) {
    this.bytes = bytes;
  }

  /** By the brands of its first box; the major one counts first. */
  static Optional<ImageFormat> format(ImageBytes bytes) {
    long end = Math.min(bytes.big32(0), 16 + 4L * MOST_BRANDS);
    for (long at = 8; at + 4 <= end; at += at == 8 ? 8 : 4) {
      Optional<ImageFormat> format = brand(bytes.text((int) at, (int) at + 4));
      if (format.isPresent()) {
        return format;
      }
    }
    return Optional.empty();
  }

  private static Optional<ImageFormat> brand(String brand) {
    return switch (brand) {
      case "avif", "avis" -> Optional.of(ImageFormat.AVIF);
      case "heic", "heix", "heim", "heis", "hevc", "hevx" -> Optional.of(ImageFormat.HEIC);
      default -> Optional.empty();
    };
  }

  /** The largest size stated in it: a file has thumbnails and tiles, too. */
  static ImageHeader header(ImageFormat format, ImageBytes bytes) {
    BoxFormats reader = new BoxFormats(bytes);
    reader.walk(0, bytes.length(), "meta", 4);
    return ImageHeader.sized(format, reader.width, reader.height);
  }

  /**
   * Goes over the boxes of a stretch and into those of one type.
   *
   * @param skip how many bytes stand before the boxes inside of it
   */
  private void walk(long start, long end, String into, int skip) {
    long at = start;
    while (at + 8 <= end && boxes < MOST_BOXES) {
      boxes++;
      long length = bytes.big32(at);
      long head = 8;
      if (length == 1) {
        // Of a length in 64 bits, a file that we have needs the lower half only.
        length = bytes.big32(at + 8) == 0 ? bytes.big32(at + 12) : end - at;
        head = 16;
      }
      long next = length == 0 ? end : Math.min(end, at + length);
      if (next < at + head) {
        return;
      }
      if (bytes.has(at + 4, into)) {
        inside(into, at + head + skip, next);
      }
      at = next;
    }
  }

  private void inside(String type, long start, long end) {
    switch (type) {
      case "meta" -> walk(start, end, "iprp", 0);
      case "iprp" -> walk(start, end, "ipco", 0);
      case "ipco" -> walk(start, end, "ispe", 4);
      default -> {
        long across = bytes.big32(start);
        long down = bytes.big32(start + 4);
        // Compared as doubles: the product of two foreign numbers does not fit.
        if ((double) across * down > (double) width * height) {
          width = across;
          height = down;
        }
      }
    }
  }
}
