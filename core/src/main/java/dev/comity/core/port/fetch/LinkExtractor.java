package dev.comity.core.port.fetch;

import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Wishes;
import java.util.List;
import java.util.Optional;

/** A parser of pages. Any bytes give an extraction, never an exception. */
public interface LinkExtractor {

  Extraction extract(CrawlUrl url, Success page);

  /** What the header of a response says about its use, before the body is read. */
  default Wishes wishes(Headers headers) {
    return Wishes.NONE;
  }

  /**
   * What was extracted from a page.
   *
   * @param title in one line
   * @param links targets to follow, each once, in document order; empty where the page asks not to
   *     be followed
   * @param reads what a reader would see
   * @param canonical the canonical URL that the page names; also among the links, unless it is the
   *     page itself
   * @param images images of the page, each URL once
   * @param leftOut how many links do not count because they are too long or too many
   * @param mayKeep whether title and text may be kept: an expired page may not
   * @param reading what the page says beyond its links
   */
  record Extraction(
      Optional<String> title,
      List<CrawlUrl> links,
      PageText reads,
      Optional<CrawlUrl> canonical,
      List<ImageRef> images,
      int leftOut,
      boolean mayKeep,
      PageReading reading) {

    /** What a reader would see. */
    public String text() {
      return reads.toString();
    }
  }
}
