package dev.comity.store.crawl;

import dev.comity.core.url.CrawlUrl;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * URLs that are surely known, so that the links every page of a site repeats need no look at the
 * database. It forgets, and is never wrong: what it holds is the URL itself, put there after it was
 * committed. A newcomer takes the last of the few places it may have; each time one is met again it
 * moves up, so that what is met once does not drive out what is met on every page. Threads that
 * move at the same time may lose a URL or have it twice, which does no harm.
 */
public final class SeenHints {
  private static final int WAYS = 4;

  private final AtomicReferenceArray<CrawlUrl> places;
  private final int mask;

  /**
   * @param size how many to hold, a power of two
   */
  public SeenHints(int size) {
    places = new AtomicReferenceArray<>(size);
    mask = size - WAYS;
  }

  boolean surelyKnows(CrawlUrl url) {
    int first = first(url);
    for (int place = first; place < first + WAYS; place++) {
      CrawlUrl there = places.getPlain(place);
      if (there == null) {
        return false;
      }
      if (there.equals(url)) {
        if (place > first) {
          places.setRelease(place, places.getPlain(place - 1));
          places.setRelease(place - 1, there);
        }
        return true;
      }
    }
    return false;
  }

  /** Called by one thread. */
  void know(CrawlUrl url) {
    int place = first(url);
    int last = place + WAYS - 1;
    while (place < last && places.getPlain(place) != null) {
      if (url.equals(places.getPlain(place))) {
        return;
      }
      place++;
    }
    places.setRelease(place, url);
  }

  private int first(CrawlUrl url) {
    int hash = url.hashCode() * 0x9E3779B9;
    return (hash ^ (hash >>> 15)) & mask;
  }
}
