package dev.comity.core.schedule;

import java.time.Duration;
import java.time.Instant;

/**
 * The price of a visit in one domain: the gain, in days of freshness, that a visit must bring. It
 * rises while the domain's pages ask for more visits a day than its budget, and falls while they
 * ask for fewer. So the visits go where they gain most, and their number keeps to the budget.
 *
 * @param days the price
 * @param setAt when it was set last
 */
public record RefreshPrice(double days, Instant setAt) {
  /** With this price a page that changes once a month is visited every eight days. */
  private static final double FIRST = 1;

  /** A step of a tenth a day: a price ten times too low is mended in a month. */
  private static final double STEP = 1.1;

  /** A quarter of an hour: less would ask a page that changes hourly every hour. */
  private static final double LEAST = 0.01;

  /** At 45 days no page is worth a visit before the longest interval. */
  private static final double MOST = 45;

  /** Visits a day that a domain gets beside its share. */
  private static final int BASE_VISITS = 20;

  /** One visit a day for so many pages. */
  private static final int PAGES_PER_VISIT = 100;

  /** The price of a domain that is new. */
  public static RefreshPrice first(Instant now) {
    return new RefreshPrice(FIRST, now);
  }

  /** The visits a day that a domain of so many pages gets by default. */
  public static double budget(long pages) {
    return BASE_VISITS + (double) pages / PAGES_PER_VISIT;
  }

  /**
   * The price at that time: one step for each day since it was set.
   *
   * @param asked the visits a day that the domain's intervals add up to, and those of hints
   * @param budget the visits a day that it may have
   */
  public RefreshPrice at(Instant now, double asked, double budget) {
    long steps = Duration.between(setAt, now).toDays();
    if (steps < 1) {
      return this;
    }
    double next = asked > budget ? days * STEP : days / STEP;
    // A domain that was left alone for months has learnt nothing meanwhile: one step is enough.
    return new RefreshPrice(Math.clamp(next, LEAST, MOST), setAt.plus(Duration.ofDays(steps)));
  }
}
