package dev.comity.core.util;

import java.time.Duration;

/** A time that doubles with every repetition, up to a limit. */
public final class Doubling {
  /** Most hiccups, a restart or a full queue, are over in two seconds. */
  private static final Duration FIRST_REST = Duration.ofSeconds(2);

  /** Within five minutes a site that is back is noticed, and one that is down is hardly asked. */
  private static final Duration LONGEST_REST = Duration.ofMinutes(5);

  private Doubling() {}

  /** The rest after so many failures in a row: 2 s, 4 s and so on; none after none. */
  public static Duration rest(int inARow) {
    return inARow == 0 ? Duration.ZERO : after(FIRST_REST, inARow - 1, LONGEST_REST);
  }

  public static Duration after(Duration once, int doublings, Duration longest) {
    Duration time = once;
    for (int i = 0; i < doublings && time.compareTo(longest) < 0; i++) {
      time = time.plus(time);
    }
    return time.compareTo(longest) > 0 ? longest : time;
  }
}
