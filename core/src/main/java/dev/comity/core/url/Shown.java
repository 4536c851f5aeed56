package dev.comity.core.url;

/** Somebody else's text, made fit for one line of a log or a terminal. */
final class Shown {
  private static final int LONGEST = 100;

  private Shown() {}

  /** The text, or the start of it and an ellipsis. */
  static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
  }

  /**
   * The text in quotes. What could move the cursor, turn the reading direction or not be written at
   * all is shown as an escape, so that one message stays one line and says what was there.
   */
  static String quoted(String text) {
    StringBuilder shown = new StringBuilder(text.length() + 2).append('"');
    for (int at = 0; at < text.length(); at++) {
      char character = text.charAt(at);
      boolean pair =
          at + 1 < text.length() && Character.isSurrogatePair(character, text.charAt(at + 1));
      if (pair && isVisible(text.codePointAt(at))) {
        shown.append(character).append(text.charAt(++at));
      } else if (character == '"' || character == '\\') {
        shown.append('\\').append(character);
      } else if (!pair && isVisible(character)) {
        shown.append(character);
      } else {
        shown.append("\\u%04X".formatted((int) character));
        if (pair) {
          shown.append("\\u%04X".formatted((int) text.charAt(++at)));
        }
      }
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
