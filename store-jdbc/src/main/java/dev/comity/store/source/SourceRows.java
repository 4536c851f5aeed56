package dev.comity.store.source;

import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.schedule.SourcePace;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The rows of sources. An interval is stored in seconds; none is the global interval.
 *
 * @param global the interval of sources that set none
 */
public record SourceRows(Statements sql, Duration global) {
  /** A source's interval in milliseconds; its parameter is the global interval. */
  private static final String INTERVAL =
      "CAST(round(coalesce(min_scrape_interval * 1000, ?)) AS INTEGER)";

  private static final double MILLIS = 1000;

  /** The interval of a source as its column has it. */
  public static Optional<Duration> interval(ResultRow row, String column) {
    return row.optionalReal(column).map(seconds -> Duration.ofMillis(Math.round(seconds * MILLIS)));
  }

  /** What the column has for an interval; null for the global one. */
  public static Optional<Double> column(Optional<Duration> interval) {
    return interval.map(value -> value.toMillis() / MILLIS);
  }

  /** The pace of a source; an unknown source has none. */
  public SourcePace pace(String name) {
    return find(name).orElse(SourcePace.FREE);
  }

  private Optional<SourcePace> find(String name) {
    return sql.first(
        "SELECT min_scrape_interval, last_start_at FROM sources WHERE name = ?",
        row ->
            SourcePace.of(
                interval(row, "min_scrape_interval"), global, row.optionalTime("last_start_at")),
        name);
  }

  /** Takes the turn of a source in one statement. Runs in a transaction that writes. */
  public SourceTurn takeTurn(String name, Instant now) {
    long at = now.toEpochMilli();
    int taken =
        sql.update(
            "UPDATE sources SET last_start_at = ? WHERE name = ? AND (last_start_at IS NULL OR "
                + INTERVAL
                + " <= 0 OR last_start_at + "
                + INTERVAL
                + " <= ?)",
            StateColumns.ceilMillis(now),
            name,
            global.toMillis(),
            global.toMillis(),
            at);
    Optional<SourcePace> pace = find(name);
    if (taken > 0 || pace.isEmpty()) {
      return new SourceTurn.TurnTaken(pace.orElse(SourcePace.FREE).started(now));
    }
    // A start in the future is one of a clock that was wrong.
    sql.update(
        "UPDATE sources SET last_start_at = ? WHERE name = ? AND last_start_at > ?", at, name, at);
    return new SourceTurn.NotBefore(pace.get().dueAfter(Instant.ofEpochMilli(at)).orElse(now));
  }

  /** The log has a request for a URL of the source that started then. */
  public void started(long id, long at) {
    sql.update(
        "UPDATE sources SET last_start_at = ? WHERE id = ? AND coalesce(last_start_at, 0) < ?",
        at,
        id,
        at);
  }

  /** Whether a domain has a queued URL without a source, or of a source that has a turn. */
  public boolean hasTurn(long domain, long now) {
    return sql.exists(
        """
        SELECT 1 FROM domain_frontier f LEFT JOIN sources s ON s.id = f.source_id
        WHERE f.domain_id = ? AND f.state = 0 AND f.due_at IS NULL
          AND (s.id IS NULL OR s.last_start_at IS NULL OR %1$s <= 0
            OR s.last_start_at + %1$s <= ?) LIMIT 1
        """
            .formatted(INTERVAL),
        domain,
        global.toMillis(),
        global.toMillis(),
        now);
  }
}
