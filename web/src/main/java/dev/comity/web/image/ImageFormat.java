package dev.comity.web.image;

/** The formats that are told apart, by their bytes and never by name or Content-Type. */
public enum ImageFormat {
  JPEG("image/jpeg", "jpg"),
  PNG("image/png", "png"),
  GIF("image/gif", "gif"),
  WEBP("image/webp", "webp"),
  AVIF("image/avif", "avif"),
  HEIC("image/heic", "heic"),
  BMP("image/bmp", "bmp"),
  ICO("image/x-icon", "ico"),
  TIFF("image/tiff", "tif"),
  JXL("image/jxl", "jxl"),
  /** Text that a browser draws and that may hold scripts: no raster image. */
  SVG("image/svg+xml", "svg");

  private final String mediaType;
  private final String ending;

  ImageFormat(String mediaType, String ending) {
    this.mediaType = mediaType;
    this.ending = ending;
  }

  public String mediaType() {
    return mediaType;
  }

  /** The ending of a file's name. */
  public String ending() {
    return ending;
  }

  public boolean isRaster() {
    return this != SVG;
  }
}
