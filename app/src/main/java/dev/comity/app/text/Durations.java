package dev.comity.app.text;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads and writes durations as people do: {@code 500ms}, {@code 2s}, {@code 1.5s}, {@code 10m},
 * {@code 1h}; seconds without a unit.
 */
public final class Durations implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(ms|s|m|h|d)?");

  @Override
  public Duration convert(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration; write one like 500ms, 2s, 1.5s, 10m or 1h");
    }
    double number = Double.parseDouble(form.group(1));
    double milliseconds =
        switch (form.group(2)) {
          case "ms" -> 1;
          case "m" -> 60_000;
          case "h" -> 3_600_000;
          case "d" -> 86_400_000;
          case null, default -> 1000;
        };
    return Duration.ofMillis(Math.round(number * milliseconds));
  }

  /** As it would be written for {@link #convert}: {@code 1s}, {@code 1500ms}, {@code 30d}. */
  public static String written(Duration duration) {
    long millis = duration.toMillis();
    long[] units = {86_400_000, 3_600_000, 60_000, 1000};
    String[] names = {"d", "h", "m", "s"};
    for (int unit = 0; unit < units.length && millis > 0; unit++) {
      if (millis % units[unit] == 0) {
        return millis / units[unit] + names[unit];
      }
    }
    return millis == 0 ? "0s" : millis + "ms";
  }

  /**
   * The shortest way to say it: {@code 0.7 s}, {@code 12 s}, {@code 3 min}, {@code 2 h 5 min},
   * {@code 14 d}. What should have been over already, by a clock that was set meanwhile, takes no
   * time.
   */
  public static String spoken(Duration length) {
    Duration duration = length.isNegative() ? Duration.ZERO : length;
    long seconds = duration.toSeconds();
    if (seconds < 10) {
      return String.format(java.util.Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }
    if (seconds < 120) {
      return seconds + " s";
    }
    if (seconds < 7200) {
      return duration.toMinutes() + " min";
    }
    if (duration.toHours() < 48) {
      return duration.toHours() + " h " + duration.toMinutesPart() + " min";
    }
    Duration rounded = duration.plusMinutes(30);
    return rounded.toDays()
        + " d"
        + (rounded.toHoursPart() == 0 ? "" : " " + rounded.toHoursPart() + " h");
  }
}
