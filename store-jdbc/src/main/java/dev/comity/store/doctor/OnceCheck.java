package dev.comity.store.doctor;

import dev.comity.store.sql.Statements;

/**
 * No URL is fetched with success twice in one run.
 *
 * <p>A second success is allowed for a refresh. It is also allowed under another claim after a
 * reset, or after a worker that ended unclean. Under one claim it never is. Tokens show the order,
 * whatever the clock did; where transitions were pruned, times show it.
 */
final class OnceCheck {
  /** The index alone tells which URLs were asked more than once; those are few. */
  private static final String TWICE =
      """
      WITH asked_again AS MATERIALIZED (
        SELECT url_id, run_id FROM crawl_log WHERE url_id IS NOT NULL
        GROUP BY url_id, run_id HAVING count(*) > 1),
      fetched AS (
        SELECT l.domain_id, l.url_id, l.run_id, l.id, l.claim_token, l.type, l.started_at,
          lag(l.id) OVER one AS before, lag(l.claim_token) OVER one AS token_before,
          lag(l.started_at) OVER one AS started_before
        FROM asked_again a
        JOIN crawl_log l ON l.url_id = a.url_id AND l.run_id = a.run_id
        WHERE l.fate = 'done' AND l.kind <> 'links'
        WINDOW one AS (PARTITION BY l.url_id, l.run_id ORDER BY l.id))
      SELECT d.domain, f.run_id, f.before, f.id, f.token_before, f.claim_token,
        (SELECT u.url FROM urls u WHERE u.id = f.url_id) AS url
      FROM fetched f JOIN domains d ON d.id = f.domain_id
      WHERE f.before IS NOT NULL AND f.type <> 'refresh'
        AND (f.claim_token = f.token_before OR NOT (
          EXISTS (SELECT 1 FROM transitions t WHERE t.domain_id = f.domain_id
            AND (t.door = 'reset' AND t.token >= f.token_before AND t.token < f.claim_token
              OR t.reason = 'taken over'
                AND t.token > f.token_before AND t.token <= f.claim_token))
          OR EXISTS (SELECT 1 FROM audit a WHERE a.action = 'domain-reset' AND a.subject = d.domain
            AND a.at BETWEEN f.started_before AND f.started_at)
          OR EXISTS (SELECT 1 FROM workers w WHERE w.unclean = 1
            AND w.started_at <= f.started_at AND w.last_seen_at >= f.started_before)))
      """;

  static Check check() {
    return new Check(
        "once",
        12,
        "a URL is fetched with success once in a run, unless a crash or a reset lies between;"
            + " requests for links alone do not count",
        Check.HISTORY,
        OnceCheck::examine);
  }

  private static void examine(Statements sql, Examination.Findings findings) {
    sql.each(
        TWICE,
        row ->
            findings.add(
                row.text("domain"),
                "run %d has %s twice with success: log rows %d (token %d) and %d (token %d)"
                    .formatted(
                        row.number("run_id"),
                        row.text("url"),
                        row.number("before"),
                        row.number("token_before"),
                        row.number("id"),
                        row.number("claim_token"))));
  }
}
