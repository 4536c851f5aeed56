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
  private static final @Nullable AuthorityDomain[] KNOWN = new @Nullable AuthorityDomain[PLACES];

  private RecentSites() {}

  static AuthorityDomain of(CrawlUrl url) {
    int place = (url.hostHash() * 31 + url.port()) & (PLACES - 1);
    AuthorityDomain known = KNOWN[place];
    if (known != null && known.has(url)) {
      return known;
    }
    AuthorityDomain site = AuthorityDomain.of(url);
    KNOWN[place] = site;
    return site;
  }
}
