package dev.comity.store.operate;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.url.DomainName;
import dev.comity.store.DataDirectory;
import dev.comity.store.OperatorSignal;
import dev.comity.store.crawl.Requeuing;
import dev.comity.store.crawl.Resetting;
import dev.comity.store.crawl.Resetting.StoredDomain;
import dev.comity.store.crawl.RunScope;
import dev.comity.store.sql.Readiness;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Transitions;
import dev.comity.store.sql.Transitions.StatusChange;
import java.time.Instant;
import java.util.Optional;

/**
 * Changes that people make to a domain, also while it is claimed. Each is one transaction that also
 * ends the claim: the holder's next write finds it lost and changes nothing.
 *
 * @param actor the name for the audit
 * @param policy the rules that a crawl in this directory follows
 */
public record Operator(DataDirectory directory, String actor, DomainPolicy policy)
    implements DomainOperator {

  /** An operator with the default rules. */
  public Operator(DataDirectory directory, String actor) {
    this(directory, actor, new DomainPolicy(PolicySettings.DEFAULTS));
  }

  /** What a change did. */
  public record OperatorResult(
      String domain, String before, Optional<String> endedClaimOf, long requeued) {}

  @Override
  public Optional<OperatorResult> reset(
      String domain, boolean all, Optional<String> reason, Instant now) {
    return act(
        now,
        sql -> {
          Optional<StoredDomain> row = Resetting.find(sql, domain);
          return row.isEmpty()
              ? Optional.empty()
              : Optional.of(reset(sql, row.get(), all, reason, now));
        });
  }

  private OperatorResult reset(
      Statements sql, StoredDomain row, boolean all, Optional<String> reason, Instant now) {
    long at = now.toEpochMilli();
    long requeued =
        new Resetting(sql, policy)
            .reset(row, all ? Requeuing.Which.ALL : Requeuing.Which.SEEDS, at);
    // A status that does not follow from the changes before it ends with a reset, too.
    String from = Transitions.reached(sql, row.id());
    Transitions.write(
        sql, row.id(), new StatusChange(from, "pending", "reset", reason.orElse(null)), at);
    String mended = row.stored().damage().isPresent() ? ", state rebuilt" : "";
    audit(sql, "domain-reset", row, reason, "requeued " + requeued + mended, now);
    return new OperatorResult(row.domain(), row.status(), row.holder(), requeued);
  }

  @Override
  public Optional<OperatorResult> block(String domain, String reason, Instant now) {
    return act(
        now,
        sql -> {
          Optional<StoredDomain> row = Resetting.find(sql, domain);
          return row.isEmpty() ? Optional.empty() : Optional.of(block(sql, row.get(), reason, now));
        });
  }

  private OperatorResult block(Statements sql, StoredDomain row, String reason, Instant now) {
    new Resetting(sql, policy).write(row.id(), policy.blocked(row.state()), now.toEpochMilli());
    sql.update(
        "UPDATE domains SET block_reason = ?, version = version + 1 WHERE id = ?",
        reason,
        row.id());
    StatusChange change = new StatusChange(row.status(), "blocked", "block", reason);
    Transitions.write(sql, row.id(), change, now.toEpochMilli());
    audit(sql, "domain-block", row, Optional.of(reason), "", now);
    return new OperatorResult(row.domain(), row.status(), row.holder(), 0);
  }

  @Override
  public Optional<OperatorResult> lift(String domain, Optional<String> template, Instant now) {
    return act(
        now,
        sql -> {
          Optional<StoredDomain> row = Resetting.find(sql, domain);
          Optional<Long> requeued =
              row.isEmpty()
                  ? Optional.empty()
                  : new Lifting(sql, sql, row.get().id(), domain).lift(template);
          if (requeued.isEmpty()) {
            return Optional.empty();
          }
          endClaim(sql, row.orElseThrow(), requeued.get() > 0, now.toEpochMilli());
          String detail = template.orElse("all") + ", requeued " + requeued.get();
          audit(sql, "trap-lift", row.orElseThrow(), Optional.empty(), detail, now);
          return Optional.of(
              new OperatorResult(domain, row.get().status(), row.get().holder(), requeued.get()));
        });
  }

  /** Ends the claim, so that the next holder reads what is known now. */
  private void endClaim(Statements sql, StoredDomain row, boolean hasWork, long now) {
    new Readiness(sql).returnInFlight(row.id());
    sql.update(
        """
        UPDATE domains SET unclean = max(unclean, claimed_by IS NOT NULL), claimed_by = NULL,
          claim_expires_at = NULL, version = version + 1, updated_at = ? WHERE id = ?
        """,
        now,
        row.id());
    if (hasWork && row.stored() instanceof Stored.Sound(var state)) {
      DomainState open = policy.arrival(state);
      sql.update(
          "UPDATE domains SET " + StateColumns.SET + " WHERE id = ?",
          StateColumns.values(open, now, row.id()));
      if (open.standing().status() != state.standing().status()) {
        StatusChange change =
            new StatusChange(row.status(), "pending", "arrival", "a trap was lifted");
        Transitions.write(sql, row.id(), change, now);
      }
    }
    new Readiness(sql).set(row.id());
  }

  /** Something an operator does, in a transaction. */
  @FunctionalInterface
  private interface Work {
    Optional<OperatorResult> on(Statements sql);
  }

  /**
   * In one transaction that waits for its turn before it reads, so that nothing changes between.
   * Whatever it opens, a run about other domains does not get it.
   */
  private Optional<OperatorResult> act(Instant now, Work work) {
    Schema.require(directory);
    // Closing a connection undoes what was not committed.
    try (Statements sql = new Statements(directory.writing())) {
      RunScope run = begun(sql);
      Optional<OperatorResult> done = work.on(sql);
      if (done.isPresent() && !run.takes(new DomainName(done.get().domain()))) {
        run.leaveOut(new DomainName(done.get().domain()), now.toEpochMilli());
      }
      OperatorSignal.of(directory).raise();
      sql.execute("COMMIT");
      return done;
    }
  }

  /** Begins the transaction, with the run that goes on then. */
  private static RunScope begun(Statements sql) {
    RunScope run = new RunScope(sql);
    while (true) {
      run.look();
      sql.execute("BEGIN IMMEDIATE");
      if (run.isCurrent()) {
        return run;
      }
      sql.execute("ROLLBACK");
    }
  }

  private void audit(
      Statements sql,
      String action,
      StoredDomain row,
      Optional<String> reason,
      String detail,
      Instant now) {
    sql.update(
        "INSERT INTO audit (at, actor, action, subject, reason, detail)"
            + " VALUES (?, ?, ?, ?, ?, ?)",
        now.toEpochMilli(),
        actor,
        action,
        row.domain(),
        reason.orElse(null),
        detail);
  }
}
