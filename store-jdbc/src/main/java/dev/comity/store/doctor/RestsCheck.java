package dev.comity.store.doctor;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Turn;
import dev.comity.store.sql.DomainStateJson;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import java.time.Instant;
import java.util.Optional;

/** Rests and cooldowns are kept. */
final class RestsCheck {
  /** A request may have been on its way out when the answer came that closed the domain. */
  private static final long ON_ITS_WAY_MILLIS = 5_000;

  static Check check() {
    return new Check(
        "rests",
        7,
        "nothing is asked of a domain while it rests or is closed",
        Check.HISTORY,
        RestsCheck::examine);
  }

  private static void examine(Statements sql, Examination.Findings findings) {
    closed(sql, findings);
    sql.each(
        """
        SELECT id, domain, claim_token, policy_state FROM domains
        WHERE policy_state LIKE '%"last_refusal"%' AND policy_state LIKE '%"rest_until"%'
        """,
        row -> resting(sql, row, findings));
  }

  /** Under the claim that closed it nothing more is asked, unless it was our own outage. */
  private static void closed(Statements sql, Examination.Findings findings) {
    sql.each(
        """
        SELECT d.domain, t.id AS transition, t.to_status, l.id FROM transitions t
        JOIN domains d ON d.id = t.domain_id
        JOIN crawl_log l ON l.domain_id = t.domain_id AND l.claim_token = t.token
          AND l.started_at > t.at + ?
        WHERE t.door = 'holder' AND t.to_status IN ('blocked', 'unreachable')
          AND NOT EXISTS (SELECT 1 FROM transitions b WHERE b.domain_id = t.domain_id
            AND b.id > t.id AND b.door IN ('take_back', 'reset') AND b.token = t.token)
        """,
        row ->
            findings.add(
                row.text("domain"),
                "log row %d started after transition %d had made it %s"
                    .formatted(row.number("id"), row.number("transition"), row.text("to_status"))),
        ON_ITS_WAY_MILLIS);
  }

  /** Only requests of the present claim: its clock is the one that stamped the refusal. */
  private static void resting(Statements sql, ResultRow domain, Examination.Findings findings) {
    Optional<DomainState> state =
        Stored.of("", () -> DomainStateJson.decode(domain.text("policy_state"))).value();
    if (state.isEmpty() || !isRefused(state.get().slots().why())) {
      return;
    }
    Instant until = state.get().slots().restUntil();
    sql.each(
        "SELECT id FROM crawl_log WHERE domain_id = ? AND claim_token = ?"
            + " AND started_at > ? AND started_at < ?",
        row ->
            findings.add(
                domain.text("domain"),
                "log row %d started while it rested until %s".formatted(row.number("id"), until)),
        domain.number("id"),
        domain.number("claim_token"),
        state.get().learning().lastRefusal().toEpochMilli() + ON_ITS_WAY_MILLIS,
        until.toEpochMilli() - 2);
  }

  private static boolean isRefused(Turn.Why why) {
    return why == Turn.Why.REFUSED || why == Turn.Why.RETRY_AFTER;
  }
}
