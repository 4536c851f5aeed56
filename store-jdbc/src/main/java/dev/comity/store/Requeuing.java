package dev.comity.store;

import java.sql.Connection;

/**
 * Puts finished URLs of a domain back into its queue, with their tries unspent, and moves the
 * counters by as many. It adds nothing up anew: what was wrong before stays visible.
 */
record Requeuing(Connection connection, long domain) {

  /** Queues the seeds, or every URL, and says how many had been finished. */
  long requeue(boolean all) {
    String which = all ? "domain_id = ?" : "domain_id = ? AND depth = 0";
    Query.of(
            """
            UPDATE domains SET
              urls_done = urls_done - m.done, urls_failed = urls_failed - m.failed,
              urls_denied = urls_denied - m.denied,
              urls_set_aside = urls_set_aside - m.set_aside,
              urls_suppressed = urls_suppressed - m.suppressed,
              frontier_size = frontier_size + m.done + m.failed + m.denied + m.set_aside
                + m.suppressed
            FROM (
              SELECT count(CASE state WHEN 1 THEN 1 END) AS done,
                count(CASE state WHEN 2 THEN 1 END) AS failed,
                count(CASE state WHEN 3 THEN 1 END) AS denied,
                count(CASE state WHEN 4 THEN 1 END) AS set_aside,
                count(CASE state WHEN 5 THEN 1 END) AS suppressed
              FROM domain_frontier WHERE %s) m
            WHERE domains.id = ?
            """
                .formatted(which),
            domain,
            domain)
        .change(connection);
    long finished =
        Query.of("SELECT count(*) AS n FROM domain_frontier WHERE state <> 0 AND " + which, domain)
            .number(connection);
    Query.of(
            """
            UPDATE domain_frontier
            SET state = 0, due_at = NULL, tries_spent = 0,
                  place = CASE WHEN place >= %d THEN place - %d ELSE place END
            WHERE %s
            """
                .formatted(Arrival.TRIED / 2, Arrival.TRIED, which),
            domain)
        .change(connection);
    reopenJobs();
    return finished;
  }

  /** What a run had given up or finished goes on; what it has spent stays spent. */
  private void reopenJobs() {
    Query.of(
            """
            UPDATE jobs SET status = 'open', failed_in_row = 0, reason = NULL, ended_at = NULL
            WHERE domain_id = ? AND status IN ('open', 'done', 'failed')
              AND run_id IN (SELECT id FROM crawl_runs WHERE status = 'running')
            """,
            domain)
        .change(connection);
  }
}
