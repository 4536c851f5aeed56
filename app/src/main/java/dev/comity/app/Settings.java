package dev.comity.app;

import dev.comity.core.port.RunTerms;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Scope.Reach;
import dev.comity.core.url.UrlPattern;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a crawl was told, typed and checked where it is built. Every way of saying it (flags, the
 * environment, a file) fills this one record.
 *
 * @param contact a web or mail address at which a site's owner reaches whoever runs this crawl
 * @param minimumInterval the shortest time between two requests to one domain; zero for none
 * @param maxPages pages to settle in all
 * @param maxPagesPerDomain pages to settle of one domain
 * @param maxDepth links to follow from a seed
 * @param scope how far from where a link stands it may lead
 * @param include patterns of which one must match, unless there is none
 * @param exclude patterns of which none may match
 * @param sitemaps whether the sitemaps that a robots.txt names are read
 * @param manner everything else
 */
public record Settings(
    Optional<String> contact,
    Duration minimumInterval,
    long maxPages,
    long maxPagesPerDomain,
    int maxDepth,
    Reach scope,
    List<UrlPattern> include,
    List<UrlPattern> exclude,
    boolean sitemaps,
    Manner manner) {

  /** What holds when nothing is said. */
  public static final Settings DEFAULT =
      new Settings(
          Optional.empty(),
          Duration.ofSeconds(1),
          1000,
          1000,
          Integer.MAX_VALUE,
          Reach.SEEDS,
          List.of(),
          List.of(),
          true,
          Manner.DEFAULT);

  public Settings {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
    require(
        !minimumInterval.isNegative(),
        "minimum-interval",
        minimumInterval,
        "must not be negative; 0 means none");
    require(maxPages >= 1, "max-pages", maxPages, "must be at least 1");
    require(
        maxPagesPerDomain >= 1, "max-pages-per-domain", maxPagesPerDomain, "must be at least 1");
    require(maxDepth >= 0, "max-depth", maxDepth, "must be at least 0; 0 crawls the seeds alone");
  }

  /** These settings with another budget for each domain. */
  Settings withMaxPagesPerDomain(long most) {
    return new Settings(
        contact,
        minimumInterval,
        maxPages,
        most,
        maxDepth,
        scope,
        include,
        exclude,
        sitemaps,
        manner);
  }

  /** These settings with another least interval. */
  Settings withMinimumInterval(Duration interval) {
    return new Settings(
        contact,
        interval,
        maxPages,
        maxPagesPerDomain,
        maxDepth,
        scope,
        include,
        exclude,
        sitemaps,
        manner);
  }

  /**
   * What makes a crawl of these seeds the same run as another one: pace, contact and sitemaps do
   * not.
   */
  RunTerms terms(List<CrawlUrl> seeds) {
    SortedMap<String, String> reach = new TreeMap<>();
    reach.put(RunTerms.SCOPE, scope.name().toLowerCase(Locale.ROOT));
    reach.put("max-depth", String.valueOf(maxDepth));
    reach.put("include", patterns(include));
    reach.put("exclude", patterns(exclude));
    if (manner.grouping() != Grouping.BY_HOST) {
      reach.put(RunTerms.STRIP_SUBDOMAINS, "true");
    }
    String budgets = budgets();
    if (!budgets.isEmpty()) {
      reach.put("domains", budgets);
    }
    return new RunTerms(seeds, reach, maxPages, maxPagesPerDomain);
  }

  private String budgets() {
    return manner.domains().entrySet().stream()
        .filter(domain -> domain.getValue().maxPages().isPresent())
        .map(domain -> domain.getKey() + " " + domain.getValue().maxPages().getAsLong())
        .sorted()
        .collect(Collectors.joining("\n"));
  }

  private static String patterns(List<UrlPattern> patterns) {
    return patterns.stream()
        .map(UrlPattern::toString)
        .sorted()
        .distinct()
        .collect(Collectors.joining("\n"));
  }

  static void require(boolean holds, String key, Object value, String rule) {
    if (!holds) {
      throw new WrongSetting(key + " is " + value + ", but " + rule);
    }
  }
}
