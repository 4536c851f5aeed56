package dev.comity.web.wall;

import dev.comity.core.outcome.Body;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A short page at first sight: in lower case, and how much of it a reader sees. It needs no parser,
 * since every page passes here.
 *
 * @param html the page
 * @param title what stands in its title
 * @param letters visible characters, spaces not counted
 * @param links how many anchors there are
 */
record PageSketch(String html, String title, int letters, int links) {
  /** Walls are short. */
  static final int MOST_BYTES = 64 << 10;

  /** So much to read is a page, whatever else is on it. */
  static final int ENOUGH = 1_200;

  private static final List<String> HIDDEN =
      List.of("script", "style", "noscript", "template", "svg", "title");

  /** Nothing where a look at its length says that it is no wall. */
  static Optional<PageSketch> at(Body body) {
    if (body.length() >= MOST_BYTES) {
      return Optional.empty();
    }
    // One character a byte: signs of walls are ASCII, and nothing here is displayed.
    String html = new String(body.bytes(), StandardCharsets.ISO_8859_1);
    int letters = letters(html, body.bytes());
    if (letters >= ENOUGH) {
      return Optional.empty();
    }
    String lower = html.toLowerCase(Locale.ROOT);
    return Optional.of(new PageSketch(lower, title(lower), letters, links(lower)));
  }

  boolean has(String sign) {
    return html.contains(sign);
  }

  boolean isShorterThan(int characters) {
    return letters < characters;
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

  /**
   * Counts what is outside tags, and outside what is inside of those that show nothing.
   *
   * @param bytes the same page: reading them one by one takes a third of the time
   */
  private static int letters(String html, byte[] bytes) {
    int count = 0;
    int at = Math.max(0, find(html, "<body", 0));
    while (at < bytes.length && count < ENOUGH) {
      if (bytes[at] == '<') {
        at = afterTag(html, at);
      } else {
        count += (bytes[at] & 0xff) > ' ' ? 1 : 0;
        at++;
      }
    }
    return count;
  }

  private static int afterTag(String html, int at) {
    if (mayBeHidden(html, at + 1)) {
      for (String hidden : HIDDEN) {
        if (html.regionMatches(true, at + 1, hidden, 0, hidden.length())) {
          return after(html, "</" + hidden, at);
        }
      }
    }
    return html.startsWith("<!--", at) ? after(html, "-->", at) : after(html, ">", at);
  }

  /** One look at its first letter spares most tags a comparison with each of those. */
  private static boolean mayBeHidden(String html, int name) {
    return name < html.length() && "sntSNT".indexOf(html.charAt(name)) >= 0;
  }

  private static int after(String html, String end, int from) {
    int found = find(html, end, from);
    return found < 0 ? html.length() : found + end.length();
  }

  /** In upper or lower case; the first character has none. */
  private static int find(String html, String text, int from) {
    int at = html.indexOf(text.charAt(0), from);
    while (at >= 0 && !html.regionMatches(true, at, text, 0, text.length())) {
      at = html.indexOf(text.charAt(0), at + 1);
    }
    return at;
  }
}
