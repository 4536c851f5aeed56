package dev.comity.core.schedule;

import java.time.Duration;

/**
 * What the visits of a page saw of its changes, in four sums that fit into its row. A visit adds
 * the gap since the visit before it to one of two sums: gaps without a change, and gaps with one.
 * Older visits fade, because pages change their habits.
 *
 * <p>A visit that a hint led to comes just after the change. Then the whole gap was without one,
 * and the change has a date. Counted as a gap with a change somewhere in it, it would make pages
 * with hints look faster than they are.
 *
 * @param unchangedDays the days of which it is known that the page did not change
 * @param changes how many gaps ended with a change
 * @param changedDays the days in those gaps
 * @param dated how many changes have a date
 */
public record ChangeHistory(
    double unchangedDays, double changes, double changedDays, double dated) {
  /** A page that was visited once, or never. */
  public static final ChangeHistory NONE = new ChangeHistory(0, 0, 0, 0);

  /**
   * What each visit leaves of those before it, so that the last thirty count most. A shorter memory
   * takes every chance for a habit: with 0.85 the share of the oracle's freshness falls by a point.
   */
  private static final double FADING = 0.97;

  /** Days in a gap count from here on; two visits in one second tell nothing. */
  private static final double SHORTEST_GAP = 1.0 / 86_400;

  public ChangeHistory {
    double least = Math.min(Math.min(unchangedDays, changes), Math.min(changedDays, dated));
    if (!(least >= 0) || Double.isInfinite(unchangedDays + changes + changedDays + dated)) {
      throw new IllegalArgumentException(
          "a history of changes has finite sums from 0 on, not %s, %s, %s and %s"
              .formatted(unchangedDays, changes, changedDays, dated));
    }
  }

  /** The history after one more visit. */
  public ChangeHistory visited(Duration gap, boolean changed) {
    double days = gapDays(gap);
    return faded(changed ? 0 : days, changed ? 1 : 0, changed ? days : 0, 0);
  }

  /** The history after a visit that found what a hint had said. */
  public ChangeHistory visitedAfterChange(Duration gap) {
    return faded(gapDays(gap), 0, 0, 1);
  }

  private static double gapDays(Duration gap) {
    return Math.max(days(gap), SHORTEST_GAP);
  }

  private ChangeHistory faded(double unchanged, double change, double changedGap, double date) {
    return new ChangeHistory(
        FADING * unchangedDays + unchanged,
        FADING * changes + change,
        FADING * changedDays + changedGap,
        FADING * dated + date);
  }

  /** Two histories as one: that of a template is the sum of its pages'. */
  public ChangeHistory and(ChangeHistory other) {
    return new ChangeHistory(
        unchangedDays + other.unchangedDays,
        changes + other.changes,
        changedDays + other.changedDays,
        dated + other.dated);
  }

  /** A duration in days. */
  static double days(Duration duration) {
    return duration.toSeconds() / 86_400.0;
  }
}
