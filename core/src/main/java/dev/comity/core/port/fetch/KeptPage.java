package dev.comity.core.port.fetch;

import dev.comity.core.outcome.Body;
import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a crawl keeps of a page beside its title. Texts come from the site and are bounded.
 *
 * @param packed the body, compressed for a store
 * @param charset the charset of the body, such as {@code UTF-8}; empty where the body is no text
 * @param document whether the body is no HTML
 * @param text what a reader would see, with paragraphs
 * @param markdown the main content
 * @param fields what the user's selectors found, by name, in the user's order
 * @param links where the page leads, in its order
 * @param language the language that the page names, such as {@code en-GB}
 * @param description what the page says about itself
 * @param canonical the URL that the page calls its own
 * @param headers response headers that say something about the page, by lower-case name
 */
public record KeptPage(
    Optional<Body> packed,
    Optional<String> charset,
    boolean document,
    Optional<String> text,
    Optional<String> markdown,
    Map<String, List<String>> fields,
    List<PageLink> links,
    Optional<String> language,
    Optional<String> description,
    Optional<CrawlUrl> canonical,
    Map<String, String> headers) {

  /**
   * A link as it stands on the page.
   *
   * @param text the words of the link, in one line
   * @param rel the words of its {@code rel} attribute, in lower case
   */
  public record PageLink(CrawlUrl to, String text, String rel) {
    /** Whether the page asks crawlers not to follow it. */
    public boolean isNoFollow() {
      return List.of(rel.split(" ", -1)).contains("nofollow");
    }
  }
}
