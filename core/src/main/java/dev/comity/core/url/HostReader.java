package dev.comity.core.url;

import dev.comity.core.url.UrlRefusal.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Reads a host in any spelling and gives it the one that goes on the wire. */
final class HostReader {
  static final int LONGEST_NAME = 253;
  static final int LONGEST_LABEL = 63;

  /**
   * Characters that vanish or melt together in IDNA let a spelling be longer than its name, but not
   * by this much, and encoding a label takes the square of its length.
   */
  private static final int LONGEST_SPELLING = 4 * LONGEST_NAME;

  private HostReader() {}

  /** A host, or the reason why a text is none. */
  sealed interface ReadHost permits Host, Reason {}

  /** A host in its canonical spelling. */
  record Host(String text) implements ReadHost {}

  static ReadHost read(String spelling) {
    if (spelling.isEmpty()) {
      return Reason.NO_HOST;
    }
    if (spelling.charAt(0) == '[') {
      return Ipv6Text.read(spelling);
    }
    if (spelling.length() > 3 * LONGEST_SPELLING) {
      return Reason.HOST_TOO_LONG;
    }
    String name = unescaped(spelling);
    if (name.length() > LONGEST_SPELLING) {
      return Reason.HOST_TOO_LONG;
    }
    if (!needsIdna(name)) {
      return readAscii(name.toLowerCase(Locale.ROOT));
    }
    return switch (InternationalName.read(name)) {
      case Reason reason -> reason;
      case Host(String ascii) -> readAscii(ascii);
    };
  }

  private static ReadHost readAscii(String spelling) {
    // A trailing dot says that the name is complete, as every name in a URL is anyway.
    boolean dotted = spelling.endsWith(".");
    String name = dotted ? spelling.substring(0, spelling.length() - 1) : spelling;
    if (name.isEmpty()) {
      return Reason.NO_HOST;
    }
    for (int at = 0; at < name.length(); at++) {
      if (!Characters.isHost(name.charAt(at))) {
        return Reason.HOST_CHARACTER;
      }
    }
    return Ipv4Text.endsInNumber(name) ? Ipv4Text.read(name) : readName(name);
  }

  private static ReadHost readName(String name) {
    int label = 0;
    while (label <= name.length()) {
      int dot = name.indexOf('.', label);
      int end = dot < 0 ? name.length() : dot;
      if (end == label) {
        return Reason.EMPTY_LABEL;
      }
      if (end - label > LONGEST_LABEL) {
        return Reason.LABEL_TOO_LONG;
      }
      label = end + 1;
    }
    return name.length() > LONGEST_NAME ? Reason.HOST_TOO_LONG : new Host(name);
  }

  private static boolean needsIdna(String name) {
    for (int at = 0; at < name.length(); at++) {
      if (name.charAt(at) >= 0x80) {
        return true;
      }
      boolean labelStarts = at == 0 || name.charAt(at - 1) == '.';
      if (labelStarts && name.regionMatches(true, at, "xn--", 0, 4)) {
        return true;
      }
    }
    return false;
  }

  /** The host's escapes stand for UTF-8; what is not UTF-8 becomes a character no host may have. */
  private static String unescaped(String spelling) {
    if (spelling.indexOf('%') < 0) {
      return spelling;
    }
    byte[] bytes = spelling.getBytes(StandardCharsets.UTF_8);
    int length = 0;
    for (int at = 0; at < bytes.length; at++) {
      boolean escape = bytes[at] == '%' && at + 2 < bytes.length;
      int high = escape ? Characters.hex(bytes[at + 1]) : -1;
      int low = escape ? Characters.hex(bytes[at + 2]) : -1;
      if (high >= 0 && low >= 0) {
        bytes[length++] = (byte) (high << 4 | low);
        at += 2;
      } else {
        bytes[length++] = bytes[at];
      }
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
