package dev.comity.store.backfill;

import dev.comity.core.policy.lifecycle.CloseReason;
import java.util.Optional;
import java.util.OptionalInt;

/** What another program's request came to, by the status that it kept. */
public enum PastAnswer {
  PAGE,
  /** 404 or 410: an answer, as every other 4xx is that is not below. */
  MISSING,
  PAYMENT_REQUIRED,
  LEGAL,
  FORBIDDEN,
  RATE_LIMITED,
  SERVER_ERROR,
  /** No status was kept. */
  NONE;

  public static PastAnswer of(OptionalInt status) {
    if (status.isEmpty() || status.getAsInt() < 100) {
      return NONE;
    }
    return switch (status.getAsInt()) {
      case 401, 403 -> FORBIDDEN;
      case 402 -> PAYMENT_REQUIRED;
      case 404, 410 -> MISSING;
      case 420, 429, 529, 999 -> RATE_LIMITED;
      case 451 -> LEGAL;
      default -> status.getAsInt() < 500 ? PAGE : SERVER_ERROR;
    };
  }

  /** Whether its URL is a page, as one of ours would be. */
  public boolean isPage() {
    return switch (this) {
      case PAGE, MISSING, PAYMENT_REQUIRED, LEGAL -> true;
      case FORBIDDEN, RATE_LIMITED, SERVER_ERROR, NONE -> false;
    };
  }

  /** Whether it counts among the domain's errors. */
  public boolean isError() {
    return switch (this) {
      case FORBIDDEN, SERVER_ERROR, NONE -> true;
      case PAGE, MISSING, PAYMENT_REQUIRED, LEGAL, RATE_LIMITED -> false;
    };
  }

  /** What a domain is closed for where most of its requests came to this. */
  public Optional<CloseReason> closes() {
    return switch (this) {
      case PAYMENT_REQUIRED -> Optional.of(CloseReason.PAYMENT_REQUIRED);
      case LEGAL -> Optional.of(CloseReason.LEGAL);
      case FORBIDDEN -> Optional.of(CloseReason.FORBIDDEN);
      case RATE_LIMITED -> Optional.of(CloseReason.RATE_LIMITED);
      case SERVER_ERROR -> Optional.of(CloseReason.SERVER_ERRORS);
      case NONE -> Optional.of(CloseReason.CONNECTION_FAILED);
      case PAGE, MISSING -> Optional.empty();
    };
  }
}
