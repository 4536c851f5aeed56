package dev.comity.store.doctor;

import dev.comity.store.sql.Statements;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * No time is in the future.
 *
 * <p>Where the clock was set back, what it stamped before does, and in all tables alike. So a time
 * is compared with the newest of every other table, too.
 */
final class TimesCheck {
  private static final Duration SLACK = Duration.ofDays(1);

  private record Column(String table, String key, String name, String subject) {
    Column(String table, String name, String subject) {
      this(table, "id", name, subject);
    }
  }

  private static final String OF_DOMAIN = "(SELECT domain FROM domains WHERE id = domain_id)";

  private static final List<Column> COLUMNS =
      List.of(
          new Column("domains", "first_seen_at", "domain"),
          new Column("domains", "updated_at", "domain"),
          new Column("domains", "last_crawled_at", "domain"),
          new Column("domains", "last_start_at", "domain"),
          new Column("domains", "last_success_at", "domain"),
          new Column("crawl_log", "started_at", OF_DOMAIN),
          new Column("crawl_log", "finished_at", OF_DOMAIN),
          new Column("transitions", "at", OF_DOMAIN),
          new Column("pages", "started_at", OF_DOMAIN),
          new Column("jobs", "run_id || '/' || domain_id", "started_at", OF_DOMAIN),
          new Column("crawl_runs", "started_at", "'run ' || id"),
          new Column("workers", "started_at", "''"),
          new Column("robots_cache", "authority", "fetched_at", "authority"),
          new Column("audit", "at", "coalesce(subject, '')"));

  private final Instant now;

  TimesCheck(Instant now) {
    this.now = now;
  }

  Check check() {
    return new Check(
        "times",
        0,
        "nothing has happened after now",
        "run `comity prune` or delete the row: it was written with a wrong clock",
        this::examine);
  }

  private void examine(Statements sql, Examination.Findings findings) {
    Map<Column, Long> newest = new LinkedHashMap<>();
    for (Column column : COLUMNS) {
      newest.put(
          column,
          sql.number("SELECT max(%s) AS n FROM %s".formatted(column.name(), column.table())));
    }
    newest.forEach(
        (column, time) -> {
          long others =
              newest.entrySet().stream()
                  .filter(other -> !other.getKey().table().equals(column.table()))
                  .mapToLong(Map.Entry::getValue)
                  .max()
                  .orElse(0);
          long latest = Math.max(now.toEpochMilli(), others) + SLACK.toMillis();
          if (time > latest) {
            tell(sql, column, latest, findings);
          }
        });
  }

  private static void tell(
      Statements sql, Column column, long latest, Examination.Findings findings) {
    sql.each(
        "SELECT %4$s AS name, %1$s AS at, %3$s AS subject FROM %2$s WHERE %1$s > ?"
            .formatted(column.name(), column.table(), column.subject(), column.key()),
        row ->
            findings.add(
                row.text("subject"),
                "row %s of %s has %s %s, which is in the future"
                    .formatted(row.text("name"), column.table(), column.name(), row.time("at"))),
        latest);
  }
}
