package dev.comity.core.trap;

/**
 * Where a crawl stops believing that more of the same will bring something new.
 *
 * @param barrenPages pages of one template that bring nothing new, in a row, after which it is
 *     suppressed; 0: never
 * @param longestUrl characters a link may have
 * @param mostSegments how deep a path may be
 */
public record TrapSettings(int barrenPages, int longestUrl, int mostSegments) {
  public static final TrapSettings DEFAULTS = new TrapSettings(100, 2048, 20);

  public TrapSettings {
    require(barrenPages >= 0, "barren-pages must not be negative, as " + barrenPages + " is");
    require(longestUrl > 0, "longest-url must be at least 1, not " + longestUrl);
    require(mostSegments > 0, "most-segments must be at least 1, not " + mostSegments);
  }

  /** The usual settings with another bound on barren pages. */
  public static TrapSettings after(int barrenPages) {
    return new TrapSettings(barrenPages, DEFAULTS.longestUrl, DEFAULTS.mostSegments);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
