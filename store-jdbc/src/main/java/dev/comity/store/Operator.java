package dev.comity.store;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Lifecycle.Door;
import dev.comity.core.policy.PolicySettings;
import dev.comity.core.url.DomainName;
import dev.comity.store.Transitions.Step;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
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

  /** What an operator's hand came to. */
  public record Done(String domain, String before, Optional<String> endedClaimOf, long requeued) {}

  /**
   * Gives a domain a fresh start: pending, with nothing held against it, its seeds queued again.
   * What kind of address its seeds had is forgotten, and that they were named.
   *
   * @param all whether every URL that is known is queued again
   * @return empty if there is no such domain
   */
  public Optional<Done> reset(String domain, boolean all, Optional<String> reason, Instant now) {
    return act(
        now,
        connection ->
            found(connection, domain)
                .map(
                    row -> {
                      long requeued = requeue(connection, row.id(), all);
                      forgetAddresses(connection, row.id());
                      DomainState open = POLICY.reset(row.state(), now);
                      write(connection, row, open, step(row, open, Door.RESET, reason), now);
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
        now,
        connection ->
            found(connection, domain)
                .map(
                    row -> {
                      DomainState closed = POLICY.blocked(row.state());
                      Step step = step(row, closed, Door.BLOCK, Optional.of(reason));
                      write(connection, row, closed, step, now);
                      Query.of("UPDATE domains SET block_reason = ? WHERE id = ?", reason, row.id())
                          .change(connection);
                      audit(connection, "domain-block", row, Optional.of(reason), "", now);
                      return new Done(domain, row.status(), row.holder(), 0);
                    }));
  }

  /**
   * Says that templates are no traps, so that their URLs are asked again.
   *
   * @param template one of them; none: all that are suppressed
   * @return empty if there is no such domain or no such template
   */
  public Optional<Done> lift(String domain, Optional<String> template, Instant now) {
    return act(
        now,
        connection ->
            found(connection, domain)
                .flatMap(
                    row ->
                        new Lifting(connection, row.id(), domain)
                            .lift(template)
                            .map(
                                requeued -> {
                                  endClaim(connection, row, requeued > 0, now);
                                  String detail = template.orElse("all") + ", requeued " + requeued;
                                  audit(
                                      connection, "trap-lift", row, Optional.empty(), detail, now);
                                  return new Done(domain, row.status(), row.holder(), requeued);
                                })));
  }

  /** Whoever holds it loses it, so that the next holder reads what is known now. */
  private static void endClaim(Connection connection, Row row, boolean hasWork, Instant now) {
    DomainState state = hasWork ? POLICY.arrival(row.state()) : row.state();
    returnInFlight(connection, row);
    Statements sql = new Statements(connection);
    try {
      sql.update(
          "UPDATE domains SET "
              + StateColumns.SET
              + ", unclean = max(unclean, claimed_by IS NOT NULL), claimed_by = NULL,"
              + " claim_expires_at = NULL WHERE id = ?",
          StateColumns.values(state, now.toEpochMilli(), row.id()));
      new Readiness(sql).set(row.id());
      if (state.standing().status() != row.state().standing().status()) {
        Transitions.write(
            sql,
            row.id(),
            step(row, state, Door.ARRIVAL, Optional.of("a trap was lifted")),
            now.toEpochMilli());
      }
    } catch (SQLException failed) {
      throw Query.unusable(failed);
    }
  }

  /** What is in flight will not be settled by a holder that is none. Deaths are remembered. */
  private static void returnInFlight(Connection connection, Row row) {
    Query.of("DELETE FROM in_flight WHERE domain_id = ? AND deaths = 0", row.id())
        .change(connection);
    Query.of("UPDATE in_flight SET taken = 0 WHERE domain_id = ?", row.id()).change(connection);
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
   * Whatever it opens, a run about other domains does not get it.
   */
  private Optional<Done> act(Instant now, Function<Connection, Optional<Done>> work) {
    Schema.require(directory);
    Connection connection = directory.writing();
    try {
      OpenRun run = begun(connection);
      // Closing a connection takes back what was not committed.
      Optional<Done> done = work.apply(connection);
      if (done.isPresent() && !run.takes(new DomainName(done.get().domain()))) {
        run.leaveOut(new DomainName(done.get().domain()), now.toEpochMilli());
      }
      Query.run(connection, "COMMIT");
      return done;
    } catch (SQLException failed) {
      throw Query.unusable(failed);
    } finally {
      Query.close(connection);
    }
  }

  /** Begins the transaction, with the run that goes on then. */
  private static OpenRun begun(Connection connection) throws SQLException {
    OpenRun run = new OpenRun(new Statements(connection));
    while (true) {
      run.look();
      Query.run(connection, "BEGIN IMMEDIATE");
      if (run.isKnown()) {
        return run;
      }
      Query.run(connection, "ROLLBACK");
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
      Connection connection, Row row, DomainState state, Step step, Instant now) {
    returnInFlight(connection, row);
    Statements sql = new Statements(connection);
    try {
      sql.update(
          "UPDATE domains SET "
              + StateColumns.SET
              + ", unclean = max(unclean, claimed_by IS NOT NULL), claimed_by = NULL,"
              + " claim_expires_at = NULL, claimable_at = ? WHERE id = ?",
          StateColumns.values(
              state, now.toEpochMilli(), state.standing().mayBeAsked() ? 0 : null, row.id()));
      // A run that has had its share may have more of it; one about other domains may not.
      sql.update(
          """
          UPDATE domains SET spent_run_id = NULL WHERE id = ? AND EXISTS
            (SELECT 1 FROM jobs WHERE domain_id = domains.id AND run_id = spent_run_id)
          """,
          row.id());
      sql.update(
          "UPDATE domains SET claimable_at = NULL WHERE id = ? AND spent_run_id IS NOT NULL",
          row.id());
      Transitions.write(sql, row.id(), step, now.toEpochMilli());
    } catch (SQLException failed) {
      throw Query.unusable(failed);
    }
  }

  private static long requeue(Connection connection, long domain, boolean all) {
    try {
      return new Requeuing(new Statements(connection), domain)
          .requeue(all ? Requeuing.Which.ALL : Requeuing.Which.SEEDS);
    } catch (SQLException failed) {
      throw Query.unusable(failed);
    }
  }

  private static void forgetAddresses(Connection connection, long domain) {
    try {
      new SeedAddresses(new Statements(connection)).forget(domain);
    } catch (SQLException failed) {
      throw Query.unusable(failed);
    }
  }

  private static Step step(Row row, DomainState state, Door door, Optional<String> reason) {
    return new Step(
        row.status(),
        StateColumns.status(state.standing().status()),
        StateColumns.lower(door.name()),
        reason.orElse(null));
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
