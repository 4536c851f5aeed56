package dev.comity.app.command.report;

import dev.comity.app.text.Words;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.Kind;
import dev.comity.store.report.RequestRecord;
import java.util.Optional;

/** What a domain's last request says about why nothing follows it. */
final class LastRequest {
  private LastRequest() {}

  /** In words, if it explains anything. */
  static Optional<String> words(RequestRecord last) {
    if (isMovedRobots(last)) {
      return Optional.of(
          "%s redirects; until its target has been read nothing else is asked, and where that"
                  .formatted(last.url())
              + " takes more than 10 minutes or cannot be done its URLs fail (redirect) for an"
              + " hour");
    }
    return unsent(last.outcome())
        .map(reason -> "its last request was not sent: %s (%s)".formatted(last.outcome(), reason));
  }

  private static boolean isMovedRobots(RequestRecord last) {
    return last.kind().equals(Words.of(Kind.ROBOTS))
        && last.outcome().equals(Category.REDIRECT.code());
  }

  private static Optional<String> unsent(String outcome) {
    if (outcome.equals(Category.PORT_DENIED.code())) {
      return Optional.of("that port is not for the web; a seed with host and port opens it");
    }
    if (outcome.equals(Category.ADDRESS_DENIED.code())) {
      return Optional.of("its address is not public; a seed of that host, or --resolve, opens it");
    }
    return outcome.equals(Category.CONTACT_MISSING.code())
        ? Optional.of("no host outside this machine is asked without --contact")
        : Optional.empty();
  }
}
