package dev.comity.store.doctor;

import dev.comity.store.SqlDialect;
import dev.comity.store.sql.Statements;

/** Runs, their jobs and their workers. */
final class RunsCheck {
  static Check check() {
    return new Check(
        "runs",
        0,
        "one run is open at most, one that is worked on has a worker, and an ended one no open"
            + " job",
        Check.NEXT_CRAWL,
        RunsCheck::examine);
  }

  private static void examine(Statements sql, Examination.Findings findings) {
    tell(
        sql,
        findings,
        "SELECT id FROM crawl_runs WHERE status = 'running'"
            + " AND id < (SELECT max(id) FROM crawl_runs WHERE status = 'running')",
        "it is open beside a newer one");
    tell(
        sql,
        findings,
        "SELECT id FROM crawl_runs WHERE status = 'running' AND ended_at IS NOT NULL",
        "it is open and has an end");
    tell(
        sql,
        findings,
        "SELECT id FROM crawl_runs WHERE status <> 'running' AND ended_at IS NULL",
        "it is closed and has no end");
    tell(
        sql,
        findings,
        "SELECT id FROM crawl_runs WHERE status = 'running' AND end_reason IS NULL"
            + " AND NOT EXISTS (SELECT 1 FROM workers WHERE ended_at IS NULL)",
        "it is worked on, and there is no worker");
    tell(
        sql,
        findings,
        "SELECT DISTINCT r.id FROM crawl_runs r JOIN jobs j ON j.run_id = r.id"
            + " WHERE r.status IN ('finished', 'failed') AND j.status = 'open'",
        "it has ended, and a job of it is open");
    if (sql.dialect() == SqlDialect.SQLITE) {
      oneWorker(sql, findings);
    }
  }

  private static void oneWorker(Statements sql, Examination.Findings findings) {
    sql.each(
        "SELECT count(*) AS n FROM workers WHERE ended_at IS NULL HAVING count(*) > 1",
        row ->
            findings.add(
                "",
                "%d workers have not ended; one has the directory at a time"
                    .formatted(row.number("n"))));
  }

  private static void tell(
      Statements sql, Examination.Findings findings, String query, String words) {
    sql.each(query, row -> findings.add("run " + row.number("id"), words));
  }
}
