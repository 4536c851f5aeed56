package dev.comity.store.crawl;

import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.JobProgress;
import dev.comity.core.schedule.JobStreak;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;

/** The share of a run that one domain is. Runs in the writer's thread. */
record Jobs(Statements sql, Runs runs) {

  JobProgress open(long domain, long now) {
    sql.update(
        """
        INSERT INTO jobs (run_id, domain_id, started_at) VALUES (?, ?, ?)
        ON CONFLICT (run_id, domain_id) DO UPDATE SET status = 'open', ended_at = NULL
        """,
        runs.id(),
        domain,
        now);
    return progress(domain);
  }

  JobProgress progress(long domain) {
    return sql.first(
            "SELECT pages, unkept, failed_in_row FROM jobs WHERE run_id = ? AND domain_id = ?",
            row -> new JobProgress(row.getLong(1), row.getLong(2), new JobStreak(row.getInt(3))),
            runs.id(),
            domain)
        .orElse(JobProgress.NONE);
  }

  /**
   * A job without a page of a domain that closed has failed. One for images alone keeps to what its
   * pages came to, unless it failed.
   */
  void end(long domain, boolean imagesOnly, Ending ending, long now) {
    String reason =
        switch (ending) {
          case Ending.JobFailed(var why) -> why;
          case Ending.Closed(var standing) ->
              standing.reason().map(why -> StateColumns.lower(why.name())).orElse(null);
          case Ending _ -> null;
        };
    String status =
        switch (ending) {
          case Ending.Exhausted _ -> "done";
          case Ending.JobFailed _ -> "failed";
          case Ending.DomainOutOfBudget _ -> "spent";
          case Ending.Closed _ -> "closed";
          case Ending.RestUntil _,
              Ending.DueLater _,
              Ending.RunOutOfBudget _,
              Ending.Borrowed _,
              Ending.Paused _,
              Ending.Stopped _,
              Ending.SetAside _,
              Ending.Lost _ ->
              "open";
        };
    if (imagesOnly && !(ending instanceof Ending.JobFailed)) {
      status = "spent";
    }
    sql.update(
        """
        UPDATE jobs SET status = CASE WHEN ?1 <> 'closed' THEN ?1
            WHEN pages = 0 THEN 'failed' ELSE 'done' END,
          reason = ?2, ended_at = CASE WHEN ?1 <> 'open' THEN max(?3, started_at) END
        WHERE run_id = ?4 AND domain_id = ?5
        """,
        status,
        reason,
        now,
        runs.id(),
        domain);
  }
}
