package dev.comity.web.robots;

import dev.comity.core.outcome.RetryAfter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the value of a Crawl-delay line: a plain number of seconds of any size. */
final class CrawlDelay {
  private static final Pattern SECONDS =
      Pattern.compile("(?:[0-9]++(?:\\.[0-9]*+)?|\\.[0-9]++)(?:[eE][+-]?[0-9]{1,9})?");

  private CrawlDelay() {}

  /**
   * The delay, rounded up to whole milliseconds; empty for anything else ({@code -1}, {@code NaN},
   * {@code 1s}). What is too long to be told apart from longer is as long as a wait can be here.
   */
  static Optional<Duration> read(String value) {
    if (!SECONDS.matcher(value).matches()) {
      return Optional.empty();
    }
    double seconds = Double.parseDouble(value);
    if (seconds >= RetryAfter.LONGEST.toSeconds()) {
      return Optional.of(RetryAfter.LONGEST);
    }
    BigDecimal millis = BigDecimal.valueOf(seconds).movePointRight(3);
    return Optional.of(
        Duration.ofMillis(millis.setScale(0, RoundingMode.CEILING).longValueExact()));
  }
}
