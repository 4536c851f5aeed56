package dev.comity.core.util;

import java.time.Duration;

/**
 * Checks of settings. A message has the name of the setting, as written in a file, its value and
 * the rule.
 */
public final class Require {
  /** A hundred years: longer than any wait, and short enough for a count of nanoseconds. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private static final Duration SHORTEST = Duration.ofMillis(1);

  private Require() {}

  /** A duration from a millisecond to a hundred years. */
  public static void positive(Duration value, String name) {
    within(SHORTEST, LONGEST, value, name);
  }

  public static void notNegative(Duration value, String name) {
    within(Duration.ZERO, LONGEST, value, name);
  }

  public static void within(Duration least, Duration most, Duration value, String name) {
    that(
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        name,
        written(value),
        "must lie between " + written(least) + " and " + written(most));
  }

  /** Of two durations the second must not be shorter. */
  public static void ordered(Duration shorter, String name, Duration longer, String longerName) {
    that(
        shorter.compareTo(longer) <= 0,
        longerName,
        written(longer),
        "must not be shorter than " + name + ", which is " + written(shorter));
  }

  public static void atLeast(long least, long value, String name) {
    that(value >= least, name, value, "must be at least " + least);
  }

  public static void within(long least, long most, long value, String name) {
    that(value >= least && value <= most, name, value, "must be from " + least + " to " + most);
  }

  /** A number within bounds; NaN is not. */
  public static void within(double least, double most, double value, String name) {
    that(
        value >= least && value <= most,
        name,
        value,
        "must be from " + number(least) + " to " + number(most));
  }

  public static void that(boolean sane, String name, Object value, String rule) {
    that(sane, name + " is " + value + ", but " + rule);
  }

  public static void that(boolean sane, String why) {
    if (!sane) {
      throw new IllegalArgumentException(why);
    }
  }

  private static String number(double value) {
    return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
  }

  /** As people write it, in the largest unit that has no remainder. */
  private static String written(Duration value) {
    long millis = value.abs().toSeconds() > LONGEST.toSeconds() * 1000 ? 0 : value.toMillis();
    if (millis == 0) {
      return value.isZero() ? "0s" : value.toString();
    }
    return Durations.setting(value);
  }
}
