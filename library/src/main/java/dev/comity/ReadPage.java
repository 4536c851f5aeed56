package dev.comity;

import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.port.fetch.KeptPage.PageLink;
import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.UrlRefusal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A page that was just read and is not settled yet. URLs that are added here are links of the page:
 * they are settled together with it, and scope, robots.txt and pace hold for them.
 */
public final class ReadPage {
  /** As many as a page may have links. */
  private static final int MOST = 10_000;

  private final CrawlUrl url;
  private final Extraction extraction;
  private final PageSource source;
  private final Set<CrawlUrl> added = new LinkedHashSet<>();

  ReadPage(CrawlUrl url, Success page, Extraction extraction) {
    this.url = url;
    this.extraction = extraction;
    source = PageSource.of(url, page, extraction.reading());
  }

  public CrawlUrl url() {
    return url;
  }

  public Optional<String> title() {
    return extraction.title();
  }

  public String html() {
    return source.html();
  }

  public String text() {
    return source.text();
  }

  public List<PageLink> links() {
    return source.links();
  }

  /** As {@link Page#select}. */
  public List<String> select(String css) {
    return source.select(css);
  }

  /**
   * Adds a link to the page.
   *
   * @param reference a URL, absolute or counted from the page
   * @throws IllegalArgumentException if it is no URL of the web
   */
  public void add(String reference) {
    switch (url.resolve(reference)) {
      case CrawlUrl target -> {
        if (added.size() < MOST) {
          added.add(target);
        }
      }
      case UrlRefusal refusal -> throw new IllegalArgumentException(refusal.message());
    }
  }

  Extraction read() {
    if (added.isEmpty()) {
      return extraction;
    }
    Set<CrawlUrl> all = new LinkedHashSet<>(extraction.links());
    all.addAll(added);
    return new Extraction(
        extraction.title(),
        List.copyOf(all),
        extraction.reads(),
        extraction.canonical(),
        extraction.images(),
        extraction.leftOut(),
        extraction.mayKeep(),
        extraction.reading());
  }
}
