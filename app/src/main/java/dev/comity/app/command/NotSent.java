package dev.comity.app.command;

import dev.comity.core.outcome.Category;
import dev.comity.store.report.RequestRecord;
import java.util.Optional;

/** Why a request never left this machine, and what would let it. */
final class NotSent {
  private NotSent() {}

  /** In words, if this is such a request. */
  static Optional<String> words(RequestRecord request) {
    return reason(request.outcome())
        .map(
            reason ->
                "its last request was not sent: %s (%s)".formatted(request.outcome(), reason));
  }

  private static Optional<String> reason(String outcome) {
    if (outcome.equals(Category.PORT_DENIED.code())) {
      return Optional.of("that port is not for the web; a seed with host and port opens it");
    }
    if (outcome.equals(Category.ADDRESS_DENIED.code())) {
      return Optional.of("its address is not public; a seed of that host, or --resolve, opens it");
    }
    return outcome.equals(Category.CONTACT_MISSING.code())
        ? Optional.of("nobody outside this machine is asked without --contact")
        : Optional.empty();
  }
}
