package dev.comity.archive;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Tells from an answer's head whether its body is compressed already. */
final class PackedBodies {
  private static final List<String> TYPES =
      List.of(
          "image/jpeg", "image/png", "image/webp", "image/gif", "image/avif", "application/zip");

  private PackedBodies() {}

  static boolean isPacked(ByteBuffer head) {
    String lines = StandardCharsets.ISO_8859_1.decode(head.duplicate()).toString();
    for (String line : (Iterable<String>) lines.lines()::iterator) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        continue;
      }
      if (isNamed(line, colon, "content-encoding")) {
        String value = line.substring(colon + 1).strip();
        if (!value.isEmpty() && !value.equalsIgnoreCase("identity")) {
          return true;
        }
      } else if (isNamed(line, colon, "content-type")) {
        String value = line.substring(colon + 1).strip().toLowerCase(Locale.ROOT);
        if (TYPES.stream().anyMatch(value::startsWith)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isNamed(String line, int colon, String name) {
    return colon == name.length() && line.regionMatches(true, 0, name, 0, colon);
  }
}
