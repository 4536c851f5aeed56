package dev.comity.app.command;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.Kind;
import dev.comity.store.report.RequestRecord;
import java.util.Locale;
import java.util.Optional;

/** Why nothing follows on a robots.txt that redirects. */
final class MovedRobots {
  private MovedRobots() {}

  /** In words, if this is the last request of its domain and such a one. */
  static Optional<String> words(RequestRecord last) {
    boolean moved =
        last.kind().equals(Kind.ROBOTS.name().toLowerCase(Locale.ROOT))
            && last.outcome().equals(Category.REDIRECT.code());
    return moved
        ? Optional.of(
            "%s redirects; until it was read where it is now nothing else is asked, and where that"
                    .formatted(last.url())
                + " takes more than 10 minutes or cannot be done its URLs fail (redirect) for an"
                + " hour")
        : Optional.empty();
  }
}
