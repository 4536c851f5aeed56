package dev.comity.store.postgres.rows;

import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.schedule.SourcePace;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.source.SourceRows;
import dev.comity.store.sql.Statements;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The paces of sources, by the clock of the database.
 *
 * @param global the interval of sources that set none
 */
public record SourcePaces(Duration global) {
  /** A source's interval in milliseconds; its parameter is the global interval. */
  private static final String INTERVAL = "round(coalesce(s.min_scrape_interval * 1000, ?))::bigint";

  /**
   * The pace of a source by a worker's clock. An unknown source has none.
   *
   * @param now by the worker's clock, which may be wrong
   */
  public SourcePace of(PostgresSession tx, String name, Instant now) {
    Duration ahead =
        Duration.between(Instant.ofEpochMilli(tx.sql.number("SELECT comity_millis()")), now);
    return find(tx.sql, name)
        .map(pace -> pace.lastStart().map(last -> pace.started(last.plus(ahead))).orElse(pace))
        .orElse(SourcePace.FREE);
  }

  private Optional<SourcePace> find(Statements sql, String name) {
    return sql.first(
        "SELECT min_scrape_interval, last_start_at FROM sources WHERE name = ?",
        row ->
            SourcePace.of(
                SourceRows.interval(row, "min_scrape_interval"),
                global,
                row.optionalTime("last_start_at")),
        name);
  }

  /**
   * Takes the turn of a source in one statement: of several workers, one gets it. The clocks of
   * workers do not count.
   *
   * @param at by the worker's clock, and so is the answer
   */
  public SourceTurn takeTurn(PostgresSession tx, String name, Instant at) {
    // The time is read when the row is locked, and not before a wait for it.
    int taken =
        tx.sql.update(
            "UPDATE sources s SET last_start_at = comity_millis() WHERE name = ?"
                + " AND (last_start_at IS NULL OR "
                + INTERVAL
                + " <= 0 OR last_start_at + "
                + INTERVAL
                + " <= comity_millis())",
            name,
            global.toMillis(),
            global.toMillis());
    Optional<SourcePace> pace = find(tx.sql, name);
    if (taken > 0 || pace.isEmpty()) {
      return new SourceTurn.TurnTaken(pace.orElse(SourcePace.FREE).started(at));
    }
    // A start in the future is one of a clock that was wrong.
    tx.sql.update(
        "UPDATE sources SET last_start_at = comity_millis()"
            + " WHERE name = ? AND last_start_at > comity_millis()",
        name);
    Instant now = Instant.ofEpochMilli(tx.sql.number("SELECT comity_millis()"));
    Duration wait = Duration.between(now, pace.get().dueAfter(now).orElse(now));
    return new SourceTurn.NotBefore(at.plus(wait));
  }

  /** The log has a request for a URL of the source that started then. */
  public static void started(PostgresSession tx, long id, Instant at) {
    // A start in the future is one of a worker whose clock is wrong.
    long start = Math.min(at.toEpochMilli(), tx.now());
    tx.later.update(
        "UPDATE sources SET last_start_at = ? WHERE id = ? AND coalesce(last_start_at, 0) < ?",
        start,
        id,
        start);
  }

  /** A released domain whose URLs all wait for their sources is not claimed before that time. */
  public void waitUntil(PostgresSession tx, long domain, long at) {
    tx.sql.update(
        """
        UPDATE domains SET claimable_at = greatest(claimable_at, ?)
        WHERE id = ? AND claimable_at IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM domain_frontier f LEFT JOIN sources s ON s.id = f.source_id
          WHERE f.domain_id = domains.id AND f.state = 0 AND f.due_at IS NULL
            AND (s.id IS NULL OR s.last_start_at IS NULL OR %1$s <= 0
              OR s.last_start_at + %1$s <= ?))
        """
            .formatted(INTERVAL),
        at,
        domain,
        global.toMillis(),
        global.toMillis(),
        tx.now());
  }
}
