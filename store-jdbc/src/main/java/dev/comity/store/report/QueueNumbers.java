package dev.comity.store.report;

import dev.comity.store.report.QueueRecord.Urls;
import dev.comity.store.report.QueueRecord.WorkerClaims;
import dev.comity.store.sql.Statements;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the queues. It adds up the domains' counters; only deferred URLs are counted in the
 * frontier, by an index of just those rows.
 */
final class QueueNumbers {
  private final Statements sql;
  private final long now;

  /** SQL: whether claims and URLs in flight belong to a crawl that runs. */
  private final String live;

  /**
   * @param crawled whether a crawl is at work: otherwise claims and what is in flight were left by
   *     a process that is gone
   */
  QueueNumbers(Statements sql, Instant now, boolean crawled) {
    this.sql = sql;
    live = crawled ? "1 = 1" : "1 = 0";
    this.now = now.toEpochMilli();
  }

  QueueRecord inAll() {
    Urls urls =
        sql.first(
                """
                SELECT NULL AS domain,
                  sum(d.frontier_size + d.frontier_elsewhere) + (SELECT coalesce(sum(discovered), 0) FROM arrivals)
                    AS unfinished,
                  sum(d.urls_over_cap) + (SELECT coalesce(sum(over_cap), 0) FROM arrivals) AS over_cap,
                  (SELECT count(*) FROM domain_frontier
                    WHERE state = 0 AND due_at IS NOT NULL AND due_at > ?) AS deferred,
                  (SELECT min(due_at) FROM domain_frontier
                    WHERE state = 0 AND due_at IS NOT NULL AND due_at > ?) AS first_due,
                  (SELECT count(*) FROM in_flight WHERE ${taken} AND %s) AS in_flight,
                  sum(d.urls_done) AS urls_done, sum(d.urls_failed) AS urls_failed,
                  (SELECT count(*) FROM refusals r JOIN domain_frontier f ON f.id = r.url_id
                    WHERE f.state = 3) AS urls_refused,
                  sum(d.urls_denied) AS urls_denied, sum(d.urls_set_aside) AS urls_set_aside,
                  sum(d.urls_suppressed) AS urls_suppressed,
                  sum(d.urls_skipped) + (SELECT coalesce(sum(skipped), 0) FROM arrivals)
                    AS urls_skipped
                FROM domains d
                """
                    .formatted(live),
                Urls::read,
                now,
                now)
            .orElseThrow();
    return new QueueRecord(urls, claims(), expired(), waiting());
  }

  List<Urls> byDomain(int limit) {
    return perDomain("ORDER BY frontier_size + frontier_elsewhere DESC, domain LIMIT ?", limit);
  }

  Urls of(long domain) {
    return perDomain("WHERE id = ?", domain).getFirst();
  }

  private List<Urls> perDomain(String which, long parameter) {
    return sql.list(
        """
        SELECT d.domain,
          d.frontier_size + d.frontier_elsewhere + coalesce((SELECT sum(a.discovered)
            FROM arrivals a WHERE a.domain_id = d.id), 0) AS unfinished,
          d.urls_over_cap + coalesce((SELECT sum(a.over_cap)
            FROM arrivals a WHERE a.domain_id = d.id), 0) AS over_cap,
          (SELECT count(*) FROM domain_frontier f WHERE f.domain_id = d.id
            AND f.state = 0 AND f.due_at IS NOT NULL AND f.due_at > ?) AS deferred,
          (SELECT min(f.due_at) FROM domain_frontier f WHERE f.domain_id = d.id
            AND f.state = 0 AND f.due_at IS NOT NULL AND f.due_at > ?) AS first_due,
          (SELECT count(*) FROM in_flight i WHERE i.domain_id = d.id AND ${taken} AND %s)
            AS in_flight,
          (SELECT count(*) FROM refusals r JOIN domain_frontier f ON f.id = r.url_id
            WHERE r.domain_id = d.id AND f.state = 3) AS urls_refused,
          d.urls_done, d.urls_failed, d.urls_denied, d.urls_set_aside, d.urls_suppressed,
          d.urls_skipped + coalesce((SELECT sum(a.skipped)
            FROM arrivals a WHERE a.domain_id = d.id), 0) AS urls_skipped
        FROM (SELECT * FROM domains
        """
                .formatted(live)
            + which
            + ") d",
        Urls::read,
        now,
        now,
        parameter);
  }

  private List<WorkerClaims> claims() {
    return sql.list(
        """
        SELECT claimed_by, count(*) AS n, min(claim_expires_at) AS earliest FROM domains
        WHERE claimed_by IS NOT NULL AND %s
        GROUP BY claimed_by ORDER BY n DESC, claimed_by LIMIT 1000
        """
            .formatted(live),
        row -> new WorkerClaims(row.text("claimed_by"), row.number("n"), row.time("earliest")));
  }

  private long expired() {
    return sql.number(
        "SELECT count(*) AS n FROM domains WHERE claimed_by IS NOT NULL AND NOT " + live);
  }

  private Map<String, Long> waiting() {
    Map<String, Long> counts = new TreeMap<>();
    sql.each(
        """
        SELECT status, count(*) AS n FROM domains
        WHERE status IN ('pending', 'active')
          AND NOT (claimed_by IS NOT NULL AND %s)
        GROUP BY status
        """
            .formatted(live),
        row -> counts.put(row.text("status"), row.number("n")));
    return counts;
  }
}
