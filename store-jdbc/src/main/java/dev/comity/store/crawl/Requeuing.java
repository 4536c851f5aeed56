package dev.comity.store.crawl;

import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;

/**
 * Puts finished URLs of a domain back into its queue with no tries spent. It moves the counters by
 * as many and does not recount: a wrong counter stays visible. The number of requests of a URL
 * stays, because it numbers the log's rows.
 */
public record Requeuing(Statements sql, long domain) {

  /** Forgets what visits have shown. */
  private static final String FORGET =
      """
      , visited_at = NULL, fingerprint = NULL, changes = NULL, missing_since = NULL, etag = NULL,
        last_modified = NULL, hint = NULL\
      """;

  /** Which of them. What its ending keeps from being asked stays as it is. */
  public enum Which {
    ALL("TRUE", "CASE WHEN kind = 3 THEN 3 ELSE kind % 2 END"),
    SEEDS("depth = 0"),
    /** Where the domain was entered: its seeds, or what others linked to first. */
    ENTRANCES("depth = (SELECT min(depth) FROM domain_frontier WHERE domain_id = ?)"),
    /** Those that were asked. */
    ANSWERED("state IN (1, 2, 6)"),
    /** Known pages that may have links, to be asked for them. */
    LINKING(
        """
        state = 1 AND kind = 0 AND EXISTS (SELECT 1 FROM pages p
          WHERE p.url_id = domain_frontier.id AND p.status BETWEEN 200 AND 299
            AND (p.content_type IS NULL OR p.content_type LIKE '%html%'))
        """,
        "2"),
    /** Known images without a file, to be asked for it. */
    WITHOUT_FILE(
        """
        state = 1 AND kind = 3 AND EXISTS (SELECT 1 FROM images i
          WHERE i.sha256 = domain_frontier.content_hash AND i.kept = 0)
        """,
        "3");

    private final String condition;

    /**
     * What they are asked for: pages, sitemaps or images, unless their links are still to be asked
     * for.
     */
    private final String kind;

    /** Why a domain has something to do again. */
    public String words() {
      return switch (this) {
        case LINKING -> "known pages are asked for links";
        case WITHOUT_FILE -> "known images are asked for their files";
        case ALL, SEEDS, ENTRANCES, ANSWERED -> "all of it is asked again";
      };
    }

    /** Whether they are asked as if they had never been visited. */
    boolean isAnew() {
      return this == ALL || this == SEEDS || this == ENTRANCES;
    }

    Which(String condition) {
      this(condition, "CASE WHEN state = 0 OR kind = 3 THEN kind ELSE kind % 2 END");
    }

    Which(String condition, String kind) {
      this.kind = kind;
      this.condition = "domain_id = ? AND (state <> 6 OR asked > 0) AND " + condition;
    }
  }

  /** Returns how many of them had been finished. */
  public int requeue(Which which) {
    Object[] own = which == Which.ENTRANCES ? new Object[] {domain, domain} : new Object[] {domain};
    sql.update(
        """
        UPDATE domains SET
          urls_done = urls_done - m.done, urls_failed = urls_failed - m.failed,
          urls_denied = urls_denied - m.denied,
          urls_set_aside = urls_set_aside - m.set_aside,
          urls_suppressed = urls_suppressed - m.suppressed,
          urls_skipped = urls_skipped - m.skipped,
          frontier_size =
            frontier_size + m.done + m.failed + m.denied + m.set_aside + m.suppressed + m.skipped,
          version = version + 1
        FROM (
          SELECT count(CASE state WHEN 1 THEN 1 END) AS done,
            count(CASE state WHEN 2 THEN 1 END) AS failed,
            count(CASE state WHEN 3 THEN 1 END) AS denied,
            count(CASE state WHEN 4 THEN 1 END) AS set_aside,
            count(CASE state WHEN 5 THEN 1 END) AS suppressed,
            count(CASE state WHEN 6 THEN 1 END) AS skipped
          FROM domain_frontier WHERE %s) m
        WHERE domains.id = ?
        """
            .formatted(which.condition),
        StateColumns.and(own, domain));
    long finished =
        sql.number(
            "SELECT count(*) FROM domain_frontier WHERE state <> 0 AND " + which.condition, own);
    sql.update(
        """
        UPDATE domain_frontier SET state = 0, due_at = NULL, tries_spent = 0, kind = %s,
          place = CASE WHEN place >= %d THEN place - %d ELSE place END, due_why = NULL %s
        WHERE %s
        """
            .formatted(
                which.kind,
                FrontierCodes.TRIED / 2,
                FrontierCodes.TRIED,
                which.isAnew() ? FORGET : "",
                which.condition),
        own);
    reopenJobs(which == Which.LINKING);
    return (int) finished;
  }

  /**
   * Opens finished jobs again. Failed jobs open too, unless only links are requested. Jobs with a
   * spent budget stay closed.
   */
  private void reopenJobs(boolean linksAlone) {
    sql.update(
        """
        UPDATE jobs SET status = 'open', failed_in_row = 0, reason = NULL, ended_at = NULL
        WHERE domain_id = ? AND (status IN ('open', 'done') OR status = 'failed' AND ? = 0)
          AND run_id IN (SELECT id FROM crawl_runs WHERE status = 'running')
        """,
        domain,
        linksAlone ? 1 : 0);
  }
}
