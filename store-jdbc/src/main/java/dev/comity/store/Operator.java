package dev.comity.store;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Learning;
import dev.comity.core.policy.Lifecycle.Door;
import dev.comity.core.policy.PolicySettings;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * What people may do to a domain, whoever holds it. Each of it is one transaction that also ends
 * the claim: the holder's next write finds it lost and changes nothing.
 *
 * @param actor who does it, for the audit
 */
public record Operator(DataDirectory directory, String actor) {
  private static final DomainPolicy POLICY = new DomainPolicy(PolicySettings.DEFAULTS);

  /**
   * Where the order of a frontier keeps that a URL was tried before; {@link Requeuing} clears it.
   */
  static final int TRIED = 1 << 30;

  /** What an operator's hand came to. */
  public record Done(String domain, String before, Optional<String> endedClaimOf, long requeued) {}

  /**
   * Gives a domain a fresh start: pending, with nothing held against it, its seeds queued again.
   *
   * @param all whether every URL that is known is queued again
   * @return empty if there is no such domain
   */
  public Optional<Done> reset(String domain, boolean all, Optional<String> reason, Instant now) {
    return act(
        connection ->
            found(connection, domain)
                .map(
                    row -> {
                      long requeued = new Requeuing(connection, row.id()).requeue(all);
                      write(connection, row, POLICY.reset(row.state(), now), "0", now);
                      Query.of(
                              """
                              UPDATE domains SET claim_class = 1, consecutive_error_count = 0,
                                spent_run_id = NULL, block_reason = NULL, block_reason_code = NULL
                              WHERE id = ?
                              """,
                              row.id())
                          .change(connection);
                      record(connection, row, Door.RESET, reason, now);
                      audit(connection, "domain-reset", row, reason, "requeued " + requeued, now);
                      return new Done(domain, row.status(), row.holder(), requeued);
                    }));
  }

  /**
   * Closes a domain until somebody resets it.
   *
   * @return empty if there is no such domain
   */
  public Optional<Done> block(String domain, String reason, Instant now) {
    return act(
        connection ->
            found(connection, domain)
                .map(
                    row -> {
                      write(connection, row, POLICY.blocked(row.state()), "NULL", now);
                      Query.of(
                              """
                              UPDATE domains SET block_reason = ?, block_reason_code = 'operator',
                                first_blocked_at = coalesce(first_blocked_at, ?)
                              WHERE id = ?
                              """,
                              reason,
                              now.toEpochMilli(),
                              row.id())
                          .change(connection);
                      record(connection, row, Door.BLOCK, Optional.of(reason), now);
                      audit(connection, "domain-block", row, Optional.of(reason), "", now);
                      return new Done(domain, row.status(), row.holder(), 0);
                    }));
  }

  private record Row(
      long id,
      String domain,
      String status,
      Optional<String> holder,
      long token,
      DomainState state) {}

  /**
   * In one transaction that waits for its turn before it reads, so that nothing changes between.
   */
  private Optional<Done> act(Function<Connection, Optional<Done>> work) {
    Schema.require(directory);
    Connection connection = directory.writing();
    try {
      Query.run(connection, "BEGIN IMMEDIATE");
      // Closing a connection takes back what was not committed.
      Optional<Done> done = work.apply(connection);
      Query.run(connection, "COMMIT");
      return done;
    } finally {
      Query.close(connection);
    }
  }

  private static Optional<Row> found(Connection connection, String domain) {
    return Query.of(
            "SELECT id, status, claimed_by, claim_token, policy_state FROM domains"
                + " WHERE domain = ?",
            domain)
        .first(
            connection,
            row ->
                new Row(
                    row.number("id"),
                    domain,
                    row.text("status"),
                    row.optionalText("claimed_by"),
                    row.number("claim_token"),
                    DomainStateJson.decode(row.text("policy_state"))));
  }

  /**
   * Writes what both doors change. Whoever held the domain did not give it back: requests may be
   * under way that nobody will record, so the next holder waits a full delay.
   */
  private static void write(
      Connection connection, Row row, DomainState state, String claimableAt, Instant now) {
    Learning learning = state.learning();
    Query.of(
            """
            UPDATE domains SET status = ?, policy_state = ?, next_crawl_after = NULL,
              cooldown_count = ?, unclean = max(unclean, claimed_by IS NOT NULL),
              claimed_by = NULL, claim_expires_at = NULL, claimable_at = %s,
              crawl_delay_ms = ?, adaptive_delay_ms = ?, adaptive_delay_floor_ms = ?,
              refused_delay_ms = ?, success_streak = ?, refusal_streak = ?,
              version = version + 1, updated_at = ?
            WHERE id = ?
            """
                .formatted(claimableAt),
            state.standing().status().name().toLowerCase(Locale.ROOT),
            DomainStateJson.encode(state),
            state.standing().setbacks(),
            state.limits().crawlDelay().toMillis(),
            learning.learned().toMillis(),
            learning.floor().map(Duration::toMillis),
            learning.refused().map(Duration::toMillis),
            learning.row(),
            learning.refusalsInARow(),
            now.toEpochMilli(),
            row.id())
        .change(connection);
    // What is in flight will not be settled by a holder that is none. Deaths are remembered.
    Query.of("DELETE FROM in_flight WHERE domain_id = ? AND deaths = 0", row.id())
        .change(connection);
    Query.of("UPDATE in_flight SET taken = 0 WHERE domain_id = ?", row.id()).change(connection);
  }

  private void record(
      Connection connection, Row row, Door door, Optional<String> reason, Instant now) {
    Query.of(
            """
            INSERT INTO transitions (domain_id, token, from_status, to_status, door, reason, worker, at)
            SELECT id, claim_token, ?, status, ?, ?, ?, ? FROM domains WHERE id = ?
            """,
            row.status(),
            door.name().toLowerCase(Locale.ROOT),
            reason,
            actor,
            now.toEpochMilli(),
            row.id())
        .change(connection);
  }

  private void audit(
      Connection connection,
      String action,
      Row row,
      Optional<String> reason,
      String detail,
      Instant now) {
    Query.of(
            "INSERT INTO audit (at, actor, action, subject, reason, detail)"
                + " VALUES (?, ?, ?, ?, ?, ?)",
            now.toEpochMilli(),
            actor,
            action,
            row.domain(),
            reason,
            detail)
        .change(connection);
  }
}
