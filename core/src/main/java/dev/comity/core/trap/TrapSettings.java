package dev.comity.core.trap;

/**
 * Where a crawl stops believing that more of the same will bring something new.
 *
 * @param barrenPages pages of one template that bring nothing new, in a row, after which it is
 *     suppressed; 0: never
 * @param mostSegments how deep a path may be
 */
public record TrapSettings(int barrenPages, int mostSegments) {
  public static final TrapSettings DEFAULTS = new TrapSettings(100, 20);

  public TrapSettings {
    // A template's memory of barren pages holds 225.
    require(
        barrenPages >= 0 && barrenPages <= 200,
        "barren-pages must be between 0 and 200, not " + barrenPages);
    require(mostSegments > 0, "most-segments must be at least 1, not " + mostSegments);
  }

  /** The usual settings with another bound on barren pages. */
  public static TrapSettings after(int barrenPages) {
    return new TrapSettings(barrenPages, DEFAULTS.mostSegments);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
