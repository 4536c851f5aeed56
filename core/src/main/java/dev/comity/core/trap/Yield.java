package dev.comity.core.trap;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What one page brought, as hashes.
 *
 * @param text all its words, in no order: a list sorted otherwise is the same list
 * @param words each word once
 * @param places each path outside its template that it leads to
 * @param values each parameter of its URL with its value
 * @param selfFed whether it was found on a page of the same template
 */
record Yield(long text, Set<Long> words, Set<Long> places, Set<Long> values, boolean selfFed) {
  /** No template needs more of a page to be known by. */
  private static final int MOST_TEXT = 20_000;

  static Yield of(String text, Set<String> places, List<String> values, boolean selfFed) {
    Set<Long> words = words(text);
    long sum = 0;
    for (long word : words) {
      // Addition knows no order.
      sum += word;
    }
    return new Yield(Hashes.of(Long.toString(sum)), words, hashes(places), hashes(values), selfFed);
  }

  /** Whether there is anything to compare. */
  boolean says() {
    return !words.isEmpty();
  }

  private static Set<Long> hashes(Iterable<String> texts) {
    Set<Long> hashes = new HashSet<>();
    texts.forEach(text -> hashes.add(Hashes.of(text)));
    return hashes;
  }

  /** Two letters at least; numbers are what calendars and counters differ in. */
  private static Set<Long> words(String text) {
    Set<Long> words = new HashSet<>();
    String lower = text.substring(0, Math.min(text.length(), MOST_TEXT)).toLowerCase(Locale.ROOT);
    int start = 0;
    for (int i = 0; i <= lower.length(); i++) {
      if (i == lower.length() || !Character.isLetter(lower.charAt(i))) {
        if (i - start > 1) {
          words.add(Hashes.of(lower, start, i));
        }
        start = i + 1;
      }
    }
    return words;
  }
}
