package dev.comity.web.robots;

import java.util.ArrayList;
import java.util.List;

/**
 * A path with wildcards. The text between two stars is looked for from left to right and taken
 * where it first occurs: an earlier place never rules out a match that a later one would allow. So
 * no choice is ever taken back, and a match costs a few steps per character of the path, whatever
 * the pattern.
 */
final class PathPattern {
  private final int length;
  private final boolean anchored;
  private final List<Piece> pieces = new ArrayList<>();

  /** A pattern in the spelling of {@link RobotsPath}. */
  PathPattern(String spelled) {
    this.length = spelled.length();
    this.anchored = spelled.endsWith("$");
    String body = anchored ? spelled.substring(0, length - 1) : spelled;
    int from = 0;
    for (int star = body.indexOf('*'); star >= 0; star = body.indexOf('*', from)) {
      if (pieces.isEmpty() || star > from) {
        pieces.add(new Piece(body.substring(from, star)));
      }
      from = star + 1;
    }
    pieces.add(new Piece(body.substring(from)));
  }

  /** How specific the pattern is: the longest that matches decides. */
  int length() {
    return length;
  }

  boolean matches(CharSequence path) {
    return matches(path, new Steps());
  }

  /**
   * @param steps counts the characters that are looked at
   */
  boolean matches(CharSequence path, Steps steps) {
    Piece first = pieces.getFirst();
    if (!first.isAt(0, path, steps)) {
      return false;
    }
    if (pieces.size() == 1) {
      return !anchored || path.length() == first.text.length();
    }
    int at = first.text.length();
    for (Piece piece : pieces.subList(1, pieces.size() - 1)) {
      at = piece.endOfNext(path, at, steps);
      if (at < 0) {
        return false;
      }
    }
    Piece last = pieces.getLast();
    int end = path.length() - last.text.length();
    return anchored
        ? end >= at && last.isAt(end, path, steps)
        : last.endOfNext(path, at, steps) >= 0;
  }

  /**
   * A stretch without stars, searched for without ever stepping back in the path (the method of
   * Knuth, Morris and Pratt): plain search would be quadratic on {@code /*aaaa…ab}.
   */
  private static final class Piece {
    private final String text;
    private final int[] resume;

    Piece(String text) {
      this.text = text;
      this.resume = new int[text.length()];
      for (int i = 1, matched = 0; i < text.length(); i++) {
        matched = advance(matched, text.charAt(i));
        resume[i] = matched;
      }
    }

    boolean isAt(int start, CharSequence path, Steps steps) {
      if (path.length() - start < text.length()) {
        return false;
      }
      int same = 0;
      while (same < text.length() && path.charAt(start + same) == text.charAt(same)) {
        same++;
      }
      steps.take(same + 1);
      return same == text.length();
    }

    /** Where the first occurrence from here on ends, or −1. */
    int endOfNext(CharSequence path, int from, Steps steps) {
      if (text.isEmpty()) {
        return from;
      }
      int i = from;
      int matched = 0;
      while (i < path.length() && matched < text.length()) {
        matched = advance(matched, path.charAt(i));
        i++;
      }
      steps.take(i - from + 1);
      return matched == text.length() ? i : -1;
    }

    private int advance(int matched, char next) {
      int state = matched;
      while (state > 0 && text.charAt(state) != next) {
        state = resume[state - 1];
      }
      return text.charAt(state) == next ? state + 1 : 0;
    }
  }
}
