package dev.comity.core.util;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;

/** Writes durations: exact for delays, rounded for a reader, or as a setting is written. */
public final class Durations {
  private Durations() {}

  /** {@code 1.5 s}, to the millisecond: the search for a delay changes it by little. */
  public static String seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
  }

  /**
   * The shortest form: {@code 0.7 s}, {@code 12 s}, {@code 3 min}, {@code 2 h 5 min}, {@code 14 d}.
   * A negative duration, as a clock step makes it, counts as zero.
   */
  public static String rounded(Duration length) {
    Duration duration = length.isNegative() ? Duration.ZERO : length;
    long seconds = duration.toSeconds();
    if (seconds < 10) {
      return tenths(duration);
    }
    if (seconds < 120) {
      return seconds + " s";
    }
    if (seconds < 7200) {
      return duration.toMinutes() + " min";
    }
    if (duration.toHours() < 48) {
      return duration.toHours() + " h " + duration.toMinutesPart() + " min";
    }
    Duration rounded = duration.plusMinutes(30);
    return rounded.toDays()
        + " d"
        + (rounded.toHoursPart() == 0 ? "" : " " + rounded.toHoursPart() + " h");
  }

  /** {@code 16.2 s}, however long. */
  public static String tenths(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }

  /** As a setting is written: {@code 1s}, {@code 1500ms}, {@code 30d}. */
  public static String setting(Duration duration) {
    long millis = duration.toMillis();
    long[] units = {86_400_000, 3_600_000, 60_000, 1000};
    String[] names = {"d", "h", "m", "s"};
    for (int unit = 0; unit < units.length && millis != 0; unit++) {
      if (millis % units[unit] == 0) {
        return millis / units[unit] + names[unit];
      }
    }
    return millis == 0 ? "0s" : millis + "ms";
  }
}
