package dev.comity.app.text;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** Times as they are written, always in UTC. */
public final class Timestamps {
  /** Always with milliseconds, so that lines sort as text. */
  private static final DateTimeFormatter EXACT =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Timestamps() {}

  /** {@code 2026-11-15T13:00:00.000Z}, for programs. */
  static String exact(Instant at) {
    return EXACT.format(at);
  }

  /** {@code 2026-11-15 13:00}, for people. */
  public static String minute(Instant at) {
    return MINUTE.format(at);
  }

  /** {@code 13:00:05 UTC}, with the day if that is another one. */
  public static String near(Instant at, Instant now) {
    String whole = second(at);
    return whole.startsWith(second(now).substring(0, 10)) ? whole.substring(11) : whole;
  }

  /** {@code 2026-11-15 13:00:05 UTC}. */
  public static String second(Instant at) {
    return EXACT.format(at).substring(0, 19).replace('T', ' ') + " UTC";
  }
}
