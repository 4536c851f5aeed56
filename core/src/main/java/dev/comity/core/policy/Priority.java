package dev.comity.core.policy;

import java.util.OptionalLong;

/**
 * How early a domain is claimed: better known, richer in images, with more left to do, healthier
 * and longer unvisited comes first.
 */
public record Priority(Weights weights) {

  /**
   * How much each part weighs.
   *
   * @param rank points for the best rank there is
   * @param imageYield points for one image stored per page
   * @param remaining points for each URL left
   * @param remainingCap URLs beyond this add nothing
   * @param errorRate points lost where every request fails
   * @param daysSinceCrawl points for each day without a visit
   * @param daysCap days beyond this add nothing
   * @param daysIfNever how many days a domain counts that was never crawled
   * @param lastRank a rank so far down the list is worth nothing
   */
  public record Weights(
      double rank,
      double imageYield,
      double remaining,
      int remainingCap,
      double errorRate,
      double daysSinceCrawl,
      int daysCap,
      int daysIfNever,
      int lastRank) {
    public static final Weights DEFAULTS =
        new Weights(1000, 1000, 2, 500, 500, 5, 365, 30, 10_000_000);

    private static final double MOST = 1_000_000;

    public Weights {
      Sane.within(0, MOST, rank, "priority-rank");
      Sane.within(0, MOST, imageYield, "priority-image-yield");
      Sane.within(0, MOST, remaining, "priority-remaining");
      Sane.atLeast(0, remainingCap, "priority-remaining-cap");
      Sane.within(0, MOST, errorRate, "priority-error-rate");
      Sane.within(0, MOST, daysSinceCrawl, "priority-days-since-crawl");
      Sane.atLeast(0, daysCap, "priority-days-cap");
      Sane.atLeast(0, daysIfNever, "priority-days-if-never");
      Sane.atLeast(2, lastRank, "priority-last-rank");
    }
  }

  /**
   * What is known of a domain.
   *
   * @param rank its place in a list of well-known sites, from 1; empty without one
   * @param daysSinceCrawl empty if it was never crawled
   */
  public record Facts(
      OptionalLong rank,
      long pagesCrawled,
      long imagesStored,
      long remaining,
      double errorRate,
      OptionalLong daysSinceCrawl) {}

  /** The points of a domain; the more, the earlier. */
  public double of(Facts facts) {
    long days = facts.daysSinceCrawl().orElse(weights.daysIfNever());
    return rankPart(facts.rank())
        + weights.imageYield() * imageYield(facts)
        + weights.remaining() * Math.clamp(facts.remaining(), 0L, weights.remainingCap())
        - weights.errorRate() * share(facts.errorRate())
        + weights.daysSinceCrawl() * Math.clamp(days, 0L, weights.daysCap());
  }

  /** Within 0 and 1. The rate of a domain nobody has asked is no number, and no reproach. */
  private static double share(double rate) {
    return rate > 0 ? Math.min(1, rate) : 0;
  }

  private double rankPart(OptionalLong rank) {
    if (rank.isEmpty() || rank.getAsLong() < 1) {
      return 0;
    }
    double last = Math.log10(weights.lastRank());
    return Math.max(0, weights.rank() * (1 - Math.log10((double) rank.getAsLong()) / last));
  }

  private static double imageYield(Facts facts) {
    return facts.pagesCrawled() == 0 ? 0 : (double) facts.imagesStored() / facts.pagesCrawled();
  }
}
