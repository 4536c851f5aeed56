package dev.comity.web.html;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.UrlRefusal;
import dev.comity.core.url.UrlRefusal.Reason;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The links of one page. What counts is how many different URLs they lead to, without fragments.
 *
 * <p>References are gathered as they are written and resolved at the page's end, because the base
 * that they count from may come after them. Where there are more references than URLs may count,
 * they are resolved at once, with the base met so far. Bounded both ways: short references on a
 * long base make long URLs.
 *
 * @param <N> what is noted about a reference
 */
final class PageLinks<N> {
  /** Characters of all references of a page, and again of all URLs they lead to. */
  static final int MOST_CHARACTERS = 2_000_000;

  /** Characters of all URLs that references are resolved to, those that are known included. */
  private static final int MOST_RESOLVED = 20_000_000;

  /** What a URL that is too long cost at least. */
  private static final int TOO_LONG = 32_768;

  private final int most;
  private final Supplier<Base> baseSoFar;
  private final Map<String, N> references = new LinkedHashMap<>();
  private final Map<CrawlUrl, N> targets = new LinkedHashMap<>();
  private Optional<Base> early = Optional.empty();
  private long characters;
  private long resolved;
  private int room = MOST_CHARACTERS;
  private int leftOut;

  /**
   * @param most how many different URLs count
   * @param baseSoFar what references count from as far as the page is read
   */
  PageLinks(int most, Supplier<Base> baseSoFar) {
    this.most = most;
    this.baseSoFar = baseSoFar;
  }

  void add(String reference, N note) {
    String place = withoutFragment(reference);
    if (references.containsKey(place)) {
      return;
    }
    if (early.isEmpty()
        && references.size() < most
        && characters + place.length() <= MOST_CHARACTERS) {
      characters += place.length();
      references.put(place, note);
      return;
    }
    if (early.isEmpty()) {
      Base base = baseSoFar.get();
      early = Optional.of(base);
      references.forEach((gathered, noted) -> resolve(base, gathered, noted));
    }
    resolve(early.get(), place, note);
  }

  private static String withoutFragment(String reference) {
    int fragment = reference.indexOf('#');
    return fragment < 0 ? reference : reference.substring(0, fragment);
  }

  private void resolve(Base base, String reference, N note) {
    if (targets.size() == most || resolved > MOST_RESOLVED) {
      leftOut++;
      return;
    }
    switch (base.resolve(reference)) {
      case CrawlUrl link -> {
        int length = link.toString().length();
        resolved += length;
        if (targets.containsKey(link)) {
          return;
        }
        if (length > room) {
          leftOut++;
        } else {
          targets.put(link, note);
          room -= length;
        }
      }
      case UrlRefusal refusal when refusal.reason() == Reason.TOO_LONG -> {
        resolved += TOO_LONG;
        leftOut++;
      }
      case UrlRefusal _ -> {}
    }
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
    if (early.isEmpty()) {
      references.forEach((reference, note) -> resolve(base, reference, note));
    }
    return targets;
  }
}
