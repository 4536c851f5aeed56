package dev.comity.web.sitemap;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * The date of an entry: that of W3C in sitemaps and Atom, that of mail in RSS. A day without a time
 * counts from its beginning, so that a page visited on that day is not asked again for it.
 */
final class EntryDate {
  private static final int LONGEST = 40;
  private static final int DAY = "2026-06-01".length();

  private EntryDate() {}

  static Optional<Instant> read(String text) {
    String date = text.strip();
    if (date.length() < DAY || date.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      if (Character.isDigit(date.charAt(0)) && date.charAt(4) == '-') {
        return Optional.of(
            date.length() == DAY
                ? LocalDate.parse(date).atStartOfDay(ZoneOffset.UTC).toInstant()
                : OffsetDateTime.parse(withSeconds(date)).toInstant());
      }
      return Optional.of(
          OffsetDateTime.parse(zoned(date), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  /** Zones of mail have names, too. */
  private static String zoned(String date) {
    return date.endsWith(" UTC") || date.endsWith(" Z")
        ? date.substring(0, date.lastIndexOf(' ')) + " GMT"
        : date;
  }

  /** A time without a zone is taken as UTC. */
  private static String withSeconds(String date) {
    int time = date.indexOf('T');
    boolean hasZone =
        date.endsWith("Z") || date.indexOf('+', time) > 0 || date.indexOf('-', time) > 0;
    return hasZone || time < 0 ? date : date + "Z";
  }
}
