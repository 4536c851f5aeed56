package dev.comity.core.port;

import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What makes two crawls the same run: where they start, how far they go and how much they may have.
 *
 * @param scope every setting that decides which links are followed, by name
 */
public record RunTerms(
    List<CrawlUrl> seeds, SortedMap<String, String> scope, long maxPages, long maxPagesPerDomain) {

  /** The name of how far from its seeds a run goes. */
  public static final String SCOPE = "scope";

  /** Under that name: to any domain. Under any other, a run keeps to the domains of its seeds. */
  public static final String ANYWHERE = "any";

  /** The name of whether all hosts under one registered name are one domain. */
  public static final String STRIP_SUBDOMAINS = "strip-subdomains";

  public RunTerms {
    seeds = List.copyOf(seeds);
    scope = new TreeMap<>(scope);
  }
}
