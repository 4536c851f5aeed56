package dev.comity.web.robots;

import dev.comity.core.policy.VisitTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the value of a Visit-time line, such as {@code 0600-0845} or {@code 22:00 - 06:00 UTC}. The
 * times are UTC, as the proposal of this line says.
 */
final class VisitHours {
  private static final int DAY = 24 * 60;

  private static final Pattern HOURS =
      Pattern.compile(
          "([0-9]{2}):?([0-9]{2})\\s*-\\s*([0-9]{2}):?([0-9]{2})\\s*(?i:utc|gmt|ut|z)?");

  private VisitHours() {}

  /** Empty for the whole day, and for anything that is no time of a day. */
  static Optional<VisitTime> read(String value) {
    Matcher matcher = HOURS.matcher(value);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int from = minute(matcher.group(1), matcher.group(2));
    int to = minute(matcher.group(3), matcher.group(4));
    return from < 0 || to < 0 || from % DAY == to % DAY
        ? Optional.empty()
        : Optional.of(new VisitTime(from, to));
  }

  /** The minute of the day up to 24:00; negative for a time that no clock shows. */
  private static int minute(String hours, String minutes) {
    int hour = Integer.parseInt(hours);
    int minute = Integer.parseInt(minutes);
    return minute > 59 || 60 * hour + minute > DAY ? -1 : 60 * hour + minute;
  }
}
