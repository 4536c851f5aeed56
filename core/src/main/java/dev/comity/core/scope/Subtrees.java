package dev.comity.core.scope;

import dev.comity.core.url.CrawlUrl;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The paths of the seeds and all below them. A seed {@code /docs/index.html} opens {@code /docs/},
 * and so do {@code /docs} and {@code /docs/}. http and https, with and without {@code www.}, are
 * one place: sites redirect from one to the other.
 *
 * @param roots each a host and a path that ends in a slash
 */
record Subtrees(Set<String> roots) {
  static final Subtrees NONE = new Subtrees(Set.of());
  private static final String WWW = "www.";

  static Subtrees of(Collection<CrawlUrl> seeds) {
    return new Subtrees(seeds.stream().map(Subtrees::root).collect(Collectors.toUnmodifiableSet()));
  }

  private static String root(CrawlUrl seed) {
    String path = path(seed);
    int slash = path.lastIndexOf('/');
    boolean file = path.indexOf('.', slash) >= 0;
    String directory = path.endsWith("/") ? path : path + "/";
    return place(seed) + (file ? path.substring(0, slash + 1) : directory);
  }

  /** Looks up every directory above the URL: as many as it has, however many seeds there are. */
  boolean hold(CrawlUrl url) {
    String place = place(url);
    String path = path(url) + "/";
    for (int at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      if (roots.contains(place + path.substring(0, at + 1))) {
        return true;
      }
    }
    return false;
  }

  private static String path(CrawlUrl url) {
    String target = url.target();
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  private static String place(CrawlUrl url) {
    String host = url.host();
    String bare = host.startsWith(WWW) ? host.substring(WWW.length()) : host;
    return url.port() == 80 || url.port() == 443 ? bare : bare + ":" + url.port();
  }
}
