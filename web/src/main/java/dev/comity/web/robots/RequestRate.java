package dev.comity.web.robots;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the value of a Request-rate line, such as {@code 1/5} or {@code 30/1m}: so many pages in so
 * many seconds, minutes or hours. Hours of the day that may follow are not kept apart: the rate
 * holds all day.
 */
final class RequestRate {
  private static final Pattern RATE =
      Pattern.compile("([0-9]{1,6})\\s*/\\s*([0-9]{1,6})\\s*([smhSMH]?)(?:\\s.*)?");

  private RequestRate() {}

  /** The time between two requests, rounded up; empty for anything else. */
  static Optional<Duration> read(String value) {
    Matcher matcher = RATE.matcher(value);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long pages = Long.parseLong(matcher.group(1));
    long time = Long.parseLong(matcher.group(2));
    long unit =
        switch (matcher.group(3)) {
          case "m", "M" -> 60_000;
          case "h", "H" -> 3_600_000;
          default -> 1_000;
        };
    return pages == 0 || time == 0
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(Math.ceilDiv(time * unit, pages)));
  }
}
