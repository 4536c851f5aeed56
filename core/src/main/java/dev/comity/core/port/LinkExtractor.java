package dev.comity.core.port;

import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.Optional;

/** Reads a page. Any bytes at all give an extraction, never an exception. */
public interface LinkExtractor {

  Extraction extract(CrawlUrl url, Success page);

  /**
   * What a page holds for us.
   *
   * @param links targets to follow, each once, in document order; empty where the page asks not to
   *     be followed
   * @param text what a reader would see
   */
  record Extraction(Optional<String> title, List<CrawlUrl> links, String text) {}
}
