package dev.comity.keep;

import dev.comity.content.FieldSelector;
import dev.comity.content.FrontMatter;
import dev.comity.content.PageDocument;
import dev.comity.core.url.CrawlUrl;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The only class that needs the tree of a page. It is loaded when a tree is asked for. */
public final class PageTree {
  /** In characters, of all fields of a page; fields beyond are left out. */
  private static final int MOST_CHARACTERS = 1_000_000;

  private final PageDocument document;

  private PageTree(PageDocument document) {
    this.document = document;
  }

  /** Makes the tree of a page; of a long page only of its beginning. */
  public static PageTree of(CrawlUrl url, String html) {
    return new PageTree(PageDocument.parse(url, html));
  }

  /**
   * Reads a selector of the user's.
   *
   * @throws IllegalArgumentException if it is none; the message says where it is wrong
   */
  public static void check(String css) {
    FieldSelector.of(css);
  }

  /** What a selector finds, in the order of the page. */
  public List<String> select(String css) {
    return document.select(FieldSelector.of(css));
  }

  /** What each selector finds, by name; a field that is not on the page is left out. */
  Map<String, List<String>> fields(Map<String, String> selectors) {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    int room = MOST_CHARACTERS;
    for (Map.Entry<String, String> selector : selectors.entrySet()) {
      List<String> found = select(selector.getValue());
      room -= found.stream().mapToInt(String::length).sum();
      if (!found.isEmpty() && room >= 0) {
        fields.put(selector.getKey(), found);
      }
    }
    return fields;
  }

  /** The main content, without front matter. */
  public String markdown() {
    return document.markdown();
  }

  /** The main content after its front matter. */
  Optional<String> markdown(FrontMatter before) {
    return Optional.of(before + document.markdown());
  }
}
