package dev.comity.store.doctor;

import dev.comity.store.sql.Query;
import java.sql.Connection;

/** Runs, their jobs and who works on them. */
final class RunsCheck implements Check {
  @Override
  public String name() {
    return "runs";
  }

  @Override
  public int invariant() {
    return 0;
  }

  @Override
  public String rule() {
    return "one run is open at most, one that is worked on has a worker, and an ended one no open"
        + " job";
  }

  @Override
  public String fix() {
    return NEXT_CRAWL;
  }

  @Override
  public void examine(Connection connection, Examination.Notes notes) {
    tell(
        connection,
        notes,
        "SELECT id FROM crawl_runs WHERE status = 'running'"
            + " AND id < (SELECT max(id) FROM crawl_runs WHERE status = 'running')",
        "it is open beside a newer one");
    tell(
        connection,
        notes,
        "SELECT id FROM crawl_runs WHERE status = 'running' AND ended_at IS NOT NULL",
        "it is open and has an end");
    tell(
        connection,
        notes,
        "SELECT id FROM crawl_runs WHERE status <> 'running' AND ended_at IS NULL",
        "it is closed and has no end");
    tell(
        connection,
        notes,
        "SELECT id FROM crawl_runs WHERE status = 'running' AND end_reason IS NULL"
            + " AND NOT EXISTS (SELECT 1 FROM workers WHERE ended_at IS NULL)",
        "it is worked on, and there is no worker");
    tell(
        connection,
        notes,
        "SELECT DISTINCT r.id FROM crawl_runs r JOIN jobs j ON j.run_id = r.id"
            + " WHERE r.status IN ('finished', 'failed') AND j.status = 'open'",
        "it has ended, and a job of it is open");
    Query.of("SELECT count(*) AS n FROM workers WHERE ended_at IS NULL HAVING count(*) > 1")
        .each(
            connection,
            row ->
                notes.add(
                    "",
                    "%d workers have not ended; one has the directory at a time"
                        .formatted(row.number("n"))));
  }

  private static void tell(
      Connection connection, Examination.Notes notes, String sql, String words) {
    Query.of(sql).each(connection, row -> notes.add("run " + row.number("id"), words));
  }
}
