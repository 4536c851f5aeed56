package dev.comity;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.fetch.ImageSighting;
import dev.comity.core.port.fetch.KeptPage.PageLink;
import dev.comity.core.port.fetch.PageReading;
import dev.comity.core.url.CrawlUrl;
import dev.comity.keep.PageTree;
import dev.comity.web.html.HtmlReader;
import dev.comity.web.html.PageDetails;
import dev.comity.web.html.PageHead;
import dev.comity.web.http.DocumentType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes parts of a page when they are asked for, each once. Thread-safe. */
final class PageSource {
  private final CrawlUrl url;
  private final Success page;
  private final PageReading reading;
  private final Optional<String> document;
  private @Nullable PageTree tree;
  private @Nullable PageHead head;
  private @Nullable String text;
  private @Nullable List<PageLink> links;
  private @Nullable List<ImageSighting> images;

  private PageSource(CrawlUrl url, Success page, PageReading reading, Optional<String> document) {
    this.url = url;
    this.page = page;
    this.reading = reading;
    this.document = document;
  }

  static PageSource of(CrawlUrl url, Success page, PageReading reading) {
    // A document has no HTML; only of a page without any the type is looked at.
    return new PageSource(
        url, page, reading, reading.html().isEmpty() ? DocumentType.of(page) : Optional.empty());
  }

  static PageSource nothing(CrawlUrl url) {
    return new PageSource(
        url, new Success(0, Headers.NONE, Body.EMPTY), PageReading.NONE, Optional.empty());
  }

  String html() {
    return reading.html();
  }

  Optional<String> charset() {
    return page.body().length() == 0
            || document.filter(type -> !DocumentType.isText(type)).isPresent()
        ? Optional.empty()
        : Optional.of(PageDetails.charset(page.body(), page.headers().first("content-type")));
  }

  synchronized String text() {
    if (text == null) {
      text =
          document
              .map(type -> PageDetails.documentText(page, type, HtmlReader.LONGEST_TEXT))
              .orElseGet(() -> PageDetails.paragraphs(url, reading.html()));
    }
    return text;
  }

  synchronized PageHead head() {
    if (head == null) {
      head = PageDetails.head(url, page.headers(), reading.html());
    }
    return head;
  }

  synchronized List<PageLink> links() {
    if (links == null) {
      links = PageDetails.links(url, reading.html());
    }
    return links;
  }

  synchronized List<ImageSighting> images() {
    if (images == null) {
      images = reading.images().get();
    }
    return images;
  }

  synchronized String markdown() {
    // A tree of its own: finding the main content changes it.
    return PageTree.of(url, reading.html()).markdown();
  }

  synchronized List<String> select(String css) {
    if (tree == null) {
      tree = PageTree.of(url, reading.html());
    }
    return tree.select(css);
  }
}
