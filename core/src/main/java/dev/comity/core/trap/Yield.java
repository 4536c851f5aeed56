package dev.comity.core.trap;

import dev.comity.core.url.CrawlUrl;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What one page brought, as hashes.
 *
 * @param url its own
 * @param referrer of the page it was found on
 * @param text all its words, in no order: a list sorted otherwise is the same list
 * @param words each word once
 * @param places each path outside its template that it leads to
 * @param values each parameter of its URL with its value
 * @param selfFed whether it was found on a page of the same template
 * @param begotten whether it was found on a page that brought nothing new, or carries a session, so
 *     that no list of such pages has an end
 */
record Yield(
    long url,
    Optional<Long> referrer,
    long text,
    Set<Long> words,
    Set<Long> places,
    Set<Long> values,
    boolean selfFed,
    boolean begotten) {
  /** No template needs more of a page to be known by. */
  private static final int MOST_TEXT = 20_000;

  static Yield of(
      CrawlUrl url,
      Optional<CrawlUrl> referrer,
      String text,
      Set<String> places,
      boolean selfFed,
      boolean begotten) {
    UrlParts parts = UrlParts.of(url);
    Set<Long> words = words(text);
    long sum = 0;
    for (long word : words) {
      // Addition knows no order.
      sum += word;
    }
    return new Yield(
        Hashes.of(url.toString()),
        referrer.map(page -> Hashes.of(page.toString())),
        Hashes.of(Long.toString(sum)),
        words,
        hashes(places),
        hashes(parts.values()),
        selfFed,
        begotten);
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

  /**
   * Two letters at least. Numbers, which calendars and counters differ in, are no words; but a name
   * with a number in it is one.
   */
  private static Set<Long> words(String text) {
    Set<Long> words = new HashSet<>();
    String lower = text.substring(0, Math.min(text.length(), MOST_TEXT)).toLowerCase(Locale.ROOT);
    int start = 0;
    int letters = 0;
    for (int i = 0; i <= lower.length(); i++) {
      if (i < lower.length() && isInWord(lower.charAt(i))) {
        letters += Character.isLetter(lower.charAt(i)) ? 1 : 0;
        continue;
      }
      if (letters > 1) {
        words.add(Hashes.of(lower, start, i));
      }
      letters = 0;
      start = i + 1;
    }
    return words;
  }

  private static boolean isInWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }
}
