package dev.comity.store.doctor;

import dev.comity.store.sql.Statements;

/** Sources know their last starts, and their intervals are numbers. */
final class SourcesCheck {
  private SourcesCheck() {}

  static Check check() {
    return new Check(
        "sources",
        0,
        "no request of a source started after the last start in its row",
        "`comity source set` with the interval you want mends an interval; else please report it",
        SourcesCheck::examine);
  }

  private static void examine(Statements sql, Examination.Findings findings) {
    sql.each(
        """
        SELECT s.name, max(l.started_at) AS logged, coalesce(s.last_start_at, 0) AS kept
        FROM sources s JOIN crawl_log l ON l.source_id = s.id
        GROUP BY s.id HAVING max(l.started_at) > coalesce(s.last_start_at, 0)
        """,
        row ->
            findings.add(
                "",
                "source %s last started at %d by the log, and at %d by its row"
                    .formatted(row.text("name"), row.number("logged"), row.number("kept"))));
    sql.each(
        """
        SELECT name, min_scrape_interval AS value FROM sources
        WHERE CAST(${type of}(min_scrape_interval) AS TEXT) IN ('text', 'blob')
        """,
        row ->
            findings.add(
                "",
                "source %s has the interval %s, which is no number"
                    .formatted(row.text("name"), row.text("value"))));
  }
}
