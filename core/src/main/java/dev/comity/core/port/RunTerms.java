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

  public RunTerms {
    seeds = List.copyOf(seeds);
    scope = new TreeMap<>(scope);
  }
}
