package dev.comity.store.backfill;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.Optional;

/** Reads times as databases and files write them. Without an offset, a time is UTC. */
final class PastTime {
  /** Numbers from here on are milliseconds: as seconds they would be after the year 5138. */
  private static final long MILLISECONDS = 100_000_000_000L;

  /** {@code 2026-02-05 14:30:00.123+00}, and the same with a T and with minutes in the offset. */
  private static final DateTimeFormatter FORM =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendPattern("['T'][' ']")
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalEnd()
          .optionalStart()
          .appendPattern("[' ']['UTC']")
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HH:mm", "Z")
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HHmm", "Z")
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HH", "Z")
          .optionalEnd()
          .toFormatter(Locale.ROOT)
          // A 30th of February is no day.
          .withResolverStyle(ResolverStyle.STRICT);

  private PastTime() {}

  /** Empty for an empty text. A text that is no time throws. */
  static Optional<Instant> read(String text) {
    String told = text.strip();
    if (told.isEmpty()) {
      return Optional.empty();
    }
    if (told.chars().allMatch(Character::isDigit) && told.length() <= 15) {
      long number = Long.parseLong(told);
      return Optional.of(
          number < MILLISECONDS ? Instant.ofEpochSecond(number) : Instant.ofEpochMilli(number));
    }
    TemporalAccessor read =
        FORM.parseBest(told, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
    return Optional.of(
        switch (read) {
          case OffsetDateTime time -> time.toInstant();
          case LocalDateTime time -> time.toInstant(ZoneOffset.UTC);
          case LocalDate day -> day.atStartOfDay(ZoneOffset.UTC).toInstant();
          default -> throw new DateTimeException("not a time");
        });
  }
}
