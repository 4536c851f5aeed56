package dev.comity.store.refresh;

import dev.comity.core.schedule.ChangeHistory;
import dev.comity.core.schedule.DueReason;
import dev.comity.core.schedule.NextLook;
import dev.comity.core.schedule.PageVisits;
import dev.comity.store.sql.ResultRow;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What visits have shown of a page, as its row has it. */
public final class VisitColumns {
  /** Followed by the values of {@link #of} in their order. */
  public static final String SET =
      "due_at = ?, visited_at = ?, fingerprint = ?, changes = ?, missing_since = ?, etag = ?,"
          + " last_modified = ?, due_why = ?, hint = NULL";

  private static final int LONGEST_TEXT = 1024;

  private VisitColumns() {}

  /**
   * What earlier visits have shown; empty for a page that was never visited.
   *
   * @param column of the last visit; fingerprint, changes, the time it is missing since, ETag,
   *     Last-Modified and hint follow
   */
  public static Optional<PageVisits> read(ResultRow row, int column) {
    OptionalLong visited = row.optionalNumber(column);
    if (visited.isEmpty()) {
      return Optional.empty();
    }
    OptionalLong missing = row.optionalNumber(column + 3);
    return Optional.of(
        new PageVisits(
            Instant.ofEpochSecond(visited.getAsLong()),
            row.optionalNumber(column + 1),
            history(row.optionalNumber(column + 2)),
            missing.isPresent()
                ? Optional.of(Instant.ofEpochSecond(missing.getAsLong()))
                : Optional.empty(),
            row.optionalText(column + 4),
            row.optionalText(column + 5),
            PageVisits.Hint.of((int) row.optionalNumber(column + 6).orElse(0))));
  }

  /** The values of {@link #SET}. */
  public static @Nullable Object[] of(NextLook look) {
    PageVisits visits = look.visits();
    return new @Nullable Object[] {
      look.due().map(Instant::toEpochMilli).orElse(null),
      visits.at().getEpochSecond(),
      visits.fingerprint().isPresent() ? (Long) visits.fingerprint().getAsLong() : null,
      changes(visits.history()),
      visits.missingSince().map(Instant::getEpochSecond).orElse(null),
      visits.etag().map(VisitColumns::stored).orElse(null),
      visits.lastModified().map(VisitColumns::stored).orElse(null),
      look.reason() == DueReason.FIRST ? null : (Integer) look.reason().number()
    };
  }

  private static String stored(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
  }

  /** Four sums in one number: an error of a thousandth changes no date by more. */
  static @Nullable Long changes(ChangeHistory history) {
    if (history.equals(ChangeHistory.NONE)) {
      return null;
    }
    return half(history.unchangedDays()) << 48
        | half(history.changes()) << 32
        | half(history.changedDays()) << 16
        | half(history.dated());
  }

  private static long half(double value) {
    return Short.toUnsignedLong(Float.floatToFloat16((float) Math.min(value, 60_000)));
  }

  /** The sums of a number; a number that is damaged tells nothing. */
  public static ChangeHistory history(OptionalLong changes) {
    if (changes.isEmpty()) {
      return ChangeHistory.NONE;
    }
    long all = changes.getAsLong();
    try {
      return new ChangeHistory(whole(all >> 48), whole(all >> 32), whole(all >> 16), whole(all));
    } catch (IllegalArgumentException _) {
      return ChangeHistory.NONE;
    }
  }

  private static double whole(long bits) {
    return Float.float16ToFloat((short) bits);
  }
}
