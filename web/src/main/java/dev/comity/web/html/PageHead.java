package dev.comity.web.html;

import dev.comity.web.html.HtmlScanner.Piece;
import java.util.Optional;

/**
 * What a page says about itself in its head: its language and its description. The walk ends where
 * the body begins.
 *
 * @param language as written, such as {@code en-GB}
 * @param description in one line
 */
public record PageHead(Optional<String> language, Optional<String> description) {
  /** In characters. */
  private static final int LONGEST_DESCRIPTION = 1_000;

  /** Tags; a head with more is read no further. */
  private static final int MOST_TAGS = 2_000;

  private static final String LANGUAGE = "[A-Za-z0-9-]{2,35}";

  static PageHead read(String html) {
    HtmlScanner scanner = new HtmlScanner(html);
    Optional<String> language = Optional.empty();
    Optional<String> named = Optional.empty();
    Optional<String> shared = Optional.empty();
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
        case HTML ->
            language =
                language.or(
                    () -> scanner.attribute("lang").map(String::strip).filter(PageHead::isTag));
        case META -> {
          named = named.or(() -> content(scanner, "name", "description"));
          shared = shared.or(() -> content(scanner, "property", "og:description"));
        }
        default -> {}
      }
    }
    Optional<String> second = shared;
    return new PageHead(language, named.or(() -> second));
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
