package dev.comity.store.postgres;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.DomainName;
import dev.comity.store.crawl.Requeuing;
import dev.comity.store.operate.DomainOperator;
import dev.comity.store.operate.Lifting;
import dev.comity.store.operate.Operator.OperatorResult;
import dev.comity.store.order.Priorities;
import dev.comity.store.postgres.connect.AuditSignal;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.rows.DomainReadiness;
import dev.comity.store.postgres.rows.PostgresReports;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.TermsColumns;
import dev.comity.store.sql.Transitions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What operators do with a database, beside any number of workers. Each call is a transaction on a
 * connection of its own.
 *
 * @param actor the name for the audit
 * @param limits of the workers
 */
public record PostgresOperations(PostgresDatabase database, String actor, StoreLimits limits)
    implements Operations, DomainOperator {
  private static final String TERMS_OF = "SELECT id, domain, " + TermsColumns.NAMES;

  private static final String CLAIMS =
      """
      SELECT d.domain, d.claimed_by, d.claim_token, d.last_crawled_at, d.claim_expires_at
      FROM domains d WHERE d.claimed_by IS NOT NULL
      """;

  private record Row(long id, DomainName domain, OperatorTerms terms) {
    static Row of(ResultRow row) {
      return new Row(row.getLong(1), new DomainName(row.getString(2)), TermsColumns.read(row, 3));
    }
  }

  private <T> T inTransaction(Function<PostgresSession, T> work) {
    T result = database.inTransaction(work);
    AuditSignal.raise(database);
    return result;
  }

  @Override
  public Optional<OperatorTerms> terms(DomainName domain) {
    return inTransaction(
        tx ->
            tx.sql
                .first(TERMS_OF + " FROM domains WHERE domain = ?", Row::of, domain.name())
                .map(Row::terms));
  }

  @Override
  public Optional<TermsChange> setTerms(DomainName domain, UnaryOperator<OperatorTerms> change) {
    return inTransaction(
        tx ->
            tx.sql
                .first(
                    TERMS_OF + " FROM domains WHERE domain = ? FOR NO KEY UPDATE",
                    Row::of,
                    domain.name())
                .map(row -> set(tx, row, change)));
  }

  @Override
  public List<TermsChange> setTerms(DomainStatus status, UnaryOperator<OperatorTerms> change) {
    return inTransaction(
        tx ->
            tx
                .sql
                .list(
                    TERMS_OF + " FROM domains WHERE status = ? ORDER BY id FOR NO KEY UPDATE",
                    Row::of,
                    StateColumns.status(status))
                .stream()
                .filter(row -> !change.apply(row.terms()).equals(row.terms()))
                .map(row -> set(tx, row, change))
                .toList());
  }

  @Override
  public List<TermsChange> wouldSet(DomainStatus status, UnaryOperator<OperatorTerms> change) {
    return inTransaction(
        tx ->
            tx
                .sql
                .list(
                    TERMS_OF + " FROM domains WHERE status = ? ORDER BY domain",
                    Row::of,
                    StateColumns.status(status))
                .stream()
                .map(row -> new TermsChange(row.domain(), row.terms(), change.apply(row.terms())))
                .filter(one -> !one.before().equals(one.after()))
                .toList());
  }

  private TermsChange set(PostgresSession tx, Row row, UnaryOperator<OperatorTerms> change) {
    OperatorTerms after = change.apply(row.terms());
    if (after.equals(row.terms())) {
      return new TermsChange(row.domain(), after, after);
    }
    tx.sql.update(
        "UPDATE domains SET " + TermsColumns.SET + ", version = version + 1 WHERE id = ?",
        TermsColumns.values(after, row.id()));
    if (!after.maxPages().equals(row.terms().maxPages())) {
      openAgain(tx, row.id());
    }
    forgetLimits(tx, row, after);
    DomainReadiness.set(tx, List.of(row.id()));
    audit(tx, "domain-set", row.domain(), TermsColumns.words(row.terms(), after));
    return new TermsChange(row.domain(), row.terms(), after);
  }

  /** Removes limits from a domain's state that the operator takes back. */
  private static void forgetLimits(PostgresSession tx, Row row, OperatorTerms after) {
    boolean minimum = row.terms().minimum().isPresent() && after.minimum().isEmpty();
    boolean concurrency = row.terms().concurrency().isPresent() && after.concurrency().isEmpty();
    if (!minimum && !concurrency) {
      return;
    }
    state(tx, row.id(), row.domain().name())
        .ifPresent(
            state ->
                write(
                    tx,
                    row.id(),
                    new DomainPolicy(PolicySettings.DEFAULTS)
                        .limited(state, without(state.limits(), minimum, concurrency))));
  }

  private static Limits without(Limits old, boolean minimum, boolean concurrency) {
    return new Limits(
        minimum ? Optional.empty() : old.minimum(),
        old.crawlDelay(),
        concurrency ? OptionalInt.empty() : old.concurrency(),
        old.announced(),
        old.visitTime());
  }

  /** A domain that had spent its share of the open run may have more of it now. */
  private static void openAgain(PostgresSession tx, long domain) {
    int opened =
        tx.sql.update(
            """
            UPDATE domains SET spent_run_id = NULL, version = version + 1 WHERE id = ?
              AND spent_run_id IN (SELECT j.run_id FROM jobs j JOIN crawl_runs r ON r.id = j.run_id
                WHERE j.domain_id = domains.id AND j.status = 'spent' AND r.status = 'running')
            """,
            domain);
    if (opened > 0) {
      tx.sql.update(
          """
          UPDATE jobs SET status = 'open', reason = NULL, ended_at = NULL
          WHERE domain_id = ? AND status = 'spent'
            AND run_id IN (SELECT id FROM crawl_runs WHERE status = 'running')
          """,
          domain);
    }
  }

  private record Subject(long id, String status, Optional<String> holder) {}

  private static Optional<Subject> subject(PostgresSession tx, String domain) {
    return tx.sql.first(
        "SELECT id, status, claimed_by FROM domains WHERE domain = ? FOR NO KEY UPDATE",
        row -> new Subject(row.getLong(1), row.getString(2), row.optionalText(3)),
        domain);
  }

  /** A status by hand is a reset; it is carried out at once. */
  @Override
  public Optional<OperatorResult> reset(
      String domain, boolean all, Optional<String> reason, Instant now) {
    return inTransaction(
        tx ->
            subject(tx, domain)
                .map(
                    row -> {
                      long finished = finished(tx, row.id());
                      tx.sql.update("UPDATE domains SET status = 'pending' WHERE id = ?", row.id());
                      sweep().resetByHand(tx);
                      if (all) {
                        new Requeuing(tx.sql, row.id()).requeue(Requeuing.Which.ALL);
                        DomainReadiness.set(tx, List.of(row.id()));
                      }
                      audit(tx, "domain-reset", new DomainName(domain), reason.orElse(""));
                      return new OperatorResult(
                          domain, row.status(), row.holder(), finished - finished(tx, row.id()));
                    }));
  }

  private static long finished(PostgresSession tx, long domain) {
    return tx.sql.number(
        "SELECT count(*) FROM domain_frontier WHERE domain_id = ? AND state <> 0", domain);
  }

  @Override
  public Optional<OperatorResult> block(String domain, String reason, Instant now) {
    return inTransaction(
        tx ->
            subject(tx, domain)
                .map(
                    row -> {
                      row.holder().ifPresent(_ -> sweep().endClaims(tx, "d.id = ?", row.id()));
                      block(tx, row, domain, reason);
                      return new OperatorResult(domain, row.status(), row.holder(), 0);
                    }));
  }

  private void block(PostgresSession tx, Subject row, String domain, String reason) {
    DomainState state = state(tx, row.id(), domain).orElse(DomainState.FRESH);
    write(tx, row.id(), new DomainPolicy(PolicySettings.DEFAULTS).blocked(state));
    tx.sql.update(
        "UPDATE domains SET block_reason = ?, version = version + 1 WHERE id = ?",
        reason,
        row.id());
    Transitions.write(
        tx.sql,
        row.id(),
        new Transitions.StatusChange(row.status(), "blocked", "block", reason),
        tx.now());
    DomainReadiness.set(tx, List.of(row.id()));
    audit(tx, "domain-block", new DomainName(domain), reason);
  }

  @Override
  public Optional<OperatorResult> lift(String domain, Optional<String> template, Instant now) {
    return inTransaction(
        tx ->
            subject(tx, domain)
                .flatMap(
                    row ->
                        new Lifting(tx.sql, tx.later, row.id(), domain)
                            .lift(template)
                            .map(requeued -> lifted(tx, row, domain, template, requeued))));
  }

  /** Ends the claim, so that the next holder reads what is known now. */
  private OperatorResult lifted(
      PostgresSession tx, Subject row, String domain, Optional<String> template, long requeued) {
    tx.later.write();
    row.holder().ifPresent(_ -> sweep().endClaims(tx, "d.id = ?", row.id()));
    if (requeued > 0 && row.status().equals("exhausted")) {
      state(tx, row.id(), domain)
          .ifPresent(
              state -> {
                Transitions.write(
                    tx.sql,
                    row.id(),
                    new Transitions.StatusChange(
                        "exhausted", "pending", "arrival", "a trap was lifted"),
                    tx.now());
                write(tx, row.id(), new DomainPolicy(PolicySettings.DEFAULTS).arrival(state));
              });
    }
    DomainReadiness.set(tx, List.of(row.id()));
    String detail = template.orElse("all") + ", requeued " + requeued;
    audit(tx, "trap-lift", new DomainName(domain), detail);
    return new OperatorResult(domain, row.status(), row.holder(), requeued);
  }

  /** The state of a domain, if it can be read. */
  private static Optional<DomainState> state(PostgresSession tx, long id, String domain) {
    return tx.sql
        .first(
            "SELECT policy_state, status, reset_by_hand FROM domains WHERE id = ?",
            one -> Stored.state(domain, one.getString(1), one.getString(2), one.getBoolean(3)),
            id)
        .flatMap(Stored::value);
  }

  private static void write(PostgresSession tx, long id, DomainState state) {
    tx.sql.update(
        "UPDATE domains SET " + StateColumns.SET + " WHERE id = ?",
        StateColumns.values(state, tx.now(), id));
  }

  private FleetSweep sweep() {
    return new FleetSweep(new DomainPolicy(PolicySettings.DEFAULTS), limits);
  }

  @Override
  public List<LiveClaim> claims() {
    return inTransaction(tx -> tx.sql.list(CLAIMS + " ORDER BY d.domain", PostgresReports::claim));
  }

  @Override
  public List<LiveClaim> endExpiredClaims() {
    return inTransaction(tx -> endClaims(tx, "d.claim_expires_at <= ?", tx.now()));
  }

  @Override
  public List<LiveClaim> endClaims(String worker) {
    return inTransaction(tx -> endClaims(tx, "d.claimed_by = ?", worker));
  }

  private List<LiveClaim> endClaims(PostgresSession tx, String which, Object value) {
    List<LiveClaim> ended =
        tx.sql.list(
            CLAIMS + " AND " + which + " ORDER BY d.id FOR NO KEY UPDATE",
            PostgresReports::claim,
            value);
    // A sweep ends some hundreds at a time. Their rows are locked, so it skips none.
    while (!sweep().endClaims(tx, which, value).isEmpty()) {}
    ended.forEach(claim -> audit(tx, "claim-ended", claim.domain(), "of " + claim.worker()));
    return ended;
  }

  private void audit(PostgresSession tx, String action, DomainName domain, String detail) {
    tx.sql.update(
        "INSERT INTO audit (at, actor, action, subject, detail) VALUES (?, ?, ?, ?, ?)",
        tx.now(),
        actor,
        action,
        domain.name(),
        detail);
  }

  @Override
  public void recalculatePriorities() {
    Priorities priorities = new Priorities();
    long last = 0;
    while (true) {
      long from = last;
      List<Priorities.Score> scores =
          inTransaction(
              tx -> {
                List<Priorities.Score> some = priorities.after(tx.sql, from, tx.now());
                Priorities.write(tx.later, some, tx.now());
                return some;
              });
      if (scores.isEmpty()) {
        return;
      }
      last = scores.getLast().id();
    }
  }
}
