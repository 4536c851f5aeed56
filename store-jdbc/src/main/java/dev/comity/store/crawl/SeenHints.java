package dev.comity.store.crawl;

import dev.comity.core.url.CrawlUrl;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A cache of URLs that are in the database, so that links repeated on every page need no lookup. It
 * forgets but is never wrong: it holds the URL itself, added after its commit. A new URL takes the
 * last of its four places, and each hit moves it up by one. So URLs met once do not displace those
 * on every page. A race between threads may lose or duplicate a URL, which does no harm.
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

  public boolean surelyKnows(CrawlUrl url) {
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
  public void know(CrawlUrl url) {
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
