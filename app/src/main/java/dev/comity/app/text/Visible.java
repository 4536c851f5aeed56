package dev.comity.app.text;

import java.util.HexFormat;

/**
 * Text from elsewhere as it may stand on a terminal: whatever does not stand on its line as a
 * character does is shown as an escape.
 */
public final class Visible {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private Visible() {}

  public static String text(String remote) {
    StringBuilder shown = new StringBuilder(remote.length());
    remote.codePoints().forEach(point -> append(shown, point));
    return shown.toString();
  }

  private static void append(StringBuilder shown, int point) {
    switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR -> {
        for (char unit : Character.toChars(point)) {
          shown.append("\\u").append(HEX.toHexDigits(unit));
        }
      }
      default -> shown.appendCodePoint(point);
    }
  }
}
