package dev.comity.store.postgres.rows;

import dev.comity.store.postgres.connect.PostgresSession;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** When domains may be claimed, as far as their own rows and URLs go. */
public final class DomainReadiness {
  /**
   * As {@link dev.comity.store.sql.Readiness#SQL}, in words of PostgreSQL: its {@code greatest}
   * leaves NULL out, so that a domain without work would be claimable at once.
   */
  public static final String SQL =
      """
       CASE WHEN status NOT IN ('pending', 'active') OR damage IS NOT NULL OR reset_by_hand <> 0
         OR paused <> 0 THEN NULL
       WHEN spent_run_id IS NOT NULL THEN
        CASE WHEN EXISTS (SELECT 1 FROM crawl_run_image_hosts h
            WHERE h.run_id = spent_run_id AND h.domain_id = domains.id)
          AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.run_id = spent_run_id
            AND j.domain_id = domains.id AND j.status = 'failed')
          AND EXISTS (SELECT 1 FROM domain_frontier f
            WHERE f.domain_id = domains.id AND f.state = 0 AND f.kind = 3) THEN
          greatest(coalesce(not_before, 0), (SELECT min(coalesce(f.due_at, 0))
            FROM domain_frontier f
            WHERE f.domain_id = domains.id AND f.state = 0 AND f.kind = 3)) END
       WHEN frontier_elsewhere > 0 OR EXISTS (SELECT 1 FROM domain_frontier f
          WHERE f.domain_id = domains.id AND f.state = 0 AND f.due_at IS NULL)
        THEN coalesce(not_before, 0)
       WHEN EXISTS (SELECT 1 FROM domain_frontier f
          WHERE f.domain_id = domains.id AND f.state = 0 AND f.due_at IS NOT NULL)
        THEN greatest(coalesce(not_before, 0), (SELECT min(f.due_at) FROM domain_frontier f
          WHERE f.domain_id = domains.id AND f.state = 0 AND f.due_at IS NOT NULL))
       WHEN status = 'active' THEN coalesce(not_before, 0) END
      """;

  private DomainReadiness() {}

  /** Whether anything is queued, deferred or in flight, here or in a queue elsewhere. */
  public static boolean hasWork(PostgresSession tx, long domain) {
    return !working(tx, List.of(domain)).isEmpty();
  }

  /** Which of these domains have URLs that are not finished. */
  public static Set<Long> working(PostgresSession tx, Collection<Long> domains) {
    return Set.copyOf(
        tx.sql.list(
            """
            SELECT d.id FROM domains d WHERE d.id = ANY (?) AND (d.frontier_elsewhere > 0
              OR EXISTS (SELECT 1 FROM domain_frontier f WHERE f.domain_id = d.id AND f.state = 0))
            """,
            row -> row.getLong(1),
            tx.longs(domains)));
  }

  /** Writes it into the rows of these domains, which the caller has locked. */
  public static void set(PostgresSession tx, Collection<Long> domains) {
    if (!domains.isEmpty()) {
      tx.sql.update(
          "UPDATE domains SET claimable_at =" + SQL + ", version = version + 1 WHERE id = ANY (?)",
          tx.longs(domains));
    }
  }

  /**
   * Adds the arrivals and credits of these domains to their counters. The caller has locked their
   * rows. One statement deletes and counts: an arrival that is committed between two would be lost.
   */
  public static void fold(PostgresSession tx, Collection<Long> domains) {
    if (domains.isEmpty()) {
      return;
    }
    tx.sql.update(
        """
        WITH gone AS (DELETE FROM arrivals WHERE domain_id = ANY (?)
            RETURNING domain_id, discovered, over_cap, skipped),
          sums AS (SELECT domain_id, sum(discovered) AS discovered, sum(over_cap) AS over_cap,
            sum(skipped) AS skipped FROM gone GROUP BY domain_id)
        UPDATE domains SET pages_discovered =
            pages_discovered + sums.discovered + sums.over_cap + sums.skipped,
          frontier_size = frontier_size + sums.discovered,
          urls_over_cap = urls_over_cap + sums.over_cap,
          urls_skipped = urls_skipped + sums.skipped, version = version + 1
        FROM sums WHERE domains.id = sums.domain_id
        """,
        tx.longs(domains));
    tx.sql.update(
        """
        WITH gone AS (DELETE FROM credits WHERE domain_id = ANY (?)
            RETURNING domain_id, images_stored),
          sums AS (SELECT domain_id, sum(images_stored) AS stored FROM gone GROUP BY domain_id)
        UPDATE domains SET images_stored = images_stored + sums.stored, version = version + 1
        FROM sums WHERE domains.id = sums.domain_id
        """,
        tx.longs(domains));
  }
}
