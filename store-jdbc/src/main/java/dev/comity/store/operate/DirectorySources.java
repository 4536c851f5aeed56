package dev.comity.store.operate;

import dev.comity.core.port.source.SourceOperations;
import dev.comity.store.DataDirectory;
import dev.comity.store.OperatorSignal;
import dev.comity.store.source.SourceRows;
import dev.comity.store.sql.Readiness;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.Statements;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * What operators do with the sources of a data directory, also beside a crawl. Each call is one
 * transaction.
 *
 * @param actor the name for the audit
 */
public record DirectorySources(DataDirectory directory, String actor, InstantSource clock)
    implements SourceOperations {
  private static final String SOURCE =
      """
      SELECT id, name, min_scrape_interval, last_start_at,
        (SELECT count(*) FROM domain_frontier f WHERE f.source_id = sources.id) AS urls,
        (SELECT count(*) FROM domain_frontier f
          WHERE f.source_id = sources.id AND f.state = 0) AS unfinished
      FROM sources
      """;

  private static SourceRecord source(ResultRow row) {
    return new SourceRecord(
        row.text("name"),
        SourceRows.interval(row, "min_scrape_interval"),
        row.optionalTime("last_start_at"),
        row.number("urls"),
        row.number("unfinished"));
  }

  @Override
  public boolean addSource(String name, Optional<Duration> interval) {
    return writing(
        sql -> {
          boolean added =
              sql.update(
                      "INSERT INTO sources (name, min_scrape_interval, created_at)"
                          + " VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
                      name,
                      SourceRows.column(interval).orElse(null),
                      clock.millis())
                  > 0;
          if (added) {
            audit(sql, "source-add", name, words(interval));
          }
          return added;
        });
  }

  @Override
  public Optional<SourceRecord> setInterval(String name, Optional<Duration> interval) {
    return writing(
        sql -> {
          Optional<SourceRecord> before = find(sql, name);
          if (before.isPresent()) {
            sql.update(
                "UPDATE sources SET min_scrape_interval = ? WHERE name = ?",
                SourceRows.column(interval).orElse(null),
                name);
            wake(sql, name);
            audit(
                sql, "source-set", name, words(before.get().interval()) + " → " + words(interval));
          }
          return before;
        });
  }

  private static Optional<SourceRecord> find(Statements sql, String name) {
    return sql.first(SOURCE + " WHERE name = ?", DirectorySources::source, name);
  }

  /** Domains that wait for the source alone are looked at again. */
  private static void wake(Statements sql, String name) {
    Readiness readiness = new Readiness(sql);
    sql.list(
            """
            SELECT d.id FROM domains d WHERE d.claimed_by IS NULL AND d.claimable_at > 0
              AND d.id IN (SELECT f.domain_id FROM domain_frontier f
                JOIN sources s ON s.id = f.source_id WHERE s.name = ? AND f.state = 0)
            """,
            row -> row.getLong(1),
            name)
        .forEach(readiness::set);
  }

  @Override
  public List<SourceRecord> sources() {
    Schema.require(directory);
    try (Statements sql = new Statements(directory.reading())) {
      return sql.list(SOURCE + " ORDER BY name", DirectorySources::source);
    }
  }

  @Override
  public OptionalLong removeSource(String name) {
    return writing(
        sql -> {
          Optional<SourceRecord> before = find(sql, name);
          if (before.isEmpty()) {
            return OptionalLong.empty();
          }
          wake(sql, name);
          String of =
              " SET source_id = NULL WHERE source_id = (SELECT id FROM sources WHERE name = ?)";
          sql.update("UPDATE domain_frontier" + of, name);
          sql.update("UPDATE crawl_log" + of, name);
          sql.update("DELETE FROM sources WHERE name = ?", name);
          audit(sql, "source-remove", name, before.get().urls() + " URLs stay, without a source");
          return OptionalLong.of(before.get().urls());
        });
  }

  private static String words(Optional<Duration> interval) {
    return interval
        .map(value -> value.isPositive() ? value.toMillis() + " ms" : "off")
        .orElse("default");
  }

  private void audit(Statements sql, String action, String name, String detail) {
    sql.update(
        "INSERT INTO audit (at, actor, action, subject, reason, detail)"
            + " VALUES (?, ?, ?, ?, NULL, ?)",
        clock.millis(),
        actor,
        action,
        name,
        detail);
  }

  private <T> T writing(Function<Statements, T> work) {
    Schema.require(directory);
    // Closing a connection undoes what was not committed.
    try (Statements sql = new Statements(directory.writing())) {
      sql.execute("BEGIN IMMEDIATE");
      T done = work.apply(sql);
      OperatorSignal.of(directory).raise();
      sql.execute("COMMIT");
      return done;
    }
  }
}
