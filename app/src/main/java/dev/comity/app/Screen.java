package dev.comity.app;

import java.io.PrintWriter;

/**
 * What a person watches: lines that stay, and on a terminal one line below them that is written
 * over. Nothing passes here but our own words and URLs in normal form, which are printable ASCII.
 */
final class Screen {
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintWriter lines;
  private final PrintWriter status;
  private final int columns;
  private String shown = "";

  /**
   * @param lines where lines that stay go
   * @param status where the live line goes
   * @param columns how wide the terminal is that a live line goes to; 0 where there is none
   */
  Screen(PrintWriter lines, PrintWriter status, int columns) {
    this.lines = lines;
    this.status = status;
    this.columns = columns;
  }

  boolean isLive() {
    return columns > 0;
  }

  synchronized void line(String text) {
    String again = shown;
    clear();
    lines.println(text);
    lines.flush();
    status(again);
  }

  /** Replaces the live line; cut at the width, so that it never wraps and leaves no remains. */
  synchronized void status(String text) {
    if (!isLive()) {
      return;
    }
    shown = text.length() < columns ? text : text.substring(0, columns - 1);
    status.print(CLEAR_LINE + shown);
    status.flush();
  }

  synchronized void clear() {
    if (isLive() && !shown.isEmpty()) {
      status.print(CLEAR_LINE);
      status.flush();
      shown = "";
    }
  }
}
