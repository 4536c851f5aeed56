package dev.comity.core.schedule;

import java.util.Comparator;
import java.util.List;

/**
 * The price of a page in images, while a run's pages do not suffice for all domains. The domains
 * with the best yield are served first, and the yield of the last one served is the price. A domain
 * that brings less waits.
 */
public final class PagePrice {
  /** So many pages of a domain are asked at any price, to see what it brings. */
  public static final int TRIAL = 4;

  private static final Comparator<Demand> BEST_FIRST =
      Comparator.comparingDouble(Demand::yield).reversed();

  private PagePrice() {}

  /**
   * What one domain could use.
   *
   * @param yield images for each page
   * @param pages pages that are known and not asked
   */
  public record Demand(double yield, long pages) {}

  /**
   * The price while so many pages are left.
   *
   * @return 0 if they suffice for all
   */
  public static double of(List<Demand> demands, long left) {
    if (demands.stream().mapToLong(Demand::pages).sum() <= left) {
      return 0;
    }
    long served = 0;
    for (Demand demand : demands.stream().sorted(BEST_FIRST).toList()) {
      served += demand.pages();
      if (served >= left) {
        return demand.yield();
      }
    }
    return 0;
  }
}
