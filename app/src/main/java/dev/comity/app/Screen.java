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
  private final boolean live;
  private String shown = "";

  /**
   * @param lines where lines that stay go
   * @param status where the live line goes
   * @param live whether there is a terminal to write a live line on
   */
  Screen(PrintWriter lines, PrintWriter status, boolean live) {
    this.lines = lines;
    this.status = status;
    this.live = live;
  }

  boolean isLive() {
    return live;
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
    if (!live) {
      return;
    }
    shown = text.length() > 79 ? text.substring(0, 79) : text;
    status.print(CLEAR_LINE + shown);
    status.flush();
  }

  synchronized void clear() {
    if (live && !shown.isEmpty()) {
      status.print(CLEAR_LINE);
      status.flush();
      shown = "";
    }
  }
}
