package dev.comity.core.schedule;

/**
 * How far a domain's hints of changes are believed: dates in its sitemap, entries of its feeds. A
 * hint is an alarm that a page has changed; the next visit shows whether it has. Pages change
 * without hints, too, so an alarm is judged by what it adds: changes found beyond those that the
 * pages' own rates explain, as a share of the most that could be found.
 *
 * <pre>
 *   trust = (found − expected + 1) / (alarms − expected + 2)
 * </pre>
 *
 * A site that dates every page today has as many changes as expected, and a trust that falls to 0.
 * One that tells the truth has a trust near 1, even if its pages seldom change. Hints that are not
 * followed are judged too, when their pages are visited anyway: a site can mend its dates.
 *
 * @param alarms visits of pages of which a hint said that they have changed
 * @param found how many of them found a change
 * @param expected how many would have found one without a hint, by the pages' rates
 */
public record HintTrust(double alarms, double found, double expected) {
  /** A domain whose hints were never tried. */
  public static final HintTrust UNKNOWN = new HintTrust(0, 0, 0);

  /**
   * Below this trust hints are not followed. Estimated rates are a little too low for the fastest
   * pages, which gives the hints of a liar a trust of up to 0.25.
   */
  private static final double LEAST = 0.4;

  /** So many alarms are tried before any is judged: enough for a verdict, few for a site. */
  private static final int TRIED_AT_FIRST = 10;

  /** How many visits count: a site that mends its dates is believed again. */
  private static final double MOST_COUNTED = 200;

  /** The trust after a visit of a page of which a hint said that it has changed. */
  public HintTrust visited(boolean changed, double probability) {
    double kept = alarms < MOST_COUNTED ? 1 : 1 - 1 / MOST_COUNTED;
    return new HintTrust(
        kept * alarms + 1, kept * found + (changed ? 1 : 0), kept * expected + probability);
  }

  /** Between 0 and 1; a half for a domain whose hints were never tried. */
  public double trust() {
    return Math.clamp((found - expected + 1) / (alarms - expected + 2), 0, 1);
  }

  /** Whether hints are followed. */
  public boolean isTrusted() {
    return trust() >= LEAST;
  }

  /**
   * How many pages may be made due by hints that are not judged yet.
   *
   * @param outstanding pages made due by hints and not visited
   */
  public long mayTry(long outstanding) {
    // As many again as were judged: a site that begins to lie is found out after as many visits.
    long most = Math.max(TRIED_AT_FIRST, Math.round(alarms));
    return isTrusted() ? Math.max(0, most - outstanding) : 0;
  }
}
