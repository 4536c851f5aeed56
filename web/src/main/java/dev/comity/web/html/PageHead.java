package dev.comity.web.html;

import dev.comity.core.outcome.Headers;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.html.HtmlScanner.Piece;
import java.util.Optional;

/**
 * What a page says about itself in its head: language, description and canonical URL. The walk ends
 * where the body begins.
 *
 * @param language as written, such as {@code en-GB}
 * @param description in one line
 * @param canonical the URL that the page calls its own; that of the header comes first
 */
public record PageHead(
    Optional<String> language, Optional<String> description, Optional<CrawlUrl> canonical) {
  /** In characters. */
  private static final int LONGEST_DESCRIPTION = 1_000;

  /** Tags; a head with more is read no further. */
  private static final int MOST_TAGS = 2_000;

  private static final String LANGUAGE = "[A-Za-z0-9-]{2,35}";

  static PageHead read(CrawlUrl url, Headers headers, String html) {
    HtmlScanner scanner = new HtmlScanner(html);
    Optional<String> language = Optional.empty();
    Optional<String> named = Optional.empty();
    Optional<String> shared = Optional.empty();
    Optional<String> base = Optional.empty();
    Optional<String> canonical = Optional.empty();
    int tags = 0;
    for (Piece piece = scanner.next();
        piece != Piece.NOTHING && tags < MOST_TAGS;
        piece = scanner.next()) {
      if (piece != Piece.START) {
        continue;
      }
      tags++;
      if (scanner.tag() == Tag.BODY) {
        break;
      }
      switch (scanner.tag()) {
        case HTML -> language = language.or(() -> language(scanner));
        case META -> {
          named = named.or(() -> content(scanner, "name", "description"));
          shared = shared.or(() -> content(scanner, "property", "og:description"));
        }
        case BASE -> base = base.or(() -> scanner.attribute("href"));
        case LINK ->
            canonical =
                canonical.or(
                    () ->
                        scanner
                            .attribute("rel")
                            .filter(rel -> RelWords.has(rel, "canonical"))
                            .flatMap(_ -> scanner.attribute("href")));
        default -> {}
      }
    }
    Base counted = Base.of(url, base);
    Optional<CrawlUrl> own = canonical.flatMap(reference -> resolved(counted, reference));
    Optional<String> second = shared;
    return new PageHead(language, named.or(() -> second), ofHeader(url, headers).or(() -> own));
  }

  private static Optional<CrawlUrl> ofHeader(CrawlUrl url, Headers headers) {
    return headers.all("link").stream()
        .flatMap(line -> LinkHeader.links(Headers.escaped(line)).stream())
        .filter(link -> RelWords.has(link.rel(), "canonical"))
        .findFirst()
        .flatMap(link -> resolved(new Base(Optional.of(url)), link.reference()));
  }

  private static Optional<CrawlUrl> resolved(Base base, String reference) {
    return base.resolve(reference) instanceof CrawlUrl url ? Optional.of(url) : Optional.empty();
  }

  /** The language that the element at hand names. */
  static Optional<String> language(HtmlScanner scanner) {
    return scanner.attribute("lang").map(String::strip).filter(PageHead::isTag);
  }

  private static boolean isTag(String language) {
    return language.matches(LANGUAGE);
  }

  private static Optional<String> content(HtmlScanner scanner, String attribute, String word) {
    return scanner
        .attribute(attribute)
        .filter(word::equalsIgnoreCase)
        .flatMap(_ -> scanner.attribute("content"))
        .map(
            content -> {
              TextDraft line = new TextDraft(LONGEST_DESCRIPTION);
              line.append(content, 0, content.length(), false);
              return line.toString();
            })
        .filter(line -> !line.isEmpty());
  }
}
