package dev.comity.core.url;

import java.util.HexFormat;

/** Writes paths and queries in the one spelling a URL has here. */
final class TargetWriter {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final int REPLACEMENT = 0xFFFD;

  private TargetWriter() {}

  /**
   * Appends a path, which starts with a slash of either kind or is empty, without its dot segments.
   * They are looked for in what was written, so that {@code %2e} counts as the dot it is.
   */
  static void path(String text, int start, int end, StringBuilder normal) {
    int root = normal.length();
    normal.append('/');
    int segment = normal.length();
    int at = start < end ? start + 1 : start;
    while (at < end) {
      if (Characters.isSlash(text.charAt(at))) {
        if (!removedDots(normal, root, segment)) {
          normal.append('/');
        }
        segment = normal.length();
        at++;
      } else {
        at = write(text, at, end, normal);
      }
    }
    boolean _ = removedDots(normal, root, segment);
  }

  /** Whether the last segment was a dot segment, which then is gone, with what it took back. */
  private static boolean removedDots(StringBuilder normal, int root, int segment) {
    int length = normal.length() - segment;
    boolean parent = length == 2 && normal.charAt(segment + 1) == '.';
    if (length == 0 || normal.charAt(segment) != '.' || !(length == 1 || parent)) {
      return false;
    }
    boolean atRoot = segment == root + 1;
    normal.setLength(parent && !atRoot ? normal.lastIndexOf("/", segment - 2) + 1 : segment);
    return true;
  }

  /** Appends a query with its question mark; one without characters is left out. */
  static void query(String text, int start, int end, StringBuilder normal) {
    if (end - start < 2) {
      return;
    }
    normal.append('?');
    int at = start + 1;
    while (at < end) {
      at = write(text, at, end, normal);
    }
  }

  /** Appends the character or escape at this place and says where the next one is. */
  private static int write(String text, int at, int end, StringBuilder normal) {
    char character = text.charAt(at);
    if (Characters.isTarget(character)) {
      normal.append(character);
      return at + 1;
    }
    if (character != '%') {
      int codePoint = text.codePointAt(at);
      boolean lone = codePoint == character && Character.isSurrogate(character);
      escape(lone ? REPLACEMENT : codePoint, normal);
      return at + Character.charCount(codePoint);
    }
    int value = Characters.escaped(text, at, end);
    if (value < 0) {
      normal.append("%25");
      return at + 1;
    }
    if (Characters.isUnreserved(value)) {
      normal.append((char) value);
    } else {
      octet(value, normal);
    }
    return at + 3;
  }

  /** The character's UTF-8, each byte as an escape. */
  private static void escape(int codePoint, StringBuilder normal) {
    if (codePoint < 0x80) {
      octet(codePoint, normal);
    } else if (codePoint < 0x800) {
      octet(0xC0 | codePoint >> 6, normal);
      octet(0x80 | (codePoint & 0x3F), normal);
    } else if (codePoint < 0x10000) {
      octet(0xE0 | codePoint >> 12, normal);
      octet(0x80 | (codePoint >> 6 & 0x3F), normal);
      octet(0x80 | (codePoint & 0x3F), normal);
    } else {
      octet(0xF0 | codePoint >> 18, normal);
      octet(0x80 | (codePoint >> 12 & 0x3F), normal);
      octet(0x80 | (codePoint >> 6 & 0x3F), normal);
      octet(0x80 | (codePoint & 0x3F), normal);
    }
  }

  private static void octet(int value, StringBuilder normal) {
    normal.append('%').append(HEX.toHighHexDigit(value)).append(HEX.toLowHexDigit(value));
  }
}
