package dev.comity.content;

import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.Optional;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;

/** A page as a tree. Not thread-safe. */
public final class PageDocument {
  /**
   * In characters: what is beyond is not parsed. Tables opened over and over take jsoup 16 s for
   * two million characters, and four times less for half of them.
   */
  public static final int LONGEST_PAGE = 1_000_000;

  /** Elements nested deeper become children of the last that counts. */
  private static final int DEEPEST = 200;

  private final Document document;

  private PageDocument(Document document) {
    this.document = document;
  }

  /**
   * Makes the tree of a page.
   *
   * @param html the page, decoded
   */
  public static PageDocument parse(CrawlUrl url, String html) {
    String page = html.length() <= LONGEST_PAGE ? html : html.substring(0, LONGEST_PAGE);
    Parser parser = Parser.htmlParser().setMaxDepth(DEEPEST);
    Document document = parser.parseInput(page, url.toString());
    Optional.ofNullable(document.selectFirst("base[href]"))
        .map(base -> base.absUrl("href"))
        .filter(base -> !base.isEmpty())
        .ifPresent(document::setBaseUri);
    return new PageDocument(document);
  }

  /** All text of the page: paragraphs with an empty line between them. */
  public String text() {
    return TextWriter.write(document.body());
  }

  /** The main content as Markdown, without front matter. */
  public String markdown() {
    Element main = MainContent.of(document);
    return MarkdownWriter.write(main);
  }

  /** What a selector finds, in the order of the page. */
  public List<String> select(FieldSelector selector) {
    return selector.in(document);
  }

  /** The language that the page names for itself, such as {@code en-GB}. */
  public Optional<String> language() {
    return Optional.ofNullable(document.selectFirst("html[lang]"))
        .map(html -> html.attr("lang").strip())
        .filter(language -> language.matches("[A-Za-z0-9-]{2,35}"));
  }

  /** What the page says about itself in one sentence. */
  public Optional<String> description() {
    return Optional.ofNullable(
            document.selectFirst("meta[name=description], meta[property=og:description]"))
        .map(meta -> Lines.oneLine(meta.attr("content"), 1_000))
        .filter(description -> !description.isEmpty());
  }
}
