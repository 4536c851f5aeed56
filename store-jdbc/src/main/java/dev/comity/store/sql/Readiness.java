package dev.comity.store.sql;

/** Whether a domain may be claimed as far as its own row and its URLs go, and from when. */
public record Readiness(Statements sql) {

  /**
   * When a domain may be claimed, by its status, its queue, its rest and its operator; NULL for
   * never. An active domain with an empty queue may be claimed: its holder then marks it exhausted.
   * A domain that is spent may be claimed for the images that its run asks of it.
   */
  public static final String SQL =
      """
       CASE WHEN status NOT IN ('pending', 'active') OR damage IS NOT NULL OR reset_by_hand <> 0
         OR paused <> 0 THEN NULL
       WHEN spent_run_id IS NOT NULL THEN
        CASE WHEN EXISTS (SELECT 1 FROM crawl_run_image_hosts h
            WHERE h.run_id = spent_run_id AND h.domain_id = domains.id)
          AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.run_id = spent_run_id
            AND j.domain_id = domains.id AND j.status = 'failed') THEN
          (SELECT max(coalesce(not_before, 0), min(coalesce(f.due_at, 0))) FROM domain_frontier f
            WHERE f.domain_id = domains.id AND f.state = 0 AND f.kind = 3) END
       ELSE max(coalesce(not_before, 0),
          CASE WHEN EXISTS (SELECT 1 FROM domain_frontier
            WHERE domain_id = domains.id AND state = 0 AND due_at IS NULL)
            OR frontier_elsewhere > 0 THEN 0
          ELSE coalesce((SELECT min(due_at) FROM domain_frontier
            WHERE domain_id = domains.id AND state = 0 AND due_at IS NOT NULL),
            CASE WHEN status = 'active' THEN 0 END) END) END
      """;

  /** Writes it into the row of a domain. */
  public void set(long domain) {
    sql.update(
        "UPDATE domains SET claimable_at =" + SQL + ", version = version + 1 WHERE id = ?", domain);
  }

  /** Whether anything is queued, deferred or in flight. */
  public boolean hasWork(long domain) {
    return sql.exists(
        """
        SELECT 1 FROM domains d WHERE id = ? AND (frontier_elsewhere > 0
          OR EXISTS (SELECT 1 FROM domain_frontier f WHERE f.domain_id = d.id AND f.state = 0))
        """,
        domain);
  }

  /** No process died with these URLs in flight; deaths that were counted before stay. */
  public void returnInFlight(long domain) {
    sql.update("DELETE FROM in_flight WHERE domain_id = ? AND deaths = 0", domain);
    sql.update("UPDATE in_flight SET taken = 0 WHERE domain_id = ?", domain);
  }
}
