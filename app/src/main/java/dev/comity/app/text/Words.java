package dev.comity.app.text;

import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.util.Printable;
import dev.comity.store.report.DomainRecord;
import java.util.Optional;

/** What several commands say in the same words. */
public final class Words {
  private Words() {}

  /** A status was written into the database. */
  public static final String RESET_BY_HAND =
      "its status was written by hand; the next crawl resets it";

  /** Why a domain is not asked though it may be: what is stored of it cannot be read. */
  public static Optional<String> setAside(DomainRecord domain) {
    return domain
        .damage()
        .map(
            why ->
                "`comity domain-reset %s` mends it; %s"
                    .formatted(domain.name(), Printable.text(why)));
  }

  /** {@code 1 page}, {@code 2 pages}. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /** {@code 1 entry}, {@code 2 entries}. */
  public static String count(long number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }

  /**
   * Why a domain is closed and until when, if it is. The words come last: they are what a narrow
   * window may cut.
   */
  public static Optional<String> closed(DomainRecord domain) {
    DomainRecord.Standing standing = domain.standing();
    if (standing.status() != DomainStatus.BLOCKED
        && standing.status() != DomainStatus.UNREACHABLE) {
      return Optional.empty();
    }
    String code = standing.reasonCode().orElse("not recorded");
    String until = standing.until().map(Timestamps::second).orElse("it is reset");
    String words = standing.reason().map(reason -> " (" + reason + ")").orElse("");
    return Optional.of(Printable.text(code + " until " + until + words));
  }
}
