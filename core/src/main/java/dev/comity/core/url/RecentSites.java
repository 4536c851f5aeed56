package dev.comity.core.url;

import org.jspecify.annotations.Nullable;

/**
 * A cache of the sites of recently read URLs. Most links of a page lead to a host that the page
 * itself, or one before it, has named. It forgets, one for another with the same place, and is
 * never wrong.
 */
final class RecentSites {
  private static final int PLACES = 1 << 12;

  /** Any thread writes here and none waits: each entry is whole, whichever of them it is. */
  private static final @Nullable Site[] KNOWN = new @Nullable Site[PLACES];

  private RecentSites() {}

  static Site of(CrawlUrl url) {
    int place = (url.hostHash() * 31 + url.port()) & (PLACES - 1);
    Site known = KNOWN[place];
    if (known != null && known.has(url)) {
      return known;
    }
    Site site = Site.of(url);
    KNOWN[place] = site;
    return site;
  }
}
