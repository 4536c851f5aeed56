package dev.comity.store.doctor;

import dev.comity.store.postgres.connect.WorkerRows;
import dev.comity.store.sql.Statements;

/** Workers of a server and the rows that number their transactions. */
final class WorkersCheck {
  private WorkersCheck() {}

  static Check check() {
    return new Check(
        "workers",
        0,
        "a worker that is up has its lanes, and one that has ended has none",
        "`comity cleanup-stale-runs` ends a worker that is gone; else please report it",
        WorkersCheck::examine);
  }

  private static void examine(Statements sql, Examination.Findings findings) {
    sql.each(
        """
        SELECT w.id, count(l.lane) AS n FROM workers w LEFT JOIN lanes l ON l.worker = w.id
        WHERE w.ended_at IS NULL GROUP BY w.id HAVING count(l.lane) <> ?
        """,
        row ->
            findings.add(
                "", "worker %s is up and has %d lanes".formatted(row.text("id"), row.number("n"))),
        WorkerRows.LANES.size());
    sql.each(
        """
        SELECT l.worker, sum(l.pages) AS pages FROM lanes l JOIN workers w ON w.id = l.worker
        WHERE w.ended_at IS NOT NULL GROUP BY l.worker
        """,
        row ->
            findings.add(
                "",
                "worker %s has ended, and lanes of it are left with %d pages"
                    .formatted(row.text("worker"), row.number("pages"))));
    sql.each(
        """
        SELECT id, state FROM workers
        WHERE (ended_at IS NULL) <> (state IN ('up', 'draining'))
        """,
        row ->
            findings.add(
                "",
                "worker %s is %s, and its end says otherwise"
                    .formatted(row.text("id"), row.text("state"))));
  }
}
