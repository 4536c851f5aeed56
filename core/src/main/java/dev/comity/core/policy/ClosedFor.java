package dev.comity.core.policy;

import dev.comity.core.outcome.Category;
import java.util.Optional;

/** Why a domain was closed. */
public enum ClosedFor {
  FORBIDDEN(DomainStatus.BLOCKED),
  RATE_LIMITED(DomainStatus.BLOCKED),
  SERVER_ERRORS(DomainStatus.BLOCKED),
  LOGIN_REQUIRED(DomainStatus.BLOCKED),
  CHALLENGE(DomainStatus.BLOCKED),
  ROBOTS_DENIED(DomainStatus.BLOCKED),
  OPERATOR(DomainStatus.BLOCKED),
  TIMEOUT(DomainStatus.UNREACHABLE),
  CONNECTION_FAILED(DomainStatus.UNREACHABLE),
  TLS_FAILURE(DomainStatus.UNREACHABLE),
  DNS_FAILURE(DomainStatus.UNREACHABLE);

  private final DomainStatus status;

  ClosedFor(DomainStatus status) {
    this.status = status;
  }

  /** The state it puts the domain in. */
  public DomainStatus status() {
    return status;
  }

  /** What a domain is closed for when failures of this kind decide, where they can. */
  static Optional<ClosedFor> failuresOf(Category category) {
    return switch (category) {
      case FORBIDDEN -> Optional.of(FORBIDDEN);
      case RATE_LIMITED -> Optional.of(RATE_LIMITED);
      case SERVER_ERROR -> Optional.of(SERVER_ERRORS);
      case LOGIN_REQUIRED -> Optional.of(LOGIN_REQUIRED);
      case CHALLENGE -> Optional.of(CHALLENGE);
      case TIMEOUT -> Optional.of(TIMEOUT);
      case CONNECTION_FAILED -> Optional.of(CONNECTION_FAILED);
      case TLS_FAILURE -> Optional.of(TLS_FAILURE);
      case DNS_FAILURE -> Optional.of(DNS_FAILURE);
      case SUCCESS,
          NOT_MODIFIED,
          REDIRECT,
          CLIENT_ERROR,
          TOO_LARGE,
          WRONG_TYPE,
          UNDECODABLE,
          ADDRESS_DENIED,
          CONTACT_MISSING,
          CANCELLED ->
          Optional.empty();
    };
  }
}
