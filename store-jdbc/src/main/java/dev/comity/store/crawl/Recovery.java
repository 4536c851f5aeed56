package dev.comity.store.crawl;

import dev.comity.store.sql.Readiness;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.Statements;
import java.util.List;

/**
 * Takes over a directory from an earlier process. The lock shows that no other process has it, so
 * all claims end and no URL is in flight. Such URLs are asked again after all others of their
 * domain: one of them may have killed the worker, and then the others come first.
 */
public final class Recovery {
  /** A URL that so many workers died with is left alone; two may have died for other reasons. */
  public static final int SET_ASIDE_AFTER = 3;

  private Recovery() {}

  private record Deadly(long url, long domain, int deaths) {}

  public static void run(Statements sql, String worker, String name, long now) {
    sql.update(
        "UPDATE workers SET ended_at = max(?1, started_at), unclean = 1 WHERE ended_at IS NULL",
        now);
    sql.update(
        "UPDATE domains SET claimed_by = NULL, claim_expires_at = NULL, unclean = 1, claimable_at ="
            + Readiness.SQL
            + ", version = version + 1, updated_at = ? WHERE claimed_by IS NOT NULL",
        now);
    sql.update(
        "UPDATE crawl_runs SET end_reason = 'its worker died'"
            + " WHERE status = 'running' AND end_reason IS NULL");
    sql.update("UPDATE in_flight SET taken = 0, deaths = deaths + 1 WHERE taken = 1");
    sql.update(
        """
        UPDATE domain_frontier SET place = place + ?1
        WHERE place < ?1 / 2 AND id IN (SELECT url_id FROM in_flight WHERE deaths > 0)
        """,
        FrontierCodes.TRIED);
    List<Deadly> deadly =
        sql.list(
            "SELECT url_id, domain_id, deaths FROM in_flight WHERE deaths >= ?",
            row -> new Deadly(row.getLong(1), row.getLong(2), row.getInt(3)),
            SET_ASIDE_AFTER);
    for (Deadly one : deadly) {
      setAside(sql, one, now);
    }
    join(sql, worker, name, now);
  }

  /** Adds a worker beside those that have the directory already. */
  public static void join(Statements sql, String worker, String name, long now) {
    sql.update(
        """
        INSERT INTO workers (id, name, version, started_at, last_seen_at) VALUES (?, ?, ?, ?, ?)
        """,
        worker,
        name,
        String.valueOf(Schema.VERSION),
        now,
        now);
  }

  private static void setAside(Statements sql, Deadly one, long now) {
    int moved =
        sql.update("UPDATE domain_frontier SET state = 4 WHERE id = ? AND state = 0", one.url());
    sql.update("DELETE FROM in_flight WHERE url_id = ?", one.url());
    if (moved == 0) {
      return;
    }
    sql.update(
        """
        UPDATE domains SET urls_set_aside = urls_set_aside + 1, frontier_size = frontier_size - 1,
          version = version + 1 WHERE id = ?
        """,
        one.domain());
    sql.update(
        """
        INSERT INTO audit (at, actor, action, subject, reason)
        SELECT ?, 'comity', 'set_aside', url, ? FROM urls WHERE id = ?
        """,
        now,
        one.deaths() + " workers died while it was in flight",
        one.url());
  }

  /** Ends this worker: its claims end, and no death is counted for its URLs in flight. */
  public static void leave(Statements sql, String worker, long now) {
    sql.update(
        """
        UPDATE in_flight SET taken = 0 WHERE taken = 1 AND domain_id NOT IN
          (SELECT id FROM domains WHERE claimed_by IS NOT NULL AND claimed_by <> ?)
        """,
        worker);
    sql.update(
        "UPDATE domains SET claimed_by = NULL, claim_expires_at = NULL, unclean = 1, claimable_at ="
            + Readiness.SQL
            + ", version = version + 1, updated_at = ? WHERE claimed_by = ?",
        now,
        worker);
    sql.update(
        "UPDATE workers SET ended_at = max(?1, started_at), last_seen_at = ?1 WHERE id = ?2",
        now,
        worker);
    sql.update(
        """
        UPDATE crawl_runs SET end_reason = 'it was left'
        WHERE status = 'running' AND end_reason IS NULL
          AND NOT EXISTS (SELECT 1 FROM workers WHERE ended_at IS NULL)
        """);
  }
}
