package dev.comity.store.operate;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.url.DomainName;
import dev.comity.store.DataDirectory;
import dev.comity.store.OperatorSignal;
import dev.comity.store.order.Priorities;
import dev.comity.store.sql.Readiness;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.TermsColumns;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What operators do with a data directory, also beside a crawl. Each call is one transaction,
 * except the priorities, which are written in batches.
 *
 * @param actor the name for the audit
 */
public record DirectoryOperations(DataDirectory directory, String actor, InstantSource clock)
    implements Operations {
  private static final String TERMS_OF = "SELECT id, domain, " + TermsColumns.NAMES;

  private static final String CLAIMS =
      """
      SELECT d.domain, d.claimed_by, d.claim_token, d.last_crawled_at, d.claim_expires_at, d.id
      FROM domains d INDEXED BY domains_claims WHERE d.claimed_by IS NOT NULL
      """;

  private record Row(long id, DomainName domain, OperatorTerms terms) {}

  @Override
  public Optional<OperatorTerms> terms(DomainName domain) {
    return reading(sql -> find(sql, domain)).map(Row::terms);
  }

  private static Optional<Row> find(Statements sql, DomainName domain) {
    return sql.first(
        TERMS_OF + " FROM domains WHERE domain = ?", DirectoryOperations::row, domain.name());
  }

  private static Row row(ResultRow row) {
    return new Row(row.getLong(1), new DomainName(row.getString(2)), TermsColumns.read(row, 3));
  }

  @Override
  public Optional<TermsChange> setTerms(DomainName domain, UnaryOperator<OperatorTerms> change) {
    return writing(sql -> find(sql, domain).map(row -> set(sql, row, change)));
  }

  @Override
  public List<TermsChange> setTerms(DomainStatus status, UnaryOperator<OperatorTerms> change) {
    return writing(
        sql ->
            all(sql, status).stream()
                .filter(row -> !change.apply(row.terms()).equals(row.terms()))
                .map(row -> set(sql, row, change))
                .toList());
  }

  @Override
  public List<TermsChange> wouldSet(DomainStatus status, UnaryOperator<OperatorTerms> change) {
    return reading(sql -> all(sql, status)).stream()
        .map(row -> new TermsChange(row.domain(), row.terms(), change.apply(row.terms())))
        .filter(one -> !one.after().equals(one.before()))
        .toList();
  }

  private static List<Row> all(Statements sql, DomainStatus status) {
    return sql.list(
        TERMS_OF + " FROM domains INDEXED BY domains_status WHERE status = ? ORDER BY domain",
        DirectoryOperations::row,
        StateColumns.status(status));
  }

  private TermsChange set(Statements sql, Row row, UnaryOperator<OperatorTerms> change) {
    OperatorTerms after = change.apply(row.terms());
    if (after.equals(row.terms())) {
      return new TermsChange(row.domain(), after, after);
    }
    long now = clock.millis();
    sql.update(
        "UPDATE domains SET "
            + TermsColumns.SET
            + ", version = version + 1, updated_at = ? WHERE id = ?",
        TermsColumns.values(after, now, row.id()));
    if (!after.maxPages().equals(row.terms().maxPages())) {
      openAgain(sql, row.id());
    }
    forgetLimits(sql, row, after, now);
    new Readiness(sql).set(row.id());
    audit(sql, "domain-set", row.domain(), TermsColumns.words(row.terms(), after), now);
    return new TermsChange(row.domain(), row.terms(), after);
  }

  /**
   * Removes limits from a domain's state that the operator takes back: reports would still show
   * them, though no run would keep them. The next write of a holder has what its run sets instead.
   */
  private static void forgetLimits(Statements sql, Row row, OperatorTerms after, long now) {
    boolean minimum = row.terms().minimum().isPresent() && after.minimum().isEmpty();
    boolean concurrency = row.terms().concurrency().isPresent() && after.concurrency().isEmpty();
    if (!minimum && !concurrency) {
      return;
    }
    record Kept(Stored<DomainState> state, OptionalLong runMinimum) {}
    Kept kept =
        sql.first(
                """
                SELECT policy_state, status, reset_by_hand, (SELECT r.minimum_interval_ms
                  FROM crawl_runs r WHERE r.id = last_crawl_run_id) FROM domains WHERE id = ?
                """,
                one ->
                    new Kept(
                        Stored.state(
                            row.domain().name(),
                            one.getString(1),
                            one.getString(2),
                            one.getBoolean(3)),
                        one.optionalNumber(4)),
                row.id())
            .orElseThrow();
    if (!(kept.state() instanceof Stored.Sound(var state))) {
      // A reset mends it, and forgets the limits, too.
      return;
    }
    PaceSettings usual = PaceSettings.DEFAULTS;
    PaceSettings pace =
        kept.runMinimum().isPresent()
            ? usual.withMinimum(Duration.ofMillis(kept.runMinimum().getAsLong()))
            : usual;
    Limits old = state.limits();
    Limits limits =
        new Limits(
            minimum ? Optional.empty() : old.minimum(),
            old.crawlDelay(),
            concurrency ? OptionalInt.empty() : old.concurrency(),
            old.announced(),
            old.visitTime());
    sql.update(
        "UPDATE domains SET " + StateColumns.SET + " WHERE id = ?",
        StateColumns.values(
            new DomainPolicy(PolicySettings.DEFAULTS.with(pace)).limited(state, limits),
            now,
            row.id()));
  }

  /** A domain that had spent its share of the open run may have more of it now. */
  private static void openAgain(Statements sql, long domain) {
    int opened =
        sql.update(
            """
            UPDATE domains SET spent_run_id = NULL, version = version + 1 WHERE id = ?1
              AND spent_run_id IN (SELECT j.run_id FROM jobs j JOIN crawl_runs r ON r.id = j.run_id
                WHERE j.domain_id = ?1 AND j.status = 'spent' AND r.status = 'running')
            """,
            domain);
    if (opened > 0) {
      sql.update(
          """
          UPDATE jobs SET status = 'open', reason = NULL, ended_at = NULL
          WHERE domain_id = ? AND status = 'spent'
            AND run_id IN (SELECT id FROM crawl_runs WHERE status = 'running')
          """,
          domain);
    }
  }

  @Override
  public List<LiveClaim> claims() {
    return reading(sql -> sql.list(CLAIMS + " ORDER BY d.domain", DirectoryOperations::claim));
  }

  private static LiveClaim claim(ResultRow row) {
    return new LiveClaim(
        new DomainName(row.getString(1)),
        row.getString(2),
        row.getLong(3),
        Instant.ofEpochMilli(row.getLong(4)),
        Instant.ofEpochMilli(row.getLong(5)));
  }

  @Override
  public List<LiveClaim> endExpiredClaims() {
    return endClaims(" AND d.claim_expires_at <= ? ORDER BY d.domain", clock.millis());
  }

  @Override
  public List<LiveClaim> endClaims(String worker) {
    return endClaims(" AND d.claimed_by = ? ORDER BY d.domain", worker);
  }

  private List<LiveClaim> endClaims(String which, Object value) {
    return writing(
        sql -> {
          long now = clock.millis();
          List<Long> ids = new ArrayList<>();
          List<LiveClaim> ended =
              sql.list(
                  CLAIMS + which,
                  row -> {
                    ids.add(row.getLong(6));
                    return claim(row);
                  },
                  value);
          for (long id : ids) {
            end(sql, id, now);
          }
          ended.forEach(
              claim -> audit(sql, "claim-ended", claim.domain(), "of " + claim.worker(), now));
          return ended;
        });
  }

  private static void end(Statements sql, long domain, long now) {
    new Readiness(sql).returnInFlight(domain);
    sql.update(
        """
        UPDATE domains SET claimed_by = NULL, claim_expires_at = NULL, unclean = 1,
          version = version + 1, updated_at = ? WHERE id = ?
        """,
        now,
        domain);
    new Readiness(sql).set(domain);
  }

  @Override
  public void recalculatePriorities() {
    Schema.require(directory);
    Priorities priorities = new Priorities();
    try (Statements sql = new Statements(directory.writing())) {
      long last = 0;
      while (true) {
        long now = clock.millis();
        List<Priorities.Score> scores = priorities.after(sql, last, now);
        if (scores.isEmpty()) {
          return;
        }
        sql.execute("BEGIN IMMEDIATE");
        Priorities.write(sql, scores, now);
        sql.execute("COMMIT");
        last = scores.getLast().id();
      }
    }
  }

  private void audit(Statements sql, String action, DomainName domain, String detail, long now) {
    sql.update(
        "INSERT INTO audit (at, actor, action, subject, detail) VALUES (?, ?, ?, ?, ?)",
        now,
        actor,
        action,
        domain.name(),
        detail);
  }

  private <T> T reading(Function<Statements, T> work) {
    Schema.require(directory);
    try (Statements sql = new Statements(directory.reading())) {
      return work.apply(sql);
    }
  }

  /** Closing a connection undoes what was not committed. */
  private <T> T writing(Function<Statements, T> work) {
    Schema.require(directory);
    try (Statements sql = new Statements(directory.writing())) {
      sql.execute("BEGIN IMMEDIATE");
      T done = work.apply(sql);
      OperatorSignal.of(directory).raise();
      sql.execute("COMMIT");
      return done;
    }
  }
}
