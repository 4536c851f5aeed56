package dev.comity.core.scope;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;

/**
 * How large the repeat counts of a pattern may make it. A counted repeat is compiled as that many
 * copies, and nested ones multiply: {@code ((a{1000}){1000}){1000}} is twenty characters and does
 * not fit into memory.
 */
final class RepeatCounts {
  static final long LARGEST_PRODUCT = 10_000;

  private static final Pattern COUNT = Pattern.compile("\\{(?:\\d*,)?(\\d{1,9})(,?)\\}");

  private RepeatCounts() {}

  /** All counts multiplied as if they were nested, which at worst they are. */
  static long product(String pattern) {
    long product = 1;
    Matcher counts = COUNT.matcher(pattern);
    while (counts.find() && product <= LARGEST_PRODUCT) {
      product *= Math.max(1, Long.parseLong(counts.group(1)));
    }
    return product;
  }
}
