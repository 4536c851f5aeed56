package dev.comity.web.html;

import dev.comity.core.url.CrawlUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The feeds that a page names in {@code link rel=alternate}, by their types. */
final class FeedLinks {
  /** Sites have one for news and one for comments; a page that names more repeats itself. */
  private static final int MOST = 4;

  private static final Set<String> TYPES = Set.of("application/rss+xml", "application/atom+xml");

  private final List<String> references = new ArrayList<>();

  /** Takes the link at hand, if it names a feed. */
  void link(String rel, HtmlScanner scanner) {
    if (references.size() < MOST
        && RelWords.has(rel, "alternate")
        && scanner.attribute("type").filter(FeedLinks::isFeed).isPresent()) {
      scanner.attribute("href").ifPresent(references::add);
    }
  }

  private static boolean isFeed(String type) {
    int parameters = type.indexOf(';');
    String plain = parameters < 0 ? type : type.substring(0, parameters);
    return TYPES.contains(plain.strip().toLowerCase(Locale.ROOT));
  }

  /** Where they are, each once. */
  List<CrawlUrl> resolved(Base base) {
    return references.stream()
        .map(base::resolve)
        .filter(CrawlUrl.class::isInstance)
        .map(CrawlUrl.class::cast)
        .distinct()
        .toList();
  }
}
