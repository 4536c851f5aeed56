package dev.comity.content;

/**
 * Text that is written line by line, each with a prefix: the mark of a list item or of a quotation.
 * What is beyond the limit is left out.
 */
final class Lines {
  /** In characters: twice the longest page. */
  static final int MOST = 2 * PageDocument.LONGEST_PAGE;

  private final StringBuilder out = new StringBuilder();
  private String prefix = "";
  private String mark = "";
  private boolean blankDue;

  boolean isFull() {
    return out.length() >= MOST;
  }

  /** A block starts after an empty line, unless it is the first of its list item. */
  void block() {
    blankDue = !out.isEmpty() && mark.isEmpty();
  }

  /** Writes one line; an empty one has no spaces at its end. */
  void line(String text) {
    if (isFull()) {
      return;
    }
    if (blankDue) {
      out.append(prefix.stripTrailing()).append('\n');
      blankDue = false;
    }
    String whole = (mark.isEmpty() ? prefix : mark) + text;
    mark = "";
    out.append(text.isEmpty() ? whole.stripTrailing() : whole).append('\n');
  }

  /** Writes what is inside behind a prefix; its first line has a mark in place of it. */
  void inside(String first, String further, Runnable inside) {
    String outer = prefix;
    if (blankDue) {
      out.append(prefix.stripTrailing()).append('\n');
      blankDue = false;
    }
    mark = (mark.isEmpty() ? prefix : mark) + first;
    prefix = prefix + further;
    inside.run();
    prefix = outer;
    mark = "";
  }

  @Override
  public String toString() {
    return out.toString();
  }

  /** A text with every stretch of white space as one space, cut to a length. */
  static String oneLine(String text, int most) {
    StringBuilder line = new StringBuilder(Math.min(text.length(), most));
    boolean space = false;
    for (int at = 0; at < text.length() && line.length() < most; at++) {
      char character = text.charAt(at);
      if (Character.isWhitespace(character) || character == '\u00a0' || character < ' ') {
        space = !line.isEmpty();
      } else {
        line.append(space ? " " : "").append(character);
        space = false;
      }
    }
    int end = line.length();
    boolean half = end > 0 && Character.isHighSurrogate(line.charAt(end - 1));
    return line.substring(0, half ? end - 1 : end);
  }
}
