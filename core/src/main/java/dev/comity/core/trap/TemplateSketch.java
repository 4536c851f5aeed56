package dev.comity.core.trap;

import java.util.List;
import java.util.Optional;

/**
 * What the pages of one template have said and where they led.
 *
 * @param texts of each page its words, in no order and without numbers, as one hash
 * @param words every word
 * @param places every path outside the template that a page led to, and images of pages that led to
 *     no new one
 * @param values every parameter with its value
 * @param barren pages that brought nothing new, the first 225 since one that did
 */
public record TemplateSketch(
    HashSketch texts, HashSketch words, HashSketch places, HashSketch values, HashSketch barren) {
  private static final int TEXTS = 2048;
  private static final int WORDS = 4096;
  private static final int PLACES = 2048;
  private static final int VALUES = 1024;
  private static final int BARREN = 2048;

  /** How many numbers it is written as. */
  public static final int SIZE = (TEXTS + WORDS + PLACES + VALUES + BARREN) / Long.SIZE;

  static final TemplateSketch NONE =
      new TemplateSketch(
          HashSketch.of(TEXTS),
          HashSketch.of(WORDS),
          HashSketch.of(PLACES),
          HashSketch.of(VALUES),
          HashSketch.of(BARREN));

  /** A page that echoes what was asked for has a word or two of its own. */
  private static final int ECHOED = 2;

  /** Pages for each value beyond which they are combinations. */
  private static final int COMBINED = 4;

  /** Bits taken, four a page: beyond this one page in fifty would be in it by mistake. */
  private static final int MOST_BARREN = 900;

  /** A template this small may still turn out to be anything. */
  private static final int FEW = 64;

  /** What a page says is known only of those that led nowhere new, and of the first. */
  TemplateSketch with(PageNovelty page, boolean isBarren) {
    return new TemplateSketch(
        page.says() ? texts.with(page.text()) : texts,
        words.with(page.words().toArray()),
        places.with(page.places().toArray()),
        values.with(page.values().toArray()),
        isBarren ? remembering(page.origin().url()) : NONE.barren);
  }

  /** Links of the first are asked next, so the first are worth more than the last. */
  private HashSketch remembering(long url) {
    return barren.count() < MOST_BARREN ? barren.with(Hashes.four(url)) : barren;
  }

  /** Whether this URL's page surely, or all but surely, brought nothing new. */
  boolean isBarren(long url) {
    return barren.knows(Hashes.four(url));
  }

  /**
   * Why this page brings nothing new, if it does not. A memory that is full calls nothing known:
   * what has brought that much is no trap.
   *
   * @param pages how many there were before it
   */
  Optional<TrapReason> barren(PageNovelty page, long pages) {
    if (leadsSomewhereNew(page.places())) {
      return Optional.empty();
    }
    if (!texts.isFull() && texts.knows(page.text())) {
      return Optional.of(TrapReason.SAME_TEXT);
    }
    if (!page.origin().selfFed()) {
      return Optional.empty();
    }
    if (!words.isFull() && words.unknown(page.words().toArray()) <= ECHOED) {
      return Optional.of(TrapReason.NOTHING_NEW);
    }
    boolean combined =
        page.values().size() > 1
            && pages >= FEW
            && !values.isFull()
            && pages > COMBINED * values.count();
    return combined ? Optional.of(TrapReason.COMBINATIONS) : Optional.empty();
  }

  /** Then the page is novel whatever its text, and the text need not be read. */
  boolean leadsSomewhereNew(LongSet found) {
    return leadsAnywhere() || !places.knows(found.toArray());
  }

  /** It has led to so many places that no page of it is asked any more where it leads. */
  boolean leadsAnywhere() {
    return places.isFull();
  }

  /** All of it, for keeping. */
  public long[] written() {
    long[] all = new long[SIZE];
    int at = 0;
    for (HashSketch sketch : List.of(texts, words, places, values, barren)) {
      sketch.writeTo(all, at);
      at += sketch.words();
    }
    return all;
  }

  /** What was written; anything of another size is an empty memory. */
  public static TemplateSketch read(long[] all) {
    if (all.length != SIZE) {
      return NONE;
    }
    int words = TEXTS / Long.SIZE;
    int places = words + WORDS / Long.SIZE;
    int values = places + PLACES / Long.SIZE;
    int barren = values + VALUES / Long.SIZE;
    return new TemplateSketch(
        HashSketch.from(all, 0, TEXTS),
        HashSketch.from(all, words, WORDS),
        HashSketch.from(all, places, PLACES),
        HashSketch.from(all, values, VALUES),
        HashSketch.from(all, barren, BARREN));
  }
}
