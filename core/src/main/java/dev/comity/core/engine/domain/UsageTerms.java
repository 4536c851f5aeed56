package dev.comity.core.engine.domain;

import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.UsageRefused;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.port.fetch.LinkExtractor;
import dev.comity.core.usage.Purpose;
import dev.comity.core.usage.UsageRefusal;
import dev.comity.core.usage.Wishes;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a site's wishes refuse what this crawl is for. A robots.txt or sitemap is read to crawl
 * politely, not collected: no wish refuses it.
 *
 * @param reader reads the wishes in response headers
 */
record UsageTerms(Set<Purpose> purposes, LinkExtractor reader) {

  UsageTerms(CrawlContext context) {
    this(context.plan().purposes(), context.parts().links());
  }

  /** The wish that refuses a URL of this kind. */
  Optional<UsageRefusal> refusal(Kind kind, Wishes wishes) {
    if (wishes.isEmpty() || !kind.speaksForTheSite()) {
      return Optional.empty();
    }
    return kind == Kind.IMAGE ? wishes.refusalOfImage(purposes) : wishes.refusalOfPage(purposes);
  }

  /**
   * The outcome of an answer whose header refuses it.
   *
   * @param known what the site has said before the answer
   */
  Optional<FetchOutcome> refused(Kind kind, int code, Headers headers, Wishes known) {
    if (!kind.speaksForTheSite()) {
      return Optional.empty();
    }
    Wishes stated = reader.wishes(headers);
    return refusal(kind, stated)
        .map(refusal -> new UsageRefused(code, refusal, stated.after(known)));
  }
}
