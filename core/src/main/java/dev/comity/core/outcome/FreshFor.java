package dev.comity.core.outcome;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads how long an answer stays fresh, by its {@code Cache-Control} or, without a {@code max-age}
 * there, by its {@code Expires}. An answer that must not be kept, or must be checked at each use,
 * says nothing.
 */
public final class FreshFor {
  private static final String MAX_AGE = "max-age=";

  private FreshFor() {}

  /** The time the headers name; empty where there is none, or none that can be read. */
  public static Optional<Duration> read(Headers headers, Instant now) {
    Optional<Duration> said = Optional.empty();
    for (String directive : headers.elements("cache-control")) {
      String lower = directive.toLowerCase(Locale.ROOT);
      if (lower.equals("no-store") || lower.equals("no-cache")) {
        return Optional.empty();
      }
      if (lower.startsWith(MAX_AGE)) {
        said = RetryAfter.wholeSeconds(lower.substring(MAX_AGE.length()).strip());
      }
    }
    if (said.isPresent() || headers.first("expires").isEmpty()) {
      return said.filter(Duration::isPositive);
    }
    Instant sent = headers.first("date").flatMap(text -> RetryAfter.date(text, now)).orElse(now);
    return headers
        .first("expires")
        .flatMap(text -> RetryAfter.date(text, now))
        .map(until -> Duration.between(sent, until))
        .filter(Duration::isPositive);
  }
}
