package dev.comity.app.text;

import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.util.Printable;
import dev.comity.store.report.DomainRecord;
import java.util.Locale;
import java.util.Optional;

/** Phrases that several commands share. */
public final class Words {
  private Words() {}

  /** A status was written into the database. */
  public static final String RESET_BY_HAND =
      "its status was written by hand; the next crawl resets it";

  /** Why a damaged domain is not asked, and the command that mends it. */
  public static Optional<String> setAside(DomainRecord domain) {
    return domain
        .damage()
        .map(
            why ->
                "`comity domain-reset %s` mends it; %s"
                    .formatted(domain.name(), Printable.text(why)));
  }

  /** Why a paused domain is not asked, and the command that changes it. */
  public static String paused(String domain) {
    return "paused by the operator; `comity domain set %s --resume` lets it go on"
        .formatted(domain);
  }

  /** The name of a constant in lower case: {@code rate_limited}. */
  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
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
    DomainRecord.StoredStanding standing = domain.standing();
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
