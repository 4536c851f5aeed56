package dev.comity.web.html;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.UrlRefusal;
import dev.comity.core.url.UrlRefusal.Reason;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The references of one page, gathered as they are written and resolved at its end: the base that
 * they count from may come after them. Bounded both ways: short references on a long base make long
 * URLs.
 *
 * @param <N> what is noted about a reference
 */
final class PageLinks<N> {
  /** Characters of all references of a page, and again of all URLs they lead to. */
  static final int MOST_CHARACTERS = 2_000_000;

  private final int most;
  private final Map<String, N> references = new LinkedHashMap<>();
  private long characters;
  private int leftOut;

  /**
   * @param most how many different references count
   */
  PageLinks(int most) {
    this.most = most;
  }

  void add(String reference, N note) {
    if (references.containsKey(reference)) {
      return;
    }
    if (references.size() == most || characters + reference.length() > MOST_CHARACTERS) {
      leftOut++;
      return;
    }
    characters += reference.length();
    references.put(reference, note);
  }

  /** A reference that was not even looked at. */
  void leaveOut() {
    leftOut++;
  }

  int leftOut() {
    return leftOut;
  }

  /** Where they lead, each URL with the note of its first reference. */
  Map<CrawlUrl, N> resolved(Base base) {
    Map<CrawlUrl, N> links = new LinkedHashMap<>();
    int room = MOST_CHARACTERS;
    for (Map.Entry<String, N> entry : references.entrySet()) {
      switch (base.resolve(entry.getKey())) {
        case CrawlUrl link -> {
          int length = link.toString().length();
          if (length > room) {
            leftOut++;
          } else if (links.putIfAbsent(link, entry.getValue()) == null) {
            room -= length;
          }
        }
        case UrlRefusal refusal when refusal.reason() == Reason.TOO_LONG -> leftOut++;
        case UrlRefusal _ -> {}
      }
    }
    return links;
  }
}
