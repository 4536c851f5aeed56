package dev.comity.core.url;

import java.util.HexFormat;

/** Foreign text, made safe for one line of a log or a terminal. */
public final class Shown {
  private static final int LONGEST = 100;
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private Shown() {}

  /** The text, or the start of it and an ellipsis. */
  public static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
  }

  /**
   * The text in quotes. What could move the cursor, turn the reading direction or not be written at
   * all is shown as an escape, so that one message stays one line and says what was there.
   */
  public static String quoted(String text) {
    StringBuilder shown = new StringBuilder(text.length() + 2).append('"');
    for (int at = 0; at < text.length(); at++) {
      int codePoint = text.codePointAt(at);
      if (codePoint == '"' || codePoint == '\\') {
        shown.append('\\').append((char) codePoint);
      } else if (isVisible(codePoint)) {
        shown.appendCodePoint(codePoint);
      } else {
        for (char unit : Character.toChars(codePoint)) {
          shown.append("\\u").append(HEX.toHexDigits(unit));
        }
      }
      at += Character.charCount(codePoint) - 1;
    }
    return shown.append('"').toString();
  }

  private static boolean isVisible(int codePoint) {
    return switch (Character.getType(codePoint)) {
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
}
