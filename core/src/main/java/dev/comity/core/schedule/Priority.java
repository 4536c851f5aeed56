package dev.comity.core.schedule;

import java.util.OptionalLong;

/**
 * The priority of a domain in the order of claims. It grows with rank, images per page, URLs left
 * and days since the last crawl, and shrinks with errors.
 */
public final class Priority {
  /** Points for the best rank, which is then worth as much as an image on every page. */
  private static final double RANK = 1000;

  /** A rank so far down is worth nothing: the lists in use have up to ten million names. */
  private static final double LAST_RANK = 10_000_000;

  /** Points for one image stored per page. */
  private static final double IMAGE_YIELD = 1000;

  /** Points for each URL left. */
  private static final double REMAINING = 2;

  /** URLs beyond this add nothing, so that no site comes first for its size alone. */
  private static final long REMAINING_CAP = 500;

  /** Points lost where every request fails: half of what the best rank is worth. */
  private static final double ERROR_RATE = 500;

  /** Points for each day without a visit. */
  private static final double DAY = 5;

  /** Days beyond a year add nothing: nothing is known of the site any more. */
  private static final long DAYS_CAP = 365;

  /** A domain that was never crawled counts as one that was left for a month. */
  private static final long DAYS_IF_NEVER = 30;

  private Priority() {}

  /**
   * The facts about a domain.
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
  public static double of(Facts facts) {
    long days = facts.daysSinceCrawl().orElse(DAYS_IF_NEVER);
    return rankPart(facts.rank())
        + IMAGE_YIELD * imageYield(facts)
        + REMAINING * Math.clamp(facts.remaining(), 0L, REMAINING_CAP)
        - ERROR_RATE * share(facts.errorRate())
        + DAY * Math.clamp(days, 0L, DAYS_CAP);
  }

  /** Within 0 and 1. The rate of a domain without requests is NaN, and counts as 0. */
  private static double share(double rate) {
    return rate > 0 ? Math.min(1, rate) : 0;
  }

  private static double rankPart(OptionalLong rank) {
    if (rank.isEmpty() || rank.getAsLong() < 1) {
      return 0;
    }
    double last = Math.log10(LAST_RANK);
    return Math.max(0, RANK * (1 - Math.log10((double) rank.getAsLong()) / last));
  }

  private static double imageYield(Facts facts) {
    return facts.pagesCrawled() == 0 ? 0 : (double) facts.imagesStored() / facts.pagesCrawled();
  }
}
