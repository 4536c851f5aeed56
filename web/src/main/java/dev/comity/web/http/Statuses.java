package dev.comity.web.http;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.LegallyBlocked;
import dev.comity.core.outcome.FetchOutcome.NotModified;
import dev.comity.core.outcome.FetchOutcome.PaymentRequired;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.RetryAfter;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.UrlRefusal;
import dev.comity.core.util.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What a status means when the body does not matter. */
final class Statuses {
  private static final int LONGEST_PRICE = 40;

  private Statuses() {}

  /** Whether the answer's body is part of what it says. */
  static boolean hasBody(int code) {
    return code >= 200 && code < 300 && code != 204 && code != 205;
  }

  static FetchOutcome outcome(CrawlUrl url, int code, Headers headers, Instant now) {
    return switch (code) {
      case 304 -> new NotModified(code, headers);
      case 401, 403 -> new Forbidden(code);
      case 402 ->
          new PaymentRequired(code, headers.first("crawler-price").flatMap(Statuses::price));
      case 451 -> new LegallyBlocked(code);
      case 429, 420, 529, 999 -> new RateLimited(code, RetryAfter.read(headers, now));
      case 503 -> unavailable(code, RetryAfter.read(headers, now));
      default -> byClass(url, code, headers);
    };
  }

  /** In Cloudflare's form, such as {@code USD 0.01}; a longer text is no price. */
  private static Optional<String> price(String said) {
    String price = Printable.text(said.strip());
    return price.isEmpty() || price.length() > LONGEST_PRICE
        ? Optional.empty()
        : Optional.of(price);
  }

  /** A time to come back makes it a matter of pace, without one it is a fault. */
  private static FetchOutcome unavailable(int code, Optional<Duration> retryAfter) {
    return retryAfter.isPresent() ? new RateLimited(code, retryAfter) : new ServerError(code);
  }

  private static FetchOutcome byClass(CrawlUrl url, int code, Headers headers) {
    if (code < 100 || code > 999) {
      return new ConnectionFailed("the answer is not HTTP: its status is out of range");
    }
    return switch (code / 100) {
      case 1 -> new ConnectionFailed("the answer is not HTTP as asked for: status " + code);
      case 2 -> new Success(code, headers, Body.EMPTY);
      case 3 -> new Redirect(code, headers.first("Location").flatMap(to -> target(url, to)));
      case 4 -> new ClientError(code);
      // RFC 9110 has clients treat a status of no known class as a server error.
      default -> new ServerError(code);
    };
  }

  private static Optional<CrawlUrl> target(CrawlUrl url, String location) {
    return switch (url.resolve(Headers.escaped(location))) {
      case CrawlUrl target -> Optional.of(target);
      case UrlRefusal _ -> Optional.empty();
    };
  }
}
