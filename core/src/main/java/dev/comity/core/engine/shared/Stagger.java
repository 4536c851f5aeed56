package dev.comity.core.engine.shared;

import java.time.Duration;
import java.time.Instant;

/**
 * Spreads the first requests of a starting crawl over one delay. Domains that start together would
 * send in step ever after. In the load of each step, a site may read one request late and the next
 * in time. They are then closer together than they were sent. Confined to the claiming thread.
 */
public final class Stagger {
  /** A crawl of a few domains starts them all at once. */
  private static final int AT_ONCE = 10;

  private static final Duration LONGEST = Duration.ofSeconds(10);

  /** The fractions of its multiples fill the interval from 0 to 1 evenly at any count. */
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

  private final Instant begin;
  private long claimed;

  public Stagger(Instant begin) {
    this.begin = begin;
  }

  /**
   * When a domain claimed now sends its first request.
   *
   * @param delay between its requests
   */
  public Instant firstTurn(Duration delay, Instant now) {
    claimed++;
    Duration spread = delay.compareTo(LONGEST) < 0 ? delay : LONGEST;
    if (claimed <= AT_ONCE || !now.isBefore(begin.plus(spread))) {
      return now;
    }
    double part = claimed * GOLDEN % 1;
    return now.plusNanos((long) (spread.toNanos() * part));
  }
}
