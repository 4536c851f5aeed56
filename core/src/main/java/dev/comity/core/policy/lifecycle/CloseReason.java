package dev.comity.core.policy.lifecycle;

import dev.comity.core.outcome.Category;
import java.util.Optional;

/** Why a domain was closed. */
public enum CloseReason {
  FORBIDDEN(DomainStatus.BLOCKED, "it kept answering 401 or 403"),
  RATE_LIMITED(DomainStatus.BLOCKED, "it refused again and again, or for longer than we wait"),
  SERVER_ERRORS(DomainStatus.BLOCKED, "its server kept failing"),
  LOGIN_REQUIRED(DomainStatus.BLOCKED, "it shows its pages after a login only"),
  CHALLENGE(DomainStatus.BLOCKED, "it wants to see a human"),
  PAYMENT_REQUIRED(DomainStatus.BLOCKED, "it wants to be paid for its pages"),
  LEGAL(DomainStatus.BLOCKED, "it may not show its pages for legal reasons"),
  ROBOTS_DENIED(DomainStatus.BLOCKED, "its robots.txt allows nothing, or one request in ages"),
  OPERATOR(DomainStatus.BLOCKED, "an operator said so"),
  TIMEOUT(DomainStatus.UNREACHABLE, "it did not answer in time"),
  CONNECTION_FAILED(DomainStatus.UNREACHABLE, "connections to it were refused or broke"),
  TLS_FAILURE(DomainStatus.UNREACHABLE, "no connection to it could be trusted"),
  DNS_FAILURE(DomainStatus.UNREACHABLE, "its name leads to no address");

  private final DomainStatus status;
  private final String words;

  CloseReason(DomainStatus status, String words) {
    this.status = status;
    this.words = words;
  }

  /** The state it puts the domain in. */
  public DomainStatus status() {
    return status;
  }

  /** The reason in words. */
  public String words() {
    return words;
  }

  /** What a domain is closed for when failures of this kind decide, where they can. */
  public static Optional<CloseReason> failuresOf(Category category) {
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
          PAYMENT_REQUIRED,
          LEGAL,
          USAGE_REFUSED,
          TOO_LARGE,
          TOO_SMALL,
          WRONG_TYPE,
          UNDECODABLE,
          ADDRESS_DENIED,
          PORT_DENIED,
          CONTACT_MISSING,
          CANCELLED ->
          Optional.empty();
    };
  }
}
