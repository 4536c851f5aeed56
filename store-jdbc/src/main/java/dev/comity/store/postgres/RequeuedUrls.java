package dev.comity.store.postgres;

import dev.comity.store.crawl.FrontierCodes;
import dev.comity.store.postgres.connect.PostgresSession;

/**
 * Puts finished URLs of a domain back into its queue with no tries spent. It moves the counters by
 * as many and does not recount. The caller has locked the domain's row.
 */
enum RequeuedUrls {
  /** Those that the user gave. */
  SEEDS("depth = 0"),
  /** Where the domain was entered: its seeds, or what others linked to first. */
  ENTRANCES("depth = (SELECT min(depth) FROM domain_frontier m WHERE m.domain_id = f.domain_id)"),
  /** Those that were asked. */
  ANSWERED("state IN (1, 2, 6)"),
  /** Known pages that may have links, to be asked for them. */
  LINKING(
      """
      state = 1 AND kind = 0 AND EXISTS (SELECT 1 FROM pages p
        WHERE p.url_id = f.id AND p.status BETWEEN 200 AND 299
          AND (p.content_type IS NULL OR p.content_type LIKE '%html%'))
      """);

  private final String condition;

  RequeuedUrls(String condition) {
    this.condition = "domain_id = ? AND (state <> 6 OR asked > 0) AND " + condition;
  }

  /** Why a domain has something to do again. */
  String words() {
    return this == LINKING ? "known pages are asked for links" : "all of it is asked again";
  }

  /** Returns how many of them had been finished. */
  int requeue(PostgresSession tx, long domain) {
    int finished =
        (int)
            tx.sql.number(
                "SELECT count(*) FROM domain_frontier f WHERE state <> 0 AND " + condition, domain);
    tx.sql.update(
        """
        UPDATE domains SET urls_done = urls_done - m.done, urls_failed = urls_failed - m.failed,
          urls_denied = urls_denied - m.denied, urls_set_aside = urls_set_aside - m.set_aside,
          urls_suppressed = urls_suppressed - m.suppressed,
          urls_skipped = urls_skipped - m.skipped,
          frontier_size =
            frontier_size + m.done + m.failed + m.denied + m.set_aside + m.suppressed + m.skipped,
          version = version + 1
        FROM (SELECT count(*) FILTER (WHERE state = 1) AS done,
            count(*) FILTER (WHERE state = 2) AS failed,
            count(*) FILTER (WHERE state = 3) AS denied,
            count(*) FILTER (WHERE state = 4) AS set_aside,
            count(*) FILTER (WHERE state = 5) AS suppressed,
            count(*) FILTER (WHERE state = 6) AS skipped
          FROM domain_frontier f WHERE
        """
            + condition
            + ") m WHERE domains.id = ?",
        domain,
        domain);
    tx.sql.update(
        "UPDATE domain_frontier f SET state = 0, due_at = NULL, tries_spent = 0, kind = "
            + (this == LINKING
                ? "2"
                : "CASE WHEN state = 0 OR kind = 3 THEN kind ELSE kind % 2 END")
            + ", place = CASE WHEN place >= %d THEN place - %d ELSE place END WHERE "
                .formatted(FrontierCodes.TRIED / 2, FrontierCodes.TRIED)
            + condition,
        domain);
    tx.sql.update(
        """
        UPDATE jobs SET status = 'open', failed_in_row = 0, reason = NULL, ended_at = NULL
        WHERE domain_id = ? AND (status IN ('open', 'done') OR status = 'failed' AND ? = 0)
          AND run_id IN (SELECT id FROM crawl_runs WHERE status = 'running')
        """,
        domain,
        this == LINKING ? 1 : 0);
    return finished;
  }
}
