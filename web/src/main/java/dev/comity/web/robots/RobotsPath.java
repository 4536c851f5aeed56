package dev.comity.web.robots;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The one spelling in which patterns and request targets are compared: octets a URL may hold
 * without escaping stand for themselves, all others as {@code %XX} in upper case. An escaped
 * reserved character keeps its escape, because {@code %2F} and {@code /} are different paths.
 */
final class RobotsPath {
  /** Brackets are reserved, but for hosts: in a path they only ever stand for their escapes. */
  private static final String NEVER_RAW = "\"<>[\\]^`{|}";

  private RobotsPath() {}

  /**
   * A request target. A literal star or dollar is escaped, so that only patterns have wildcards.
   */
  static String ofTarget(String target) {
    String octets =
        new String(target.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    return spelled(octets, false);
  }

  /** A pattern of a file that is text and not octets. */
  static String ofLocation(String location) {
    return spelled(
        new String(location.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1), true);
  }

  /** A rule's pattern, given as octets: stars and a dollar at the very end keep their meaning. */
  static String ofPattern(String octets) {
    return spelled(octets, true);
  }

  private static String spelled(String octets, boolean pattern) {
    StringBuilder out = new StringBuilder(octets.length() + 16);
    for (int i = 0; i < octets.length(); i++) {
      char c = octets.charAt(i);
      if (c == '%' && isEscape(octets, i)) {
        char octet = (char) HexFormat.fromHexDigits(octets, i + 1, i + 3);
        append(out, octet, isUnreserved(octet));
        i += 2;
      } else if (c == '*') {
        append(out, c, pattern);
      } else if (c == '$') {
        append(out, c, pattern && i == octets.length() - 1);
      } else {
        append(out, c, c > ' ' && c < 0x7f && c != '%' && NEVER_RAW.indexOf(c) < 0);
      }
    }
    return out.toString();
  }

  private static void append(StringBuilder out, char octet, boolean raw) {
    if (raw) {
      out.append(octet);
    } else {
      out.append('%').append(HexFormat.of().withUpperCase().toHexDigits((byte) octet));
    }
  }

  private static boolean isEscape(String text, int at) {
    return at + 2 < text.length()
        && HexFormat.isHexDigit(text.charAt(at + 1))
        && HexFormat.isHexDigit(text.charAt(at + 2));
  }

  private static boolean isUnreserved(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "-._~".indexOf(c) >= 0;
  }
}
