package dev.comity.store.sql;

import java.sql.SQLException;

/** Whether a domain may be claimed as far as its own row and its URLs go, and from when. */
public record Readiness(Statements sql) {

  /**
   * When a domain may be claimed by where it stands, what it has to do and until when it is parked,
   * if at all. One that is active and has nothing left may be: somebody has to see that.
   */
  public static final String SQL =
      """
       CASE WHEN status IN ('pending', 'active') AND spent_run_id IS NULL AND damage IS NULL
         AND reset_by_hand = 0 THEN
        max(coalesce(not_before, 0),
          CASE WHEN EXISTS (SELECT 1 FROM domain_frontier
            WHERE domain_id = domains.id AND state = 0 AND due_at IS NULL) THEN 0
          ELSE coalesce((SELECT min(due_at) FROM domain_frontier
            WHERE domain_id = domains.id AND state = 0 AND due_at IS NOT NULL),
            CASE WHEN status = 'active' THEN 0 END) END) END
      """;

  /** Brings a domain's own note of it up to date. */
  public void set(long domain) throws SQLException {
    sql.update(
        "UPDATE domains SET claimable_at =" + SQL + ", version = version + 1 WHERE id = ?", domain);
  }

  /** Whether anything is queued, deferred or in flight. */
  public boolean hasWork(long domain) throws SQLException {
    return sql.first(
            "SELECT 1 FROM domain_frontier WHERE domain_id = ? AND state = 0 LIMIT 1",
            _ -> true,
            domain)
        .isPresent();
  }

  /** Nobody died with these; what others died with before is still to be told. */
  public void returnInFlight(long domain) throws SQLException {
    sql.update("DELETE FROM in_flight WHERE domain_id = ? AND deaths = 0", domain);
    sql.update("UPDATE in_flight SET taken = 0 WHERE domain_id = ?", domain);
  }
}
