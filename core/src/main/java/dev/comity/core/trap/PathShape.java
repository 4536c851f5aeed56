package dev.comity.core.trap;

import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.Optional;

/**
 * Shapes that links get by mistakes of a site's software, and that have no end. How long a URL may
 * be is a matter of scope.
 */
final class PathShape {
  /** How deep a path may be: sites that people sort into folders have ten levels at most. */
  private static final int MOST_SEGMENTS = 20;

  private static final int LONGEST_CYCLE = 4;

  /** No path of fewer names repeats itself. */
  private static final int SHORTEST_ROW = 4;

  private PathShape() {}

  static Optional<TrapReason> trap(CrawlUrl url) {
    if (isShort(url, SHORTEST_ROW)) {
      return Optional.empty();
    }
    List<String> segments = UrlParts.of(url).segments();
    if (segments.size() > MOST_SEGMENTS) {
      return Optional.of(TrapReason.TOO_DEEP);
    }
    return repeats(segments) ? Optional.of(TrapReason.REPEATING) : Optional.empty();
  }

  /** Whether a path surely has fewer names than that: it has fewer slashes. Most links do. */
  private static boolean isShort(CrawlUrl url, int names) {
    String text = url.toString();
    int slashes = 0;
    for (int i = url.targetStart(); i < text.length() && slashes < names; i++) {
      char c = text.charAt(i);
      if (c == '?') {
        return true;
      }
      slashes += c == '/' ? 1 : 0;
    }
    return slashes < names;
  }

  /** One directory four times in a row, or a few of them three times. */
  private static boolean repeats(List<String> segments) {
    for (int cycle = 1; cycle <= LONGEST_CYCLE; cycle++) {
      int needed = cycle == 1 ? 3 : 2 * cycle;
      int same = 0;
      for (int i = cycle; i < segments.size(); i++) {
        String segment = segments.get(i);
        boolean counts = segment.equals(segments.get(i - cycle)) && !isNumber(segment);
        same = counts ? same + 1 : 0;
        if (same >= needed) {
          return true;
        }
      }
    }
    return false;
  }

  /** Tiles of a map are at 0/0/0/0 and honest. */
  private static boolean isNumber(String segment) {
    for (int i = 0; i < segment.length(); i++) {
      if (!Signs.isDigit(segment.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
