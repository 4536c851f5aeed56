package dev.comity.core.url;

import org.jspecify.annotations.Nullable;

/**
 * The names of domains that were read lately, by host and port. Every link is asked for its domain
 * several times, and most links of a page lead to a host that the page itself, or one before it,
 * has named. It forgets, one for another with the same place, and is never wrong.
 */
final class RecentNames {
  private static final int PLACES = 1 << 12;

  /** Any thread writes here and none waits: each entry is whole, whichever of them it is. */
  private static final @Nullable Known[] KNOWN = new @Nullable Known[PLACES];

  private record Known(String host, int port, DomainName name) {}

  private RecentNames() {}

  static DomainName of(CrawlUrl url) {
    int place = (url.hostHash() * 31 + url.port()) & (PLACES - 1);
    Known known = KNOWN[place];
    if (known != null && known.port == url.port() && url.hasHost(known.host)) {
      return known.name;
    }
    DomainName name = DomainName.read(url);
    KNOWN[place] = new Known(url.host(), url.port(), name);
    return name;
  }
}
