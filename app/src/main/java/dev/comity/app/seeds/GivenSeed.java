package dev.comity.app.seeds;

import dev.comity.app.text.Words;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.scope.AcceptedTypes;
import dev.comity.core.scope.SkippedEndings;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Seed;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * A place to start from, as it was given.
 *
 * @param rank its place in the list it comes from, from 1
 * @param sitemap whether it is a list of pages, and no page
 * @param named whether the command line names it
 */
public record GivenSeed(Seed seed, OptionalLong rank, boolean sitemap, boolean named) {
  /** What sitemaps are called wherever they are found without being named by a robots.txt. */
  private static final Pattern SITEMAP =
      Pattern.compile(".*sitemap[^/]*\\.(xml|txt)(\\.gz)?", Pattern.DOTALL);

  public static GivenSeed of(Seed seed) {
    return new GivenSeed(seed, OptionalLong.empty(), isCalledSitemap(seed.url()), false);
  }

  /** The same, named on the command line. */
  GivenSeed byName() {
    return new GivenSeed(seed, rank, sitemap, true);
  }

  /** The same as a list of pages, whatever it is called. */
  GivenSeed asSitemap() {
    return new GivenSeed(seed, rank, true, named);
  }

  GivenSeed ranked(OptionalLong place) {
    return new GivenSeed(seed, place, sitemap, named);
  }

  /** The first, with the better rank of both. */
  GivenSeed better(GivenSeed other) {
    return other.rank.isPresent() && other.rank.getAsLong() < rank.orElse(Long.MAX_VALUE)
        ? ranked(other.rank)
        : this;
  }

  private static boolean isCalledSitemap(CrawlUrl url) {
    String target = url.target().toLowerCase(Locale.ROOT);
    int query = target.indexOf('?');
    String path = query < 0 ? target : target.substring(0, query);
    return SITEMAP.matcher(path.substring(path.lastIndexOf('/') + 1)).matches();
  }

  /** Says which of them end like a file that is not kept: named by a person, they are asked. */
  public static Optional<String> notice(Collection<GivenSeed> seeds, AcceptedTypes accepted) {
    List<CrawlUrl> files =
        seeds.stream()
            .filter(given -> !given.sitemap)
            .map(given -> given.seed.url())
            .filter(url -> SkippedEndings.isOn(url, accepted))
            .toList();
    return files.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s%s named as a start and asked, though only HTML is kept."
                .formatted(
                    files.getFirst(),
                    files.size() == 1
                        ? " is"
                        : " and " + Words.count(files.size() - 1, "other file") + " are"));
  }

  /** The best rank of each domain that has one. */
  public static Map<DomainName, Long> ranks(Collection<GivenSeed> seeds, Grouping grouping) {
    Map<DomainName, Long> ranks = new LinkedHashMap<>();
    for (GivenSeed one : seeds) {
      if (one.rank.isPresent()) {
        ranks.merge(grouping.domainOf(one.seed.url()), one.rank.getAsLong(), Math::min);
      }
    }
    return ranks;
  }

  /**
   * On its way into the frontier.
   *
   * @param sitemaps whether sitemaps are read; if not, one is a page like any other
   */
  public QueuedUrl entry(boolean sitemaps) {
    return sitemap && sitemaps
        ? QueuedUrl.seedSitemap(seed.url())
        : QueuedUrl.seed(seed.url(), seed.fallback());
  }
}
