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
   * @param title in one line; empty also where the page asks not to be kept
   * @param links targets to follow, each once, in document order; empty where the page asks not to
   *     be followed
   * @param text what a reader would see; empty also where the page asks not to be kept
   * @param canonical where the page says its own place is; also among the links, unless it is the
   *     page itself
   * @param images what the page shows, each URL once
   * @param leftOut how many links do not count because they are too long or too many
   */
  record Extraction(
      Optional<String> title,
      List<CrawlUrl> links,
      String text,
      Optional<CrawlUrl> canonical,
      List<ImageRef> images,
      int leftOut) {

    /** A page with nothing but a title, links and text. */
    public Extraction(Optional<String> title, List<CrawlUrl> links, String text) {
      this(title, links, text, Optional.empty(), List.of(), 0);
    }
  }
}
