package dev.comity.core.outcome;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads how long a site asks us to stay away. A date counts from the response's own {@code Date},
 * so that neither clock has to be right; one that has passed is a readable wish for no wait at all.
 * Of several headers the longest holds: nothing a site asked for is shortened.
 */
public final class RetryAfter {

  /**
   * The longest wait that is told apart from longer ones: about a thousand years, far beyond any
   * limit of ours, while the time it ends still has four digits in its year.
   */
  public static final Duration LONGEST = Duration.ofDays(365_000);

  private static final String TIME = "HH:mm:ss";
  private static final DateTimeFormatter TODAY = pattern("d MMM uuuu " + TIME);
  private static final DateTimeFormatter C_LIBRARY = pattern("MMM d " + TIME + " uuuu");

  private RetryAfter() {}

  /** The wait the headers ask for; empty where there is none that can be read. */
  public static Optional<Duration> read(Headers headers, Instant now) {
    Instant sent = headers.first("Date").flatMap(text -> date(text, now)).orElse(now);
    return headers.all("Retry-After").stream()
        .map(value -> wait(value.strip(), sent))
        .flatMap(Optional::stream)
        .max(Comparator.naturalOrder());
  }

  private static Optional<Duration> wait(String value, Instant sent) {
    return wholeSeconds(value)
        .or(() -> date(value, sent).map(until -> bounded(Duration.between(sent, until))));
  }

  /** A number of seconds without a sign. */
  static Optional<Duration> wholeSeconds(String value) {
    return !value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9')
        ? Optional.of(seconds(value))
        : Optional.empty();
  }

  private static Duration seconds(String digits) {
    String significant = digits.replaceFirst("^0+(?=.)", "");
    return significant.length() > 12
        ? LONGEST
        : bounded(Duration.ofSeconds(Long.parseLong(significant)));
  }

  private static Duration bounded(Duration wait) {
    return wait.isNegative() ? Duration.ZERO : wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
  }

  /**
   * One of the three date forms of HTTP. The name of the day is not compared with the date: when
   * they disagree it is the name that is wrong.
   */
  static Optional<Instant> date(String text, Instant near) {
    String stripped = text.strip();
    int comma = stripped.indexOf(',');
    int space = stripped.indexOf(' ');
    if (comma < 0 && space < 0) {
      return Optional.empty();
    }
    String rest = stripped.substring((comma >= 0 ? comma : space) + 1).strip();
    if (comma < 0) {
      return parsed(rest.replaceAll(" +", " "), List.of(C_LIBRARY));
    }
    int zone = rest.lastIndexOf(' ');
    if (zone < 0 || !List.of("GMT", "UTC", "Z").contains(rest.substring(zone + 1))) {
      return Optional.empty();
    }
    return parsed(rest.substring(0, zone), List.of(TODAY, twoDigitYears(near)));
  }

  private static Optional<Instant> parsed(String text, List<DateTimeFormatter> forms) {
    for (DateTimeFormatter form : forms) {
      try {
        return Optional.of(LocalDateTime.parse(text, form).toInstant(ZoneOffset.UTC));
      } catch (DateTimeException _) {
        // Not this form; perhaps the next one.
      }
    }
    return Optional.empty();
  }

  private static DateTimeFormatter pattern(String pattern) {
    return new DateTimeFormatterBuilder()
        .parseCaseInsensitive()
        .appendPattern(pattern)
        .toFormatter(Locale.ENGLISH);
  }

  /** The oldest form has two digits for the year; one over 50 years ahead is taken as past. */
  private static DateTimeFormatter twoDigitYears(Instant near) {
    int earliest = near.atOffset(ZoneOffset.UTC).getYear() - 49;
    return new DateTimeFormatterBuilder()
        .parseCaseInsensitive()
        .appendPattern("d-MMM-")
        .appendValueReduced(ChronoField.YEAR, 2, 2, earliest)
        .appendPattern(" " + TIME)
        .toFormatter(Locale.ENGLISH);
  }
}
