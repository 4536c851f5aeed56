package dev.comity.store;

import dev.comity.core.port.Frontier.Next;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the next URLs of a held domain. Runs in the reader's thread. */
final class ReadAhead {
  private static final long NONE = Long.MAX_VALUE;

  private final Statements sql;
  private final int suspectAfter;

  /**
   * @param setAsideAfter deaths that set a URL aside; with one less it is a suspect
   */
  ReadAhead(Statements sql, int setAsideAfter) {
    this.sql = sql;
    suspectAfter = Math.max(1, setAsideAfter - 1);
  }

  /** Reads up to so many that are due and not in flight, and when the next one will be. */
  void fill(HeldDomain held, int most) throws SQLException {
    held.nextDue =
        sql.first(
                "SELECT due_at FROM domain_frontier WHERE domain_id = ? AND state = 0"
                    + " AND due_at IS NOT NULL ORDER BY due_at LIMIT 1",
                row -> row.getLong(1),
                held.id)
            .orElse(NONE);
    List<HeldDomain.Waiting> rows =
        sql.list(
            """
            SELECT f.id, f.place, a.authority || f.target, f.depth, f.hops, f.asked, f.tries_spent,
              f.referrer_id, f.source_id, ra.authority || r.target, b.url, s.name, i.deaths >= ?,
              f.kind
            FROM domain_frontier f
            JOIN authorities a ON a.domain_id = f.domain_id AND a.number = f.authority_no
            LEFT JOIN domain_frontier r ON r.id = f.referrer_id
            LEFT JOIN authorities ra ON ra.domain_id = r.domain_id AND ra.number = r.authority_no
            LEFT JOIN fallbacks b ON b.url_id = f.id
            LEFT JOIN in_flight i ON i.url_id = f.id
            LEFT JOIN sources s ON s.id = f.source_id
            WHERE f.domain_id = ? AND f.state = 0 AND f.due_at IS NULL
            ORDER BY f.place, f.id LIMIT ?
            """,
            ReadAhead::waiting,
            suspectAfter,
            held.id,
            most + held.inFlight.size());
    held.ahead.clear();
    for (HeldDomain.Waiting row : rows) {
      if (!held.inFlight.containsKey(row.entry().url())) {
        held.ahead.add(row);
      }
    }
  }

  /** What there is when nothing was read. */
  static Next none(HeldDomain held) {
    return held.nextDue == NONE
        ? new Next.Empty()
        : new Next.DueAt(Instant.ofEpochMilli(held.nextDue));
  }

  private static HeldDomain.Waiting waiting(ResultSet row) throws SQLException {
    QueuedUrl entry =
        new QueuedUrl(
            CrawlUrl.of(row.getString(3)),
            Arrival.kind(row.getInt(14)),
            row.getInt(4),
            url(row.getString(10)),
            row.getInt(5),
            row.getInt(6),
            row.getInt(7),
            url(row.getString(11)),
            Optional.ofNullable(row.getString(12)));
    return new HeldDomain.Waiting(
        entry, row.getLong(1), row.getInt(2), row.getBoolean(13), number(row, 8), number(row, 9));
  }

  private static Optional<CrawlUrl> url(@Nullable String text) {
    return text == null ? Optional.empty() : Optional.of(CrawlUrl.of(text));
  }

  private static @Nullable Long number(ResultSet row, int column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : (Long) value;
  }
}
