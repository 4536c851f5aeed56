package dev.comity.web.html;

import dev.comity.core.outcome.Body;
import dev.comity.core.port.fetch.KeptPage.PageLink;
import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.Optional;

/**
 * What only crawls that keep pages read of them: each in a walk of its own, without a tree, in time
 * and memory that the page's size bounds.
 */
public final class PageDetails {
  private PageDetails() {}

  /** The text with an empty line between paragraphs. */
  public static String paragraphs(CrawlUrl url, String html) {
    return PageWalk.paragraphs(url, html, HtmlReader.LONGEST_TEXT);
  }

  /** The links with their words, in the order of the page. */
  public static List<PageLink> links(CrawlUrl url, String html) {
    return PageAnchors.read(url, html);
  }

  /** Language and description. */
  public static PageHead head(String html) {
    return PageHead.read(html);
  }

  /** The name of the charset that a text is in, such as {@code UTF-8}. */
  public static String charset(Body body, Optional<String> contentType) {
    return PageCharset.name(body.bytes(), contentType);
  }

  /**
   * The characters of a text, and nothing else changed. A byte order mark stays, so a body in UTF-8
   * can be made of it again.
   */
  public static String characters(Body body, String charset) {
    return PageCharset.text(body.bytes(), charset);
  }
}
