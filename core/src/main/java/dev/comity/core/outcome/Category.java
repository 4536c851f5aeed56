package dev.comity.core.outcome;

import dev.comity.core.outcome.FetchOutcome.AddressDenied;
import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.ContactMissing;
import dev.comity.core.outcome.FetchOutcome.DnsFailed;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.LegallyBlocked;
import dev.comity.core.outcome.FetchOutcome.LoginRequired;
import dev.comity.core.outcome.FetchOutcome.NotModified;
import dev.comity.core.outcome.FetchOutcome.PaymentRequired;
import dev.comity.core.outcome.FetchOutcome.PortDenied;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.FetchOutcome.TlsFailed;
import dev.comity.core.outcome.FetchOutcome.TooLarge;
import dev.comity.core.outcome.FetchOutcome.TooSmall;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.outcome.FetchOutcome.UsageRefused;
import dev.comity.core.outcome.FetchOutcome.WrongType;
import java.util.Locale;

/** The kind of an outcome, as logs, counters and block reasons name it. */
public enum Category {
  SUCCESS,
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
  RATE_LIMITED,
  FORBIDDEN,
  SERVER_ERROR,
  LOGIN_REQUIRED,
  CHALLENGE,
  TIMEOUT,
  CONNECTION_FAILED,
  TLS_FAILURE,
  DNS_FAILURE,
  ADDRESS_DENIED,
  PORT_DENIED,
  CONTACT_MISSING,
  CANCELLED;

  static Category of(FetchOutcome outcome) {
    return switch (outcome) {
      case Success _ -> SUCCESS;
      case NotModified _ -> NOT_MODIFIED;
      case Redirect _ -> REDIRECT;
      case ClientError _ -> CLIENT_ERROR;
      case PaymentRequired _ -> PAYMENT_REQUIRED;
      case LegallyBlocked _ -> LEGAL;
      case UsageRefused _ -> USAGE_REFUSED;
      case TooLarge _ -> TOO_LARGE;
      case TooSmall _ -> TOO_SMALL;
      case WrongType _ -> WRONG_TYPE;
      case Undecodable _ -> UNDECODABLE;
      case RateLimited _ -> RATE_LIMITED;
      case Forbidden _ -> FORBIDDEN;
      case ServerError _ -> SERVER_ERROR;
      case LoginRequired _ -> LOGIN_REQUIRED;
      case FetchOutcome.Challenge _ -> CHALLENGE;
      case TimedOut _ -> TIMEOUT;
      case ConnectionFailed _ -> CONNECTION_FAILED;
      case TlsFailed _ -> TLS_FAILURE;
      case DnsFailed _ -> DNS_FAILURE;
      case AddressDenied _ -> ADDRESS_DENIED;
      case PortDenied _ -> PORT_DENIED;
      case ContactMissing _ -> CONTACT_MISSING;
      case Cancelled _ -> CANCELLED;
    };
  }

  /**
   * Whether it counts as an error of the site: it refused the page, broke or did not answer. A
   * missing page, a request to slow down and an answer that is not kept do not.
   */
  public boolean isError() {
    return switch (this) {
      case FORBIDDEN,
          SERVER_ERROR,
          LOGIN_REQUIRED,
          CHALLENGE,
          TIMEOUT,
          CONNECTION_FAILED,
          TLS_FAILURE,
          DNS_FAILURE ->
          true;
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
          RATE_LIMITED,
          ADDRESS_DENIED,
          PORT_DENIED,
          CONTACT_MISSING,
          CANCELLED ->
          false;
    };
  }

  /** The name in stored rows, metrics and JSON: {@code rate_limited}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
