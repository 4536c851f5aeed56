package dev.comity.core.policy.learning;

import static dev.comity.core.util.Delays.millis;

import dev.comity.core.policy.learning.LearnedDelay.Incident;
import java.time.Duration;
import java.time.Instant;

/**
 * What an incident measured, in milliseconds. Spacings are of what was served: a time divided by
 * the number of requests served in it.
 *
 * @param delay the delay that was refused
 * @param served how many requests were served before it, since the incident before
 * @param row how many of these in a row at that delay
 * @param first whether no incident was before it, so that a stored burst may have been used
 * @param cycle the spacing from the beginning of one incident to the beginning of the next
 * @param opening the spacing from one opening of the site to the next
 * @param closed the spacing from an opening to the last request that was refused
 * @param spread the spacing while the site served
 * @param closure from the first refusal to the next success
 * @param waited the longest time between two refused requests
 * @param told whether it was refused once and then left alone for long: it said how long
 * @param lasting whether it stayed closed for longer than one rest
 */
record Measured(
    double delay,
    int served,
    int row,
    boolean first,
    double cycle,
    double opening,
    double closed,
    Duration spread,
    Duration closure,
    double waited,
    boolean told,
    boolean lasting) {

  /** Rests of our own are at most this many times the delay, or the first rest. */
  private static final double OWN_REST = 10;

  private static final double FIRST_REST = 2_000;

  /** A run ends somewhere between two requests: the middle, and a little for chance. */
  private static final double CAUTION = 0.15;

  /**
   * What an incident measured that is over.
   *
   * @param row how many requests were served in a row at the refused delay
   * @param empty when its first refused request was started
   * @param start when the request was started that was served again
   */
  static Measured of(Incident over, int row, Instant empty, Instant start) {
    double delay = Math.max(1, millis(over.delay()));
    int served = Math.max(1, over.served());
    Instant open = over.openSince().equals(Evidence.NEVER) ? empty : over.openSince();
    boolean first = over.emptyBefore().equals(Evidence.NEVER);
    double recovery = millis(Duration.between(over.lastTry(), start));
    boolean told = over.refusals() == 1 && recovery > OWN_REST * Math.max(delay, FIRST_REST);
    return new Measured(
        delay,
        served,
        row,
        first,
        millis(Duration.between(first ? open : over.emptyBefore(), empty)) / served,
        millis(Duration.between(open, start)) / served,
        millis(Duration.between(open, over.lastTry())) / served,
        Duration.between(open, empty).dividedBy(served),
        Duration.between(empty, start),
        millis(over.waited()),
        told,
        told || over.refusals() > 1);
  }

  /** How many more this run was served than another one; it began with the request before it. */
  int moreThan(int burst) {
    return row + 1 - burst;
  }

  /** How many were served before the refused request was started; others were on their way. */
  int burst() {
    double started = millis(spread) * served / delay;
    return (int) Math.max(1, Math.min(served, Math.round(started)));
  }

  /**
   * The spacing that a bucket allows which was full when this run began, as it was when the first
   * run of all began: the longer run was served more, by what came in meanwhile. 0 if the bucket
   * was not full, because a rest would not have filled it.
   *
   * @param burst how many requests the first run was served
   * @param spread their spacing
   */
  double spacingIfFull(int burst, double spread) {
    double more = moreThan(burst);
    double longer = (row + 0.5 + CAUTION) * delay - (burst - 0.5 - CAUTION) * spread;
    return burst > 1
            && more > 0
            && longer > 0
            && longer * burst <= more * (burst * spread + FIRST_REST)
        ? longer / more
        : 0;
  }
}
