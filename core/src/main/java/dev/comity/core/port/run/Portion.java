package dev.comity.core.port.run;

/**
 * Pages of a run's budget that one worker may settle.
 *
 * @param granted how many pages were drawn now; negative if some were given back
 * @param spent whether every page of the run is settled, so that none comes back
 */
public record Portion(long granted, boolean spent) {
  /** More is drawn seldom enough; a worker that dies with so many keeps few from the others. */
  private static final long MOST = 500;

  /** Fewer would be drawn too often. */
  private static final long LEAST = 10;

  /** Every worker can draw several times before the budget is used up. */
  private static final long SHARES = 4;

  /** How many pages one of these workers draws at once, of so many that are left. */
  public static long size(long left, int workers) {
    long share = left / (SHARES * Math.max(1, workers));
    return Math.clamp(Math.max(share, LEAST), 0, Math.min(MOST, Math.max(0, left)));
  }
}
