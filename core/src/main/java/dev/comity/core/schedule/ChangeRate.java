package dev.comity.core.schedule;

/**
 * Estimates how often a page changes from what visits saw. A visit sees whether a page changed, not
 * how often. A gap {@code h} without a change has the probability {@code e^(-rate·h)}, a gap {@code
 * g} with one the rest of it, and a change with a date adds one to the count. The estimate is the
 * most probable rate, with a prior that a new page starts from. It is the root of
 *
 * <pre>
 *   (½ + dated)/rate + Σ g/(e^(rate·g) − 1) − Σ h − ½/prior = 0
 * </pre>
 *
 * which falls with the rate. The gaps with a change count by their mean, so that four sums are
 * enough for a page.
 */
public final class ChangeRate {
  /** Changes a day of a page of which nothing is known: once in a fortnight. */
  public static final double UNKNOWN = 1.0 / 14;

  /** The weight of the prior: half a change, so that two visits outweigh it. */
  private static final double PRIOR_WEIGHT = 0.5;

  /** Once in 27 years. */
  private static final double SLOWEST = 1e-4;

  /** Every 1.4 minutes: no visit is ever so soon. */
  private static final double FASTEST = 1e3;

  /** Halvings of a range of seven decades, on a scale of logarithms: to a millionth of the rate. */
  private static final int STEPS = 40;

  private ChangeRate() {}

  /** The rate of a page, in changes a day, of which nothing but its visits is known. */
  public static double perDay(ChangeHistory seen) {
    return perDay(seen, UNKNOWN);
  }

  /**
   * The rate of a page, in changes a day.
   *
   * @param prior the rate of pages like it
   */
  public static double perDay(ChangeHistory seen, double prior) {
    double slow = Math.log(SLOWEST);
    double fast = Math.log(FASTEST);
    for (int step = 0; step < STEPS; step++) {
      double middle = (slow + fast) / 2;
      if (excess(seen, Math.clamp(prior, SLOWEST, FASTEST), Math.exp(middle)) > 0) {
        slow = middle;
      } else {
        fast = middle;
      }
    }
    return Math.exp((slow + fast) / 2);
  }

  /** Positive while the rate is below the most probable one. */
  private static double excess(ChangeHistory seen, double prior, double rate) {
    double gap = seen.changes() > 0 ? seen.changedDays() / seen.changes() : 0;
    double ofChanges = gap > 0 ? seen.changedDays() / Math.expm1(rate * gap) : 0;
    double dated = (PRIOR_WEIGHT + seen.dated()) / rate;
    return dated + ofChanges - seen.unchangedDays() - PRIOR_WEIGHT / prior;
  }
}
