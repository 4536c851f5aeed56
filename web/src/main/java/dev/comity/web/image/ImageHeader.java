package dev.comity.web.image;

import java.util.Optional;

/**
 * What the first bytes of an image file tell.
 *
 * @param width in pixels as stored, before any rotation; 0 if it cannot be read
 * @param height the same
 */
public record ImageHeader(ImageFormat format, int width, int height) {

  public ImageHeader {
    boolean known = width > 0 && height > 0;
    width = known ? width : 0;
    height = known ? height : 0;
  }

  /** Empty for bytes that are no image. Cut-off files are read as far as they go. */
  public static Optional<ImageHeader> read(byte[] file) {
    ImageBytes bytes = new ImageBytes(file);
    return format(bytes).map(format -> of(format, bytes));
  }

  public boolean hasSize() {
    return width > 0;
  }

  /** How many pixels decoding would make. */
  public long pixels() {
    return (long) width * height;
  }

  static ImageHeader sized(ImageFormat format, long width, long height) {
    boolean fits = width <= Integer.MAX_VALUE && height <= Integer.MAX_VALUE;
    return new ImageHeader(format, fits ? (int) width : 0, fits ? (int) height : 0);
  }

  private static Optional<ImageFormat> format(ImageBytes bytes) {
    if (bytes.has(0, "\u00ff\u00d8\u00ff")) {
      return Optional.of(ImageFormat.JPEG);
    }
    if (bytes.has(0, "\u0089PNG\r\n\u001a\n")) {
      return Optional.of(ImageFormat.PNG);
    }
    if (bytes.has(0, "GIF87a") || bytes.has(0, "GIF89a")) {
      return Optional.of(ImageFormat.GIF);
    }
    if (bytes.has(0, "RIFF") && bytes.has(8, "WEBP")) {
      return Optional.of(ImageFormat.WEBP);
    }
    if (bytes.has(0, "II*\0") || bytes.has(0, "MM\0*")) {
      return Optional.of(ImageFormat.TIFF);
    }
    // Other files begin with BM and 0 0 1 0 too: what follows must fit.
    if (bytes.has(0, "BM") && SmallFormats.isBmp(bytes)) {
      return Optional.of(ImageFormat.BMP);
    }
    if (bytes.has(0, "\0\0\1\0") && SmallFormats.isIco(bytes)) {
      return Optional.of(ImageFormat.ICO);
    }
    if (bytes.has(0, "\u00ff\n") || bytes.has(0, "\0\0\0\fJXL \r\n\u0087\n")) {
      return Optional.of(ImageFormat.JXL);
    }
    return bytes.has(4, "ftyp") ? BoxFormats.format(bytes) : SvgText.format(bytes);
  }

  private static ImageHeader of(ImageFormat format, ImageBytes bytes) {
    return switch (format) {
      case JPEG -> jpeg(bytes);
      case PNG ->
          bytes.has(12, "IHDR")
              ? sized(format, bytes.big32(16), bytes.big32(20))
              : new ImageHeader(format, 0, 0);
      case GIF -> sized(format, bytes.little16(6), bytes.little16(8));
      case WEBP -> SmallFormats.webp(bytes);
      case BMP -> SmallFormats.bmp(bytes);
      case ICO -> SmallFormats.ico(bytes);
      case TIFF -> SmallFormats.tiff(bytes);
      case AVIF, HEIC -> BoxFormats.header(format, bytes);
      case JXL, SVG -> new ImageHeader(format, 0, 0);
    };
  }

  /** Segments are skipped by their lengths up to the frame's header. */
  private static ImageHeader jpeg(ImageBytes bytes) {
    long at = 2;
    while (at + 4 <= bytes.length() && bytes.at(at) == 0xff) {
      int marker = bytes.at(at + 1);
      boolean frame =
          marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
      if (frame) {
        return sized(ImageFormat.JPEG, bytes.big16(at + 7), bytes.big16(at + 5));
      }
      if (marker == 0xff) {
        at++;
      } else if (marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
        at += 2;
      } else if (marker == 0xd9 || marker == 0xda || bytes.big16(at + 2) < 2) {
        break;
      } else {
        at += 2 + bytes.big16(at + 2);
      }
    }
    return new ImageHeader(ImageFormat.JPEG, 0, 0);
  }
}
