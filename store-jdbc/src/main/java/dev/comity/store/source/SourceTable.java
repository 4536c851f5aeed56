package dev.comity.store.source;

import dev.comity.core.port.source.SourceOperations.SourceRecord;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * What operators do with the table of sources, in one transaction.
 *
 * @param actor the name for the audit
 * @param wake looks again at the domains that wait for a source alone
 */
public record SourceTable(Statements sql, String actor, long now, Consumer<String> wake) {
  /** SQL: the domains that may wait for a source alone. */
  public static final String WAITING =
      """
      SELECT d.id FROM domains d WHERE d.claimed_by IS NULL AND d.claimable_at > 0
        AND d.id IN (SELECT f.domain_id FROM domain_frontier f
          JOIN sources s ON s.id = f.source_id WHERE s.name = ? AND f.state = 0)
      """;

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

  /** Returns whether there was none of that name. */
  public boolean add(String name, Optional<Duration> interval) {
    boolean added =
        sql.update(
                "INSERT INTO sources (name, min_scrape_interval, created_at)"
                    + " VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
                name,
                SourceRows.column(interval).orElse(null),
                now)
            > 0;
    if (added) {
      audit("source-add", name, words(interval));
    }
    return added;
  }

  /** Returns what the source was before; empty if there is none. */
  public Optional<SourceRecord> set(String name, Optional<Duration> interval) {
    Optional<SourceRecord> before = find(name);
    if (before.isPresent()) {
      sql.update(
          "UPDATE sources SET min_scrape_interval = ? WHERE name = ?",
          SourceRows.column(interval).orElse(null),
          name);
      wake.accept(name);
      audit("source-set", name, words(before.get().interval()) + " → " + words(interval));
    }
    return before;
  }

  private Optional<SourceRecord> find(String name) {
    return sql.first(SOURCE + " WHERE name = ?", SourceTable::source, name);
  }

  public List<SourceRecord> all() {
    return sql.list(SOURCE + " ORDER BY name", SourceTable::source);
  }

  /** Returns how many URLs are left without it; empty if there is none. */
  public OptionalLong remove(String name) {
    Optional<SourceRecord> before = find(name);
    if (before.isEmpty()) {
      return OptionalLong.empty();
    }
    wake.accept(name);
    String of = " SET source_id = NULL WHERE source_id = (SELECT id FROM sources WHERE name = ?)";
    sql.update("UPDATE domain_frontier" + of, name);
    sql.update("UPDATE crawl_log" + of, name);
    sql.update("DELETE FROM sources WHERE name = ?", name);
    audit("source-remove", name, before.get().urls() + " URLs stay, without a source");
    return OptionalLong.of(before.get().urls());
  }

  private static String words(Optional<Duration> interval) {
    return interval
        .map(value -> value.isPositive() ? value.toMillis() + " ms" : "off")
        .orElse("default");
  }

  private void audit(String action, String name, String detail) {
    sql.update(
        "INSERT INTO audit (at, actor, action, subject, reason, detail)"
            + " VALUES (?, ?, ?, ?, NULL, ?)",
        now,
        actor,
        action,
        name,
        detail);
  }
}
