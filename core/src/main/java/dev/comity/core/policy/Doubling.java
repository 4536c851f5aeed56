package dev.comity.core.policy;

import java.time.Duration;

/** A time that doubles with every repetition, up to a limit. */
final class Doubling {
  private Doubling() {}

  /** The rest after so many in a row: the first, twice the first, and so on; none after none. */
  static Duration rest(Duration first, int inARow, Duration longest) {
    return inARow == 0 ? Duration.ZERO : after(first, inARow - 1, longest);
  }

  static Duration after(Duration once, int doublings, Duration longest) {
    Duration time = once;
    for (int i = 0; i < doublings && time.compareTo(longest) < 0; i++) {
      time = time.plus(time);
    }
    return time.compareTo(longest) > 0 ? longest : time;
  }
}
