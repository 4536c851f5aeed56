package dev.comity.web.html;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.ParsedUrl;
import dev.comity.core.url.UrlRefusal;
import dev.comity.core.url.UrlRefusal.Reason;
import java.util.Locale;
import java.util.Optional;

/**
 * What the references of a page count from.
 *
 * @param url empty where the page has put its base outside the web: then only whole URLs lead
 *     anywhere
 */
record Base(Optional<CrawlUrl> url) {

  /** The base of a page, given the href of its first base element. */
  static Base of(CrawlUrl page, Optional<String> href) {
    return href.map(written -> written(page, written)).orElseGet(() -> new Base(Optional.of(page)));
  }

  private static Base written(CrawlUrl page, String href) {
    return switch (page.resolve(href)) {
      case CrawlUrl base -> new Base(Optional.of(base));
      case UrlRefusal refusal when refusal.reason() == Reason.NOT_WEB && !isIgnored(href) ->
          new Base(Optional.empty());
      case UrlRefusal _ -> new Base(Optional.of(page));
    };
  }

  /** The standard names two schemes that no base may have. */
  private static boolean isIgnored(String href) {
    String scheme = href.strip().toLowerCase(Locale.ROOT);
    return scheme.startsWith("data:") || scheme.startsWith("javascript:");
  }

  ParsedUrl resolve(String reference) {
    return url.isPresent() ? url.get().resolve(reference) : CrawlUrl.parse(reference);
  }
}
