package dev.comity.store.doctor;

import dev.comity.store.SqlDialect;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;

/** One live claim per domain at most, and tokens that only grow. */
final class ClaimsCheck {
  private static final String SEEN_SINCE =
      """
      SELECT d.domain, d.claim_expires_at AS at, 'its worker was seen since' AS since
      FROM domains d
      JOIN workers w ON w.id = d.claimed_by AND w.last_seen_at > d.claim_expires_at + 60000
      """;

  /**
   * Whoever claims ends expired claims first, some hundreds at a time. After an outage there may be
   * thousands, so only claims that went on for a minute show that none ends this one.
   */
  private static final String LEFT_BY_SWEEPS =
      """
      WITH expired AS MATERIALIZED (
          SELECT domain, claim_expires_at FROM domains
          WHERE claimed_by IS NOT NULL AND claim_expires_at < comity_millis()),
        grants AS MATERIALIZED (
          SELECT at FROM transitions WHERE door = 'claim'
            AND at > (SELECT min(claim_expires_at) FROM expired))
      SELECT e.domain, e.claim_expires_at AS at, 'others were claimed since' AS since
      FROM expired e
      WHERE (SELECT max(g.at) - min(g.at) FROM grants g WHERE g.at > e.claim_expires_at) > 60000
      """;

  static Check check() {
    return new Check(
        "claims",
        1,
        "a domain has one claim at most, and each has a higher token than the one before",
        Check.NEXT_CRAWL,
        ClaimsCheck::examine);
  }

  private static void examine(Statements sql, Examination.Findings findings) {
    sql.each(
        """
        WITH grants AS (
          SELECT id, domain_id, token,
            lag(token) OVER (PARTITION BY domain_id ORDER BY id) AS before
          FROM transitions WHERE door = 'claim')
        SELECT d.domain, g.id, g.token, g.before
        FROM grants g JOIN domains d ON d.id = g.domain_id
        WHERE g.before >= g.token
        """,
        row ->
            findings.add(
                row.text("domain"),
                "transition %d grants token %d after %d was granted"
                    .formatted(row.number("id"), row.number("token"), row.number("before"))));
    newest(sql, findings);
    logged(sql, findings);
    holders(sql, findings);
  }

  /** No effect bears a token that was not granted, or one older than an effect before it has. */
  private static void logged(Statements sql, Examination.Findings findings) {
    sql.each(
        """
        WITH logged AS (
          SELECT id, domain_id, claim_token AS token,
            max(claim_token) OVER (PARTITION BY domain_id ORDER BY id
              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
          FROM crawl_log)
        SELECT d.domain, l.id, l.token, l.before, d.claim_token
        FROM logged l JOIN domains d ON d.id = l.domain_id
        WHERE l.token < l.before OR l.token > d.claim_token OR l.token < 1
        """,
        row ->
            findings.add(
                row.text("domain"),
                row.number("token") > row.number("claim_token")
                    ? "log row %d bears token %d, the last one granted is %d"
                        .formatted(row.number("id"), row.number("token"), row.number("claim_token"))
                    : "log row %d bears token %d after %d was used"
                        .formatted(row.number("id"), row.number("token"), row.number("before")),
                Check.HISTORY));
  }

  /**
   * The holder of a claim is a worker that has not ended, and only held domains have URLs in
   * flight.
   */
  private static void holders(Statements sql, Examination.Findings findings) {
    sql.each(
        """
        SELECT d.domain, d.claimed_by, w.id IS NULL AS unknown FROM domains d
        LEFT JOIN workers w ON w.id = d.claimed_by
        WHERE (w.id IS NULL OR w.ended_at IS NOT NULL) AND d.claimed_by = (
          SELECT t.worker FROM transitions t WHERE t.domain_id = d.id AND t.door = 'claim'
          ORDER BY t.id DESC LIMIT 1)
        """,
        row ->
            findings.add(
                row.text("domain"),
                "it is claimed by %s, %s"
                    .formatted(
                        row.text("claimed_by"),
                        row.isSet("unknown") ? "which is no worker" : "which has ended")));
    sql.each(
        sql.dialect() == SqlDialect.POSTGRES ? LEFT_BY_SWEEPS : SEEN_SINCE,
        row ->
            findings.add(
                row.text("domain"),
                "its claim ran out at %s, and %s".formatted(row.time("at"), row.text("since"))));
    sql.each(
        "SELECT domain FROM domains WHERE claimed_by IS NULL AND claim_expires_at IS NOT NULL",
        row -> findings.add(row.text("domain"), "it has the end of a claim, and no holder"));
    sql.each(
        """
        SELECT d.domain, count(*) AS n,
          CASE WHEN d.claimed_by IS NULL THEN 'it is not claimed'
            ELSE 'not with the worker that holds it' END AS whose
        FROM in_flight i JOIN domains d ON d.id = i.domain_id WHERE ${left behind} GROUP BY d.id
        """,
        row ->
            findings.add(
                row.text("domain"),
                "%d URLs are in flight, and %s".formatted(row.number("n"), row.text("whose"))));
  }

  /** The last claim's row and the domain's row speak of the same claim. */
  private static void newest(Statements sql, Examination.Findings findings) {
    sql.each(
        """
        WITH newest AS (
          SELECT domain_id, max(id) AS id FROM transitions WHERE door = 'claim'
          GROUP BY domain_id)
        SELECT d.domain, d.claim_token, coalesce(t.token, 0) AS granted,
          d.claimed_by, t.worker, d.claim_expires_at
        FROM domains d
        LEFT JOIN newest n ON n.domain_id = d.id
        LEFT JOIN transitions t ON t.id = n.id
        WHERE d.claim_token <> coalesce(t.token, 0)
          OR (d.claimed_by IS NOT NULL
            AND (d.claim_expires_at IS NULL OR d.claimed_by ${other than} t.worker))
        """,
        row -> findings.add(row.text("domain"), contradiction(row)));
  }

  private static String contradiction(ResultRow row) {
    long token = row.number("claim_token");
    long granted = row.number("granted");
    if (token != granted) {
      return "its token is %d, the last one granted %d".formatted(token, granted);
    }
    if (row.optionalNumber("claim_expires_at").isEmpty()) {
      return "it is claimed by " + row.text("claimed_by") + " without an end";
    }
    return "it is claimed by %s, token %d was granted to %s"
        .formatted(
            row.text("claimed_by"), token, row.optionalText("worker").orElse("an unnamed worker"));
  }
}
