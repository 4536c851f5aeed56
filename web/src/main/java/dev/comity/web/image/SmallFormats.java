package dev.comity.web.image;

/** Sizes of the formats that have them in fixed places. */
final class SmallFormats {
  /** Of a TIFF directory; more entries are not looked at. */
  private static final int MOST_ENTRIES = 512;

  private static final int WIDTH_TAG = 256;
  private static final int HEIGHT_TAG = 257;
  private static final int SHORT = 3;
  private static final int LONG = 4;

  private SmallFormats() {}

  static ImageHeader webp(ImageBytes bytes) {
    if (bytes.has(12, "VP8X")) {
      return ImageHeader.sized(ImageFormat.WEBP, bytes.little24(24) + 1L, bytes.little24(27) + 1L);
    }
    if (bytes.has(12, "VP8L") && bytes.at(20) == 0x2f) {
      long bits = bytes.little32(21);
      return ImageHeader.sized(ImageFormat.WEBP, (bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1);
    }
    if (bytes.has(12, "VP8 ") && bytes.has(23, "\u009d\u0001*")) {
      return ImageHeader.sized(
          ImageFormat.WEBP, bytes.little16(26) & 0x3fff, bytes.little16(28) & 0x3fff);
    }
    return new ImageHeader(ImageFormat.WEBP, 0, 0);
  }

  /** The known sizes of its second header. */
  static boolean isBmp(ImageBytes bytes) {
    long header = bytes.little32(14);
    return header == 12 || (header >= 16 && header <= 124 && bytes.little16(26) == 1);
  }

  static ImageHeader bmp(ImageBytes bytes) {
    if (bytes.little32(14) == 12) {
      return ImageHeader.sized(ImageFormat.BMP, bytes.little16(18), bytes.little16(20));
    }
    // A negative height says that the rows come from the top.
    long height = (int) bytes.little32(22);
    return ImageHeader.sized(ImageFormat.BMP, bytes.little32(18), Math.abs(height));
  }

  /** A directory of at least one image, whose data lie in the file behind the directory. */
  static boolean isIco(ImageBytes bytes) {
    int count = bytes.little16(4);
    long data = bytes.little32(18);
    return count > 0 && bytes.at(9) == 0 && data >= 6 + 16L * count && bytes.little32(14) > 0;
  }

  /** The largest of its images. */
  static ImageHeader ico(ImageBytes bytes) {
    int width = 0;
    int height = 0;
    int count = bytes.little16(4);
    for (int entry = 0; entry < count && 6 + 16L * entry < bytes.length(); entry++) {
      int across = side(bytes.at(6 + 16L * entry));
      int down = side(bytes.at(7 + 16L * entry));
      if ((long) across * down > (long) width * height) {
        width = across;
        height = down;
      }
    }
    return ImageHeader.sized(ImageFormat.ICO, width, height);
  }

  private static int side(int written) {
    return written == 0 ? 256 : written;
  }

  static ImageHeader tiff(ImageBytes bytes) {
    boolean little = bytes.at(0) == 'I';
    long directory = word(bytes, 4, little);
    int entries = Math.min(half(bytes, directory, little), MOST_ENTRIES);
    long width = 0;
    long height = 0;
    for (int entry = 0; entry < entries; entry++) {
      long at = directory + 2 + 12L * entry;
      int tag = half(bytes, at, little);
      if (tag == WIDTH_TAG) {
        width = value(bytes, at, little);
      } else if (tag == HEIGHT_TAG) {
        height = value(bytes, at, little);
      }
    }
    return ImageHeader.sized(ImageFormat.TIFF, width, height);
  }

  private static long value(ImageBytes bytes, long entry, boolean little) {
    return switch (half(bytes, entry + 2, little)) {
      case SHORT -> half(bytes, entry + 8, little);
      case LONG -> word(bytes, entry + 8, little);
      default -> 0;
    };
  }

  private static int half(ImageBytes bytes, long place, boolean little) {
    return little ? bytes.little16(place) : bytes.big16(place);
  }

  private static long word(ImageBytes bytes, long place, boolean little) {
    return little ? bytes.little32(place) : bytes.big32(place);
  }
}
