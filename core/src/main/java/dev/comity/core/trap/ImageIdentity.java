package dev.comity.core.trap;

import dev.comity.core.trap.UrlParts.Parameter;
import dev.comity.core.url.CrawlUrl;
import java.util.Locale;
import java.util.Set;

/**
 * Which URLs show the same image. Parameters after a file name only say its size or its version. A
 * program is told by its parameters which image to show, but for the visitor's session.
 */
final class ImageIdentity {
  private static final Set<String> FILE_ENDINGS =
      Set.of(
          "avif", "bmp", "gif", "heic", "ico", "jpeg", "jpg", "jxl", "png", "svg", "tif", "tiff",
          "webp");

  private ImageIdentity() {}

  /** A hash that is the same for URLs of the same image. */
  static long of(CrawlUrl image) {
    if (UrlParts.hasNone(image)) {
      return Hashes.of(image.toString());
    }
    UrlParts parts = UrlParts.of(image);
    StringBuilder identity = new StringBuilder(image.authority() + parts.path());
    if (!isFile(parts.path())) {
      for (Parameter one : parts.parameters()) {
        if (SessionIds.name(one.name(), one.value()).isEmpty()) {
          identity.append('&').append(one.name()).append('=').append(one.value());
        }
      }
    }
    return Hashes.of(identity.toString());
  }

  private static boolean isFile(String path) {
    String ending = path.substring(path.lastIndexOf('.') + 1);
    return FILE_ENDINGS.contains(ending.toLowerCase(Locale.ROOT));
  }
}
