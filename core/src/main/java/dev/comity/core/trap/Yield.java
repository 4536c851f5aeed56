package dev.comity.core.trap;

import dev.comity.core.url.CrawlUrl;
import java.util.Optional;

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
    LongSet words,
    LongSet places,
    LongSet values,
    boolean selfFed,
    boolean begotten) {
  /** No template needs more of a page to be known by. */
  private static final int MOST_TEXT = 20_000;

  /**
   * A page whose text was not looked at.
   *
   * @param places a hash each
   */
  static Yield of(
      CrawlUrl url,
      Optional<CrawlUrl> referrer,
      LongSet places,
      boolean selfFed,
      boolean begotten) {
    LongSet values = new LongSet();
    UrlParts.of(url).values().forEach(value -> values.add(Hashes.of(value)));
    return new Yield(
        Hashes.of(url.toString()),
        referrer.map(page -> Hashes.of(page.toString())),
        0,
        new LongSet(),
        places,
        values,
        selfFed,
        begotten);
  }

  /** The same page with its text. */
  Yield saying(String read) {
    LongSet all = new LongSet();
    Hashes.words(read, Math.min(read.length(), MOST_TEXT), all);
    return new Yield(
        url, referrer, Hashes.of(Long.toString(all.sum())), all, places, values, selfFed, begotten);
  }

  /** Whether there is anything to compare. */
  boolean says() {
    return words.size() > 0;
  }
}
