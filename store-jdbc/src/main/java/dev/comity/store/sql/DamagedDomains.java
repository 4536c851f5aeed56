package dev.comity.store.sql;

/**
 * Sets aside domains with stored values that cannot be read. They are not claimed until a reset has
 * mended them. Runs in the writer's thread.
 */
public record DamagedDomains(Statements sql) {

  /** Ends the claim, too. Requests in flight will not be recorded, so the domain is unclean. */
  public void setAside(long domain, String reason, long now) {
    new Readiness(sql).returnInFlight(domain);
    sql.update(
        """
        UPDATE domains SET damage = ?, claimable_at = NULL,
          unclean = max(unclean, claimed_by IS NOT NULL), claimed_by = NULL,
          claim_expires_at = NULL, version = version + 1, updated_at = ? WHERE id = ?
        """,
        reason,
        now,
        domain);
    sql.update(
        """
        INSERT INTO jobs (run_id, domain_id, status, reason, started_at, ended_at)
        SELECT id, ?1, 'failed', 'damaged', ?2, ?2 FROM crawl_runs WHERE status = 'running'
        ON CONFLICT (run_id, domain_id) DO UPDATE SET status = 'failed', reason = 'damaged',
          ended_at = excluded.ended_at
        """,
        domain,
        now);
    sql.update(
        """
        INSERT INTO audit (at, actor, action, subject, reason)
        SELECT ?, 'comity', 'domain_set_aside', domain, ? FROM domains WHERE id = ?
        """,
        now,
        reason,
        domain);
  }
}
