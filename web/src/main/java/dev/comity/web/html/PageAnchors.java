package dev.comity.web.html;

import dev.comity.core.port.fetch.KeptPage.PageLink;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.html.HtmlScanner.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The links of a page as they are written, with their words and {@code rel}. Crawls that keep no
 * links never start it. A link to a place within the page is none.
 */
final class PageAnchors {
  /** As many as are followed. */
  static final int MOST = PageWalk.MOST_LINKS;

  /** In characters, of the words of one link. */
  static final int LONGEST_TEXT = 300;

  /** In characters, of all URLs of a page. */
  private static final int MOST_CHARACTERS = 2_000_000;

  private static final int LONGEST_REL = 100;

  private final List<Anchor> anchors = new ArrayList<>();
  private Optional<TextDraft> words = Optional.empty();
  private Optional<String> base = Optional.empty();
  private int templates;
  private int characters;

  private PageAnchors() {}

  private record Anchor(String reference, TextDraft text, String rel) {}

  static List<PageLink> read(CrawlUrl url, String html) {
    PageAnchors page = new PageAnchors();
    HtmlScanner scanner = new HtmlScanner(html);
    for (Piece piece = scanner.next(); piece != Piece.NOTHING; piece = scanner.next()) {
      page.take(piece, scanner);
    }
    return page.links(url);
  }

  private void take(Piece piece, HtmlScanner scanner) {
    Tag tag = scanner.tag();
    switch (piece) {
      case TEXT -> words.filter(_ -> templates == 0).ifPresent(scanner::appendTo);
      case START -> {
        words.filter(_ -> tag.partsWords()).ifPresent(TextDraft::part);
        templates += tag == Tag.TEMPLATE && !scanner.isForeign() ? 1 : 0;
        if (templates == 0) {
          start(tag, scanner);
        }
      }
      case END -> {
        words.filter(_ -> tag.partsWords()).ifPresent(TextDraft::part);
        templates -= tag == Tag.TEMPLATE && templates > 0 && !scanner.isForeign() ? 1 : 0;
        words = tag == Tag.A ? Optional.empty() : words;
      }
      case NOTHING -> {}
    }
  }

  private void start(Tag tag, HtmlScanner scanner) {
    switch (tag) {
      case BASE -> base = base.or(() -> scanner.attribute("href"));
      case A -> words = add(scanner, "");
      case AREA -> add(scanner, scanner.attribute("alt").orElse(""));
      case IMG ->
          // An image in a link speaks for it.
          words.ifPresent(
              line -> {
                line.part();
                scanner.attribute("alt").ifPresent(alt -> line.append(alt, 0, alt.length(), false));
              });
      default -> {}
    }
  }

  private Optional<TextDraft> add(HtmlScanner scanner, String text) {
    Optional<String> reference =
        scanner.attribute("href").filter(href -> !href.strip().startsWith("#"));
    if (reference.isEmpty()
        || anchors.size() == MOST
        || characters + reference.get().length() > MOST_CHARACTERS) {
      return Optional.empty();
    }
    characters += reference.get().length();
    TextDraft line = new TextDraft(LONGEST_TEXT);
    line.append(text, 0, text.length(), false);
    anchors.add(new Anchor(reference.get(), line, rel(scanner)));
    return Optional.of(line);
  }

  private static String rel(HtmlScanner scanner) {
    TextDraft line = new TextDraft(LONGEST_REL);
    String rel = scanner.attribute("rel").orElse("");
    line.append(rel, 0, rel.length(), false);
    return line.toString().toLowerCase(Locale.ROOT);
  }

  private List<PageLink> links(CrawlUrl url) {
    Base counted = Base.of(url, base);
    List<PageLink> links = new ArrayList<>(anchors.size());
    int room = MOST_CHARACTERS;
    for (Anchor anchor : anchors) {
      if (room > 0 && counted.resolve(anchor.reference()) instanceof CrawlUrl to) {
        links.add(new PageLink(to, anchor.text().toString(), anchor.rel()));
        room -= to.toString().length();
      }
    }
    return List.copyOf(links);
  }
}
