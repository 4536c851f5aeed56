package dev.comity;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What became of a URL once it was its turn. One that is asked again has an outcome each time.
 *
 * @param kind a page, a sitemap, or a known page that was asked for its links alone
 * @param word the outcome in one word: that of the answer, such as {@code success}, {@code
 *     client_error}, {@code rate_limited} or {@code timeout}, or why it was not asked, {@code
 *     denied} by robots.txt, {@code usage_refused} by a wish of its site, {@code suppressed} as a
 *     trap, {@code skipped} by its ending, {@code moved} to where its site has gone
 * @param status the HTTP status, where there was one
 * @param over whether the URL is finished, and not asked again
 */
public record Outcome(CrawlUrl url, Kind kind, String word, OptionalInt status, boolean over) {

  static Outcome of(Settlement settlement) {
    Optional<Fetched> fetched = settlement.fetched();
    return new Outcome(
        settlement.entry().url(),
        settlement.entry().kind(),
        fetched.map(one -> one.outcome().category().code()).orElseGet(() -> unasked(settlement)),
        fetched.map(one -> one.outcome().status()).orElse(OptionalInt.empty()),
        isOver(settlement.fate()));
  }

  private static String unasked(Settlement settlement) {
    return switch (settlement.fate()) {
      case Fate.Done(var category) -> category.code();
      case Fate.Failed(var reason) -> reason.code();
      case Fate.Denied(var wish) -> wish.isPresent() ? Category.USAGE_REFUSED.code() : "denied";
      case Fate.Suppressed _ -> "suppressed";
      case Fate.Skipped _ -> "skipped";
      case Fate.Moved _ -> "moved";
      case Fate.Retry _, Fate.Returned _ -> "later";
    };
  }

  private static boolean isOver(Fate fate) {
    return switch (fate) {
      case Fate.Done _,
          Fate.Failed _,
          Fate.Denied _,
          Fate.Suppressed _,
          Fate.Skipped _,
          Fate.Moved _ ->
          true;
      case Fate.Retry _, Fate.Returned _ -> false;
    };
  }
}
