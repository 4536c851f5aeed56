package dev.comity.core.schedule;

import dev.comity.core.util.Require;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a page is visited again. A copy that was fresh a while ago is stale with a probability that
 * grows with time. The gain of a visit after {@code t} days is the freshness it can be expected to
 * add:
 *
 * <pre>
 *   gain(t) = (1 − (1 + rate·t)·e^(−rate·t)) / rate      in days
 * </pre>
 *
 * A page is due when its gain reaches the price of a visit, which is the same for all pages of a
 * domain ({@link RefreshPrice}). For pages that change as a Poisson process this spends a given
 * number of visits best. The gain of a page that changes very often never reaches the price: a copy
 * of it is stale at once, however often it is fetched. Such a page gets the longest interval.
 *
 * @param first the interval after the first visit
 * @param shortest no page is visited sooner
 * @param longest no page is visited later
 */
public record RefreshRule(Duration first, Duration shortest, Duration longest) {
  /** An hour to ninety days; a fortnight at first. */
  public static final RefreshRule DEFAULTS =
      new RefreshRule(Duration.ofDays(14), Duration.ofHours(1), Duration.ofDays(90));

  /** Halvings of the interval between shortest and longest: to less than a second. */
  private static final int STEPS = 32;

  public RefreshRule {
    Require.positive(shortest, "shortest");
    Require.ordered(shortest, "shortest", first, "first");
    Require.ordered(first, "first", longest, "longest");
  }

  /**
   * The interval until the next visit.
   *
   * @param rate the page's changes a day
   * @param price the gain, in days, that a visit must bring
   */
  public Duration interval(double rate, double price) {
    if (!isWorth(rate, price)) {
      return longest;
    }
    double early = ChangeHistory.days(shortest);
    double late = ChangeHistory.days(longest);
    if (gain(rate, early) >= price) {
      return shortest;
    }
    if (gain(rate, late) <= price) {
      return longest;
    }
    for (int step = 0; step < STEPS; step++) {
      double middle = (early + late) / 2;
      if (gain(rate, middle) < price) {
        early = middle;
      } else {
        late = middle;
      }
    }
    return Duration.ofSeconds(Math.round(late * 86_400));
  }

  /** Whether a visit can ever bring its price; a page that changes too often is not worth one. */
  public static boolean isWorth(double rate, double price) {
    return rate * price < 1;
  }

  /** What a visit after so many days brings, in days. */
  static double gain(double rate, double days) {
    double expected = rate * days;
    // Below this the difference of two numbers near 1 loses its digits; the series has them.
    double share =
        expected < 1e-3
            ? expected * expected * (0.5 - expected / 3)
            : 1 - (1 + expected) * Math.exp(-expected);
    return share / rate;
  }

  /**
   * When a page is due that was visited then. A server that says how long its answer stays fresh is
   * believed as far as the longest interval.
   *
   * @param freshFor how long the answer may be kept, by its header
   */
  public Instant due(Instant visited, Duration interval, Optional<Duration> freshFor) {
    Duration least = freshFor.filter(said -> said.compareTo(interval) > 0).orElse(interval);
    return visited.plus(least.compareTo(longest) < 0 ? least : longest);
  }

  /** The probability that a page has changed after so long. */
  public static double changed(double rate, Duration gap) {
    return -Math.expm1(-rate * ChangeHistory.days(gap));
  }
}
