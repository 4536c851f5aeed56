package dev.comity.core.engine.shared;

import java.time.Duration;
import java.time.Instant;

/**
 * When each of the many domains that a crawl claims as it begins is first asked. All of them at
 * once would be asked in step ever after, and in the bustle of each step a site may read one
 * request late and the next in time: closer together than they were sent. Spread over one delay
 * they stay spread.
 *
 * <p>Used by one thread.
 */
public final class Stagger {
  /** A crawl of a few domains begins at once. */
  private static final int AT_ONCE = 10;

  private static final Duration LONGEST = Duration.ofSeconds(10);

  /** Multiples of it, less their whole part, fill the space between 0 and 1 evenly at any count. */
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

  private final Instant begin;
  private long claimed;

  public Stagger(Instant begin) {
    this.begin = begin;
  }

  /**
   * When a domain that is claimed now is first asked.
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
