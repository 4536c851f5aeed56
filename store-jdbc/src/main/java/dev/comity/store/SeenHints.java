package dev.comity.store;

import dev.comity.core.url.CrawlUrl;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * URLs that are surely known, so that the links every page of a site repeats need no look at the
 * database. It forgets, one for another with the same place, and is never wrong: what it holds is
 * the URL itself, put there after it was committed.
 */
final class SeenHints {
  private final AtomicReferenceArray<CrawlUrl> places;
  private final int mask;

  /**
   * @param size how many to hold, a power of two
   */
  SeenHints(int size) {
    places = new AtomicReferenceArray<>(size);
    mask = size - 1;
  }

  boolean surelyKnows(CrawlUrl url) {
    int place = place(url);
    return url.equals(places.getPlain(place)) || url.equals(places.getPlain(place ^ 1));
  }

  /** Called by one thread. The newer of two is kept when a third comes. */
  void know(CrawlUrl url) {
    int place = place(url);
    CrawlUrl there = places.getPlain(place);
    if (there != null && !there.equals(url)) {
      places.setRelease(place ^ 1, there);
    }
    places.setRelease(place, url);
  }

  private int place(CrawlUrl url) {
    int hash = url.hashCode() * 0x9E3779B9;
    return (hash ^ (hash >>> 15)) & mask;
  }
}
