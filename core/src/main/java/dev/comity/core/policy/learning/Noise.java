package dev.comity.core.policy.learning;

/**
 * Refusals that come whatever the pace.
 *
 * <p>Each success earns somewhat more than the share of a refusal that noise would bring; each
 * refusal costs a whole one. So refusals that are hardly more frequent than they were when they
 * were found to be noise are paid for.
 *
 * @param share the share of requests that is refused for nothing
 * @param credit refusals that are paid for in advance
 */
public record Noise(double share, double credit) {
  static final Noise NONE = new Noise(0, 0);

  /** What can be saved up; chance alone uses eight up about once in 400 refusals. */
  private static final double MOST = 8;

  /**
   * Refusals are paid for up to this many times their usual share: less, and chance alone raises
   * alarms.
   */
  private static final double GENEROSITY = 2;

  /** Standard deviations that a probe may be refused more often: one in eighty is, by chance. */
  private static final double CHANCE = 2.5;

  /** More than a tenth is no noise. */
  private static final double LARGEST = 0.1;

  public static Noise found(double share) {
    return new Noise(Math.min(LARGEST, share), MOST);
  }

  /** Noise is no more than this, by what was counted since. */
  Noise atMost(double most) {
    return most < share ? new Noise(most, credit) : this;
  }

  boolean pays(int refusals) {
    return credit >= refusals;
  }

  Noise served(boolean probing) {
    double earned = (probing ? 1 : GENEROSITY) * share; // A probe is to find out what that hides.
    return share == 0 ? this : new Noise(share, Math.min(Math.max(credit, MOST), credit + earned));
  }

  Noise paid(int refusals) {
    return new Noise(share, credit - refusals);
  }

  /** A probe may be refused as often as noise would do that to so many, and once more. */
  Noise forProbe(int requests) {
    return share == 0 ? this : new Noise(share, 1 + CHANCE * Math.sqrt(share * requests));
  }

  Noise full() {
    return share == 0 ? this : new Noise(share, MOST);
  }

  /** Whether so many were served without a refusal that there is no noise any more. */
  boolean isOver(int served) {
    return share > 0 && served * share > 20;
  }
}
