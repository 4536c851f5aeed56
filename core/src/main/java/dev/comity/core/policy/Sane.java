package dev.comity.core.policy;

import java.time.Duration;

/** Refuses settings that cannot be meant. */
final class Sane {
  private Sane() {}

  static void positive(Duration value, String name) {
    that(value.isPositive(), name + " must be longer than nothing, not " + value);
  }

  static void notNegative(Duration value, String name) {
    that(!value.isNegative(), name + " must not be negative, not " + value);
  }

  static void ordered(Duration shorter, Duration longer, String names) {
    that(shorter.compareTo(longer) <= 0, names + ": " + shorter + " is longer than " + longer);
  }

  static void atLeast(int least, int value, String name) {
    that(value >= least, name + " must be at least " + least + ", not " + value);
  }

  static void that(boolean sane, String why) {
    if (!sane) {
      throw new IllegalArgumentException(why);
    }
  }
}
