package dev.comity.app;

import dev.comity.core.url.Scope.Reach;
import dev.comity.core.url.UrlPattern;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a crawl was told, typed and checked where it is built. Every way of saying it (flags now)
 * fills this one record.
 *
 * @param contact a web or mail address at which a site's owner reaches whoever runs this crawl
 * @param minimumInterval the shortest time between two requests to one domain; zero for none
 * @param maxPages pages to settle in all
 * @param maxDepth links to follow from a seed
 * @param scope how far from where a link stands it may lead
 * @param include patterns of which one must match, unless there is none
 * @param exclude patterns of which none may match
 */
public record Settings(
    Optional<String> contact,
    Duration minimumInterval,
    long maxPages,
    int maxDepth,
    Reach scope,
    List<UrlPattern> include,
    List<UrlPattern> exclude) {

  /** What holds when nothing is said. */
  public static final Settings DEFAULT =
      new Settings(
          Optional.empty(),
          Duration.ofSeconds(1),
          1000,
          Integer.MAX_VALUE,
          Reach.SEEDS,
          List.of(),
          List.of());

  public Settings {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
    require(
        !minimumInterval.isNegative(),
        "minimum-interval",
        minimumInterval,
        "must not be negative; 0 means none");
    require(maxPages >= 1, "max-pages", maxPages, "must be at least 1");
    require(maxDepth >= 0, "max-depth", maxDepth, "must be at least 0; 0 crawls the seeds alone");
  }

  /** These settings with another least interval. */
  Settings withMinimumInterval(Duration interval) {
    return new Settings(contact, interval, maxPages, maxDepth, scope, include, exclude);
  }

  private static void require(boolean holds, String key, Object value, String rule) {
    if (!holds) {
      throw new WrongSetting(key + " is " + value + ", but " + rule);
    }
  }
}
