package dev.comity.store.doctor;

import dev.comity.store.SqlDialect;
import dev.comity.store.sql.Statements;

/**
 * Requests to one domain keep their distance.
 *
 * <p>One claim has one clock, and so has a worker on a server. Between two claims the clock may
 * have been set back: then the later one was granted before the last start of the earlier, and
 * their distance says nothing.
 */
final class SpacingCheck {
  private static final long ROUNDING_MILLIS = 2;

  /**
   * So much may two workers' clocks be off: a worker's first round trip takes two seconds at most.
   */
  private static final long OF_ANOTHER_CLOCK_MILLIS = 1_000;

  static Check check() {
    return new Check(
        "spacing",
        4,
        "requests to one domain start at least the delay apart that is in force",
        Check.HISTORY,
        SpacingCheck::examine);
  }

  private static void examine(Statements sql, Examination.Findings findings) {
    sql.each(
        """
        WITH starts AS (
          SELECT id, domain_id, claim_token, started_at, delay_ms,
            lag(id) OVER one AS before, lag(started_at) OVER one AS started_before,
            lag(claim_token) OVER one AS token_before
          FROM crawl_log
          WINDOW one AS (PARTITION BY domain_id ORDER BY claim_token, started_at, id))
        SELECT d.domain, s.id, s.before, s.started_at - s.started_before AS gap, s.delay_ms
        FROM starts s JOIN domains d ON d.id = s.domain_id
        WHERE s.started_at - s.started_before < s.delay_ms - 2
          AND (s.claim_token = s.token_before OR EXISTS (
            SELECT 1 FROM transitions t WHERE t.domain_id = s.domain_id AND t.door = 'claim'
              AND t.token = s.claim_token AND t.at >= s.started_before
              AND (t.reason IS NULL OR s.started_at - s.started_before < s.delay_ms - ?)))
        """,
        row ->
            findings.add(
                row.text("domain"),
                "log rows %d and %d started %d ms apart, the delay was %d ms"
                    .formatted(
                        row.number("before"),
                        row.number("id"),
                        row.number("gap"),
                        row.number("delay_ms"))),
        sql.dialect() == SqlDialect.POSTGRES ? OF_ANOTHER_CLOCK_MILLIS : ROUNDING_MILLIS);
  }
}
