package dev.comity.core.outcome;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What an answer says about the pace its site wants, whatever else it is. It can only slow us down.
 *
 * <p>Three forms are read: {@code RateLimit} with {@code RateLimit-Policy} (structured fields, the
 * newest draft of the IETF), {@code X-RateLimit-Remaining} with {@code -Reset} (in seconds, or a
 * time since 1970) and the same without the {@code X-}. Of several the slowest holds. What cannot
 * be read is passed over.
 *
 * @param rest how long to stay away: the quota is used up, or the answer said so
 * @param spacing how far apart requests should be for the quota to last; zero if nothing is said
 */
public record Announced(Duration rest, Duration spacing) {
  /** Nothing was said. */
  public static final Announced NOTHING = new Announced(Duration.ZERO, Duration.ZERO);

  /** No quota runs for longer; what says so means something else. */
  private static final long LONGEST_SECONDS = Duration.ofDays(31).toSeconds();

  /** A number this large is a time since 1970 and not a number of seconds. */
  private static final long EPOCH = 1_000_000_000;

  /** Longer values and longer lists are not written by servers that mean them. */
  private static final int LONGEST_VALUE = 1_000;

  private static final int MOST_ITEMS = 16;
  private static final int MOST_DIGITS = 15;

  /** Reads what the headers announce. */
  public static Announced read(Headers headers, Instant now) {
    Announced said = NOTHING;
    for (String value : headers.all("RateLimit")) {
      for (String item : items(value)) {
        said = said.and(of(parameter(item, "r"), parameter(item, "t")));
      }
    }
    for (String value : headers.all("RateLimit-Policy")) {
      for (String item : items(value)) {
        Optional<Long> quota = parameter(item, "q");
        // A window without a quota, or a quota of none, says nothing about a pace.
        said =
            quota.filter(it -> it > 0).isPresent()
                ? said.and(of(quota, parameter(item, "w")))
                : said;
      }
    }
    for (String prefix : List.of("X-RateLimit-", "RateLimit-")) {
      Optional<Long> remaining = headers.first(prefix + "Remaining").flatMap(Announced::number);
      Optional<Long> reset = headers.first(prefix + "Reset").flatMap(Announced::number);
      said = said.and(of(remaining, reset.map(it -> it >= EPOCH ? it - now.getEpochSecond() : it)));
    }
    return said;
  }

  /** The same, and a time to stay away. */
  public Announced resting(Duration other) {
    return and(new Announced(other, Duration.ZERO));
  }

  private Announced and(Announced other) {
    return new Announced(longer(rest, other.rest), longer(spacing, other.spacing));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static Announced of(Optional<Long> requests, Optional<Long> seconds) {
    if (requests.isEmpty()
        || seconds.isEmpty()
        || seconds.get() <= 0
        || seconds.get() > LONGEST_SECONDS) {
      return NOTHING;
    }
    Duration window = Duration.ofSeconds(seconds.get());
    return requests.get() == 0
        ? new Announced(window, Duration.ZERO)
        : new Announced(
            Duration.ZERO, Duration.ofMillis(Math.ceilDiv(window.toMillis(), requests.get())));
  }

  private static List<String> items(String value) {
    return value.length() > LONGEST_VALUE
        ? List.of()
        : List.of(value.split(",", MOST_ITEMS)).stream().map(String::strip).toList();
  }

  /** The whole number of an item's parameter, such as 30 of {@code "a";r=50;t=30}. */
  private static Optional<Long> parameter(String item, String name) {
    for (String part : item.split(";", MOST_ITEMS)) {
      String stripped = part.strip();
      if (stripped.startsWith(name + "=")) {
        return number(stripped.substring(name.length() + 1));
      }
    }
    return Optional.empty();
  }

  private static Optional<Long> number(String text) {
    String digits = text.strip();
    boolean whole =
        !digits.isEmpty()
            && digits.length() <= MOST_DIGITS
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    return whole ? Optional.of(Long.parseLong(digits)) : Optional.empty();
  }
}
