package dev.comity.core.trap;

/**
 * What one page brought, as hashes. Where it leads says of most pages all that is to be known; only
 * of others it is asked what they say and where they come from.
 *
 * @param places each path outside its template that it leads to; where none is new, its images too
 * @param values each parameter of its URL with its value
 * @param text all its words, in no order: a list sorted otherwise is the same list
 * @param words each word once
 * @param origin where it comes from
 */
record PageNovelty(LongSet places, LongSet values, long text, LongSet words, Origin origin) {
  /** No template needs more of a page to be known by. */
  private static final int MOST_TEXT = 20_000;

  /** Pages have hundreds of words. */
  private static final int ROOM_FOR_WORDS = 512;

  private static final LongSet UNREAD = new LongSet();

  /**
   * Where a page comes from.
   *
   * @param url its own
   * @param referrer the page it was found on, or 0
   * @param selfFed whether that is of the same template
   * @param begotten whether that brought nothing new, or the page carries a session, so that no
   *     list of such pages has an end
   */
  record Origin(long url, long referrer, boolean selfFed, boolean begotten) {
    static final Origin UNKNOWN = new Origin(0, 0, false, false);
  }

  /** A page without a look at its text. */
  static PageNovelty leading(LongSet places, LongSet values) {
    return new PageNovelty(places, values, 0, UNREAD, Origin.UNKNOWN);
  }

  /** The same page with its text. */
  PageNovelty saying(String read) {
    LongSet all = new LongSet(ROOM_FOR_WORDS);
    Hashes.words(read, Math.min(read.length(), MOST_TEXT), all);
    return new PageNovelty(places, values, Hashes.of(Long.toString(all.sum())), all, origin);
  }

  /** The same page, from there. */
  PageNovelty from(Origin where) {
    return new PageNovelty(places, values, text, words, where);
  }

  /** Whether there is anything to compare. */
  boolean says() {
    return words.size() > 0;
  }
}
