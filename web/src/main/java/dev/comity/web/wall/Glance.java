package dev.comity.web.wall;

import dev.comity.core.outcome.Body;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A page at first sight: the part of it that a wall would show, in lower case, and how much of that
 * a reader sees. No parser is troubled for it, since every page passes here.
 *
 * @param html the first part of the page
 * @param title what stands in its title
 * @param letters visible characters, spaces not counted, as far as it was worth counting
 * @param links how many anchors there are
 */
record Glance(String html, String title, int letters, int links) {
  /** Walls are short. */
  static final int MOST_BYTES = 64 << 10;

  /** So much to read is a page, whatever else is on it. */
  static final int ENOUGH = 2_000;

  static Glance at(Body body) {
    int length = Math.min(body.length(), MOST_BYTES);
    // One character a byte: signs of walls are ASCII, and nothing here is shown to anybody.
    String html =
        new String(body.bytes(), 0, length, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    return new Glance(html, title(html), letters(html), links(html));
  }

  boolean has(String sign) {
    return html.contains(sign);
  }

  boolean isShorterThan(int characters) {
    return letters < characters && html.length() < MOST_BYTES;
  }

  private static String title(String html) {
    int open = html.indexOf("<title");
    int start = open < 0 ? -1 : html.indexOf('>', open) + 1;
    int end = start <= 0 ? -1 : html.indexOf("</title", start);
    return end < 0 ? "" : html.substring(start, Math.min(end, start + 200)).strip();
  }

  private static int links(String html) {
    int count = 0;
    for (int at = html.indexOf("<a "); at >= 0; at = html.indexOf("<a ", at + 3)) {
      count++;
    }
    return count;
  }

  /** Counts what is outside tags, and outside what is inside of those that show nothing. */
  private static int letters(String html) {
    int count = 0;
    int at = Math.max(0, html.indexOf("<body"));
    while (at < html.length() && count < ENOUGH) {
      char c = html.charAt(at);
      if (c == '<') {
        at = afterTag(html, at);
      } else {
        count += c > ' ' ? 1 : 0;
        at++;
      }
    }
    return count;
  }

  private static int afterTag(String html, int at) {
    for (String hidden : new String[] {"script", "style", "noscript", "template", "svg", "title"}) {
      if (html.startsWith(hidden, at + 1)) {
        return after(html, "</" + hidden, at);
      }
    }
    return html.startsWith("<!--", at) ? after(html, "-->", at) : after(html, ">", at);
  }

  private static int after(String html, String end, int from) {
    int found = html.indexOf(end, from);
    return found < 0 ? html.length() : found + end.length();
  }
}
