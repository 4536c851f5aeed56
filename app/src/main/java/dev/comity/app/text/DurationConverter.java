package dev.comity.app.text;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads durations: {@code 500ms}, {@code 2s}, {@code 1.5s}, {@code 10m}, {@code 1h}; seconds
 * without a unit. {@link dev.comity.core.util.Durations#setting} writes them.
 */
public final class DurationConverter implements ITypeConverter<Duration> {
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
}
