package dev.comity.core.util;

import java.util.HexFormat;

/**
 * Foreign text as it may stand on one line of a terminal, a log or a message. A character that
 * could move the cursor, end the line, turn the reading direction or not be shown at all becomes an
 * escape.
 */
public final class Printable {
  private static final int LONGEST = 100;
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private Printable() {}

  /** The text with such characters as {@code \u001B}. */
  public static String text(String foreign) {
    StringBuilder shown = new StringBuilder(foreign.length());
    foreign.codePoints().forEach(point -> append(shown, point));
    return shown.toString();
  }

  /** The text in quotes; quotes and backslashes in it are escaped too. */
  public static String quoted(String foreign) {
    StringBuilder shown = new StringBuilder(foreign.length() + 2).append('"');
    foreign
        .codePoints()
        .forEach(
            point -> {
              if (point == '"' || point == '\\') {
                shown.append('\\');
              }
              append(shown, point);
            });
    return shown.append('"').toString();
  }

  /** The text, or its first 99 characters and an ellipsis. */
  public static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
  }

  /** Whether a code point stands on its line as a character does. */
  public static boolean isPrintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private static void append(StringBuilder shown, int point) {
    if (isPrintable(point)) {
      shown.appendCodePoint(point);
      return;
    }
    for (char unit : Character.toChars(point)) {
      shown.append("\\u").append(HEX.toHexDigits(unit));
    }
  }
}
