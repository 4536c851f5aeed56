package dev.comity.store.crawl;

import dev.comity.core.url.DomainName;
import dev.comity.store.sql.Readiness;
import dev.comity.store.sql.Statements;
import java.sql.SQLException;
import java.util.Collection;

/**
 * Keeps a run to the domains it is about. A directory may remember others, with work left that some
 * other run began; this one leaves them as they are, as if it had had its share of them, and the
 * next run finds them so. Runs in the writer's thread.
 */
public record RunScope(Statements sql) {

  /** Leaves one domain out of a run that is about others. */
  void keepOut(long run, long domain, long now) throws SQLException {
    sql.execute("CREATE TEMP TABLE IF NOT EXISTS reached (domain TEXT PRIMARY KEY)");
    sql.update(
        """
        UPDATE domains SET spent_run_id = ?1, claimable_at = NULL, version = version + 1,
          updated_at = ?2
        WHERE id = ?3 AND EXISTS (SELECT 1 FROM reached)
          AND domain NOT IN (SELECT domain FROM reached)
        """,
        run,
        now,
        domain);
  }

  /** Lets the run have every domain that it was kept from before it was at it. */
  void lift(long run, long now) throws SQLException {
    String kept = "id NOT IN (SELECT domain_id FROM jobs WHERE run_id = ?1) AND claimed_by IS NULL";
    sql.update(
        "UPDATE domains SET claimable_at = NULL, spent_run_id = NULL, version = version + 1,"
            + " updated_at = ?2 WHERE spent_run_id = ?1 AND "
            + kept,
        run,
        now);
    sql.update(
        "UPDATE domains SET claimable_at ="
            + Readiness.SQL
            + " WHERE claimable_at IS NULL AND "
            + kept,
        run);
  }

  public void confine(long run, Collection<DomainName> domains, long now) throws SQLException {
    sql.execute("CREATE TEMP TABLE IF NOT EXISTS reached (domain TEXT PRIMARY KEY)");
    sql.update("DELETE FROM reached");
    for (DomainName domain : domains) {
      sql.update("INSERT OR IGNORE INTO reached (domain) VALUES (?)", domain.name());
    }
    // Also what would be woken by the end of a cooldown.
    sql.update(
        """
        UPDATE domains SET spent_run_id = ?1, claimable_at = NULL, version = version + 1,
          updated_at = ?2
        WHERE claimed_by IS NULL AND spent_run_id IS NOT ?1 AND domain NOT IN (SELECT domain FROM reached)
          AND id NOT IN (SELECT domain_id FROM crawl_run_moves WHERE run_id = ?1)
          AND (claimable_at IS NOT NULL OR spent_run_id IS NOT NULL OR damage IS NOT NULL
            OR status IN ('blocked', 'unreachable') AND next_crawl_after IS NOT NULL)
        """,
        run,
        now);
  }
}
