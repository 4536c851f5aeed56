package dev.comity.store.doctor;

import dev.comity.store.sql.Statements;

/**
 * A domain's last start is kept, for the delay after it. Only the requests of the newest claim in
 * the log are compared, and only if that claim, or the one after it, was not granted by a clock
 * that had been set back: then the last start is taken to be the moment of the claim.
 */
final class LastStart {
  private LastStart() {}

  static void examine(Statements sql, Examination.Notes notes) {
    sql.each(
        """
        WITH newest AS MATERIALIZED (
          SELECT domain_id, claim_token, max(started_at) AS last_start FROM crawl_log
          GROUP BY domain_id, claim_token HAVING claim_token = (
            SELECT max(t.claim_token) FROM crawl_log t WHERE t.domain_id = crawl_log.domain_id))
        SELECT d.domain, d.last_start_at, n.last_start
        FROM newest n JOIN domains d ON d.id = n.domain_id
        WHERE coalesce(d.last_start_at, 0) < n.last_start
          AND NOT EXISTS (SELECT 1 FROM transitions t WHERE t.domain_id = d.id
            AND t.door = 'claim' AND t.token > n.claim_token AND t.at < n.last_start)
        """,
        row ->
            notes.add(
                row.text("domain"),
                "its last start is kept as %s, the log has one at %s"
                    .formatted(
                        row.optionalTime("last_start_at").map(Object::toString).orElse("never"),
                        row.time("last_start"))));
  }
}
