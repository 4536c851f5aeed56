package dev.comity.store.postgres;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.JobProgress;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.schedule.JobStreak;
import dev.comity.core.url.DomainName;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.rows.DomainReadiness;
import dev.comity.store.postgres.rows.RefreshRows;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.TermsColumns;
import dev.comity.store.sql.Transitions;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Grants, renews and takes back claims on domains. Candidates that another worker is about to claim
 * are skipped. Leases are reckoned from the database's time.
 */
final class ClaimGrants {
  private static final int PENDING = 1;

  private static final String EXHAUSTED = "exhausted";

  private static final String CANDIDATE =
      "d.id, d.domain, d.claim_token, d.policy_state, d.unclean, d.status, d.reset_by_hand,"
          + " d.last_worker, d.spent_run_id, "
          + TermsColumns.NAMES;

  private final DomainPolicy policy;
  private final DomainIds ids;
  private final RunRows runs;
  private final StoreLimits limits;
  private final AtomicLong granted = new AtomicLong();

  ClaimGrants(DomainPolicy policy, DomainIds ids, RunRows runs, StoreLimits limits) {
    this.policy = policy;
    this.ids = ids;
    this.runs = runs;
    this.limits = limits;
  }

  private record Candidate(
      long id,
      String name,
      long token,
      Stored<DomainState> state,
      boolean unclean,
      boolean ofAnother,
      String status,
      long spentRun,
      OperatorTerms terms) {

    /** A domain that another worker held last waits a full delay: its clock may differ. */
    boolean takenOver() {
      return unclean || ofAnother;
    }

    /** What the claim's row says of the claim before. */
    @Nullable String before() {
      return unclean ? "taken over" : ofAnother ? "given over" : null;
    }
  }

  /**
   * A claim and the row it is on.
   *
   * @param hintsLeft how many pages a refresh may still visit because of hints
   */
  record Granted(Claim claim, long id, long hintsLeft) {}

  /**
   * What came of borrowing a domain.
   *
   * @param granted empty if it was not lent
   * @param held whether that is because a worker holds it
   */
  record Loan(Optional<Granted> granted, boolean held) {
    private static final Loan NONE = new Loan(Optional.empty(), false);
  }

  /**
   * Claims domains, as {@code CrawlStore.claim} says.
   *
   * @param until when the worker must stop, by its own clock
   */
  List<Granted> claim(PostgresSession tx, String worker, int most, Wanted wanted, Instant until) {
    if (!runs.staysOpen(tx)) {
      return List.of();
    }
    while (true) {
      List<Candidate> chosen = choose(tx, worker, most, wanted);
      List<Candidate> sound =
          chosen.stream().filter(one -> one.state().value().isPresent()).toList();
      chosen.forEach(
          one ->
              one.state().damage().ifPresent(reason -> FleetSweep.setAside(tx, one.id(), reason)));
      if (!sound.isEmpty() || chosen.isEmpty()) {
        Map<Long, Long> hints = requeue(tx, sound, wanted);
        return grant(tx, worker, sound, openJobs(tx, sound), until).stream()
            .map(one -> new Granted(one.claim(), one.id(), hints.getOrDefault(one.id(), 0L)))
            .toList();
      }
      // All candidates were set aside: there may be others.
    }
  }

  /**
   * Queues pages that are due, also of domains that got a URL in the refresh. Returns how many more
   * pages each may visit.
   */
  private Map<Long, Long> requeue(PostgresSession tx, List<Candidate> domains, Wanted wanted) {
    Map<Long, Long> left = new HashMap<>();
    boolean refreshes = runs.isRefresh() && wanted != Wanted.IMAGES;
    Set<Long> hosts = refreshes ? hosts(tx, domains) : Set.of();
    for (Candidate one : domains) {
      boolean got = refreshes && one.spentRun() != runs.id() && !hosts.contains(one.id());
      if (one.status().equals(EXHAUSTED) || (got && RefreshRows.mayBegin(tx, one.id()))) {
        left.put(one.id(), RefreshRows.requeue(tx, one.id()));
      }
    }
    return left;
  }

  /** Healthy active domains, pending ones, recovering ones; every fourth is a pending one. */
  private List<Candidate> choose(PostgresSession tx, String worker, int most, Wanted wanted) {
    long before = granted.get();
    int turns =
        (int) ((before + most) / StoreLimits.PENDING_EVERY - before / StoreLimits.PENDING_EVERY);
    List<Deque<Candidate>> classes = new ArrayList<>();
    classes.add(candidates(tx, worker, 0, most, wanted));
    int found = classes.getFirst().size();
    classes.add(candidates(tx, worker, PENDING, Math.max(turns, most - found), wanted));
    found += classes.get(PENDING).size();
    classes.add(candidates(tx, worker, 2, Math.max(0, most - found), wanted));
    found += classes.getLast().size();
    if (runs.isRefresh() && wanted != Wanted.IMAGES && found < most) {
      classes.add(due(tx, worker, most - found));
    }
    List<Candidate> chosen = new ArrayList<>();
    while (chosen.size() < most) {
      boolean pendingsTurn =
          (before + chosen.size() + 1) % StoreLimits.PENDING_EVERY == 0
              && !classes.get(PENDING).isEmpty();
      Optional<Deque<Candidate>> next =
          pendingsTurn
              ? Optional.of(classes.get(PENDING))
              : classes.stream().filter(one -> !one.isEmpty()).findFirst();
      if (next.isEmpty()) {
        break;
      }
      chosen.add(next.get().remove());
    }
    return chosen;
  }

  private Deque<Candidate> candidates(
      PostgresSession tx, String worker, int claimClass, int most, Wanted wanted) {
    if (most == 0) {
      return new ArrayDeque<>();
    }
    return new ArrayDeque<>(
        tx.sql.list(
            "SELECT "
                + CANDIDATE
                + " FROM domains d WHERE claimable_at = 0 AND claimed_by IS NULL"
                + " AND claim_class = ? AND damage IS NULL AND paused = 0"
                + RunOutlook.with(wanted)
                + " ORDER BY priority_score DESC, last_crawled_at NULLS FIRST LIMIT ?"
                + " FOR NO KEY UPDATE OF d SKIP LOCKED",
            row -> candidate(row, worker),
            claimClass,
            runs.id(),
            most));
  }

  /** Exhausted domains with pages that are due. */
  private Deque<Candidate> due(PostgresSession tx, String worker, int most) {
    return new ArrayDeque<>(
        tx.sql.list(
            "SELECT "
                + CANDIDATE
                + RefreshRows.DUE
                + RunOutlook.TAKES_DUE
                + RefreshRows.DUE_ORDER
                + " LIMIT ? FOR NO KEY UPDATE OF d SKIP LOCKED",
            row -> candidate(row, worker),
            runs.id(),
            tx.now(),
            runs.id(),
            most));
  }

  private static Candidate candidate(ResultRow row, String worker) {
    return new Candidate(
        row.getLong(1),
        row.getString(2),
        row.getLong(3),
        Stored.state(row.getString(2), row.getString(4), row.getString(6), row.getBoolean(7)),
        row.getBoolean(5),
        row.optionalText(8).filter(last -> !last.equals(worker)).isPresent(),
        row.getString(6),
        row.getLong(9),
        TermsColumns.read(row, 10));
  }

  /** Claims one domain for a request that another needs, even if its share is spent. */
  Loan borrow(PostgresSession tx, String worker, DomainName name, Instant until) {
    Long id = ids.of(tx, Map.of(name, new DomainIds.Opening(0, 0, false))).get(name);
    if (id == null) {
      return Loan.NONE;
    }
    Optional<Candidate> lent =
        tx.sql.first(
            "SELECT "
                + CANDIDATE
                + """
                 FROM domains d WHERE id = ? AND paused = 0 AND damage IS NULL
                  AND status IN ('pending', 'active', 'exhausted') FOR NO KEY UPDATE OF d
                """,
            row -> candidate(row, worker),
            id);
    if (lent.isEmpty()) {
      return Loan.NONE;
    }
    if (tx.sql.exists("SELECT 1 FROM domains WHERE id = ? AND claimed_by IS NOT NULL", id)) {
      return new Loan(Optional.empty(), true);
    }
    if (lent.get().state() instanceof Stored.Damaged(var reason)) {
      FleetSweep.setAside(tx, id, reason);
      return Loan.NONE;
    }
    Map<Long, JobProgress> jobs = new HashMap<>();
    tx.sql.each(
        "SELECT domain_id, pages, unkept, failed_in_row FROM jobs"
            + " WHERE run_id = ? AND domain_id = ?",
        row -> jobs.put(row.getLong(1), progress(row)),
        runs.id(),
        id);
    return new Loan(
        grant(tx, worker, List.of(lent.get()), jobs, until).stream().findFirst(), false);
  }

  private Map<Long, JobProgress> openJobs(PostgresSession tx, List<Candidate> domains) {
    Map<Long, JobProgress> jobs = new HashMap<>();
    if (!domains.isEmpty() && runs.id() != 0) {
      tx.sql.each(
          """
          INSERT INTO jobs (run_id, domain_id, started_at)
          SELECT ?, u.id, ? FROM unnest(?::bigint[]) AS u(id) ORDER BY u.id
          ON CONFLICT (run_id, domain_id) DO UPDATE SET status = 'open', ended_at = NULL
          RETURNING domain_id, pages, unkept, failed_in_row
          """,
          row -> jobs.put(row.getLong(1), progress(row)),
          runs.id(),
          tx.now(),
          tx.longs(domains.stream().map(Candidate::id).toList()));
    }
    return jobs;
  }

  private static JobProgress progress(ResultRow row) {
    return new JobProgress(row.getLong(2), row.getLong(3), new JobStreak(row.getInt(4)));
  }

  private List<Granted> grant(
      PostgresSession tx,
      String worker,
      List<Candidate> domains,
      Map<Long, JobProgress> jobs,
      Instant until) {
    List<Granted> claims = new ArrayList<>();
    Instant at = Instant.ofEpochMilli(tx.now());
    Set<Long> hosts = hosts(tx, domains);
    for (Candidate domain : domains) {
      DomainState state = domain.state().value().orElseThrow();
      DomainState begun =
          domain.takenOver() ? policy.takenOver(state, at) : policy.claimed(state, at);
      long token = domain.token() + 1;
      tx.later.update(
          "UPDATE domains SET "
              + StateColumns.SET
              + ", claimed_by = ?, last_worker = ?, claim_expires_at = ?, claim_token = ?,"
              + " unclean = 0, last_crawled_at = ?, last_crawl_run_id = ? WHERE id = ?",
          StateColumns.values(
              begun,
              tx.now(),
              worker,
              worker,
              tx.now() + limits.lease().toMillis(),
              token,
              tx.now(),
              runs.id() == 0 ? null : (Long) runs.id(),
              domain.id()));
      tx.later.update(
          """
          INSERT INTO transitions (domain_id, token, from_status, to_status, door, reason, worker, at)
          VALUES (?, ?, ?, 'active', 'claim', ?, ?, ?)
          """,
          domain.id(),
          token,
          domain.status(),
          domain.before(),
          worker,
          tx.now());
      boolean imagesOnly =
          (runs.id() != 0 && domain.spentRun() == runs.id()) || hosts.contains(domain.id());
      claims.add(
          new Granted(
              new Claim(
                  new DomainName(domain.name()),
                  token,
                  state,
                  domain.takenOver(),
                  jobs.getOrDefault(domain.id(), JobProgress.NONE),
                  until,
                  domain.terms(),
                  imagesOnly),
              domain.id(),
              0));
    }
    tx.later.write();
    DomainReadiness.fold(tx, domains.stream().map(Candidate::id).toList());
    return claims;
  }

  /** Those of these domains that the run asks for images alone. */
  private Set<Long> hosts(PostgresSession tx, List<Candidate> domains) {
    Set<Long> hosts = new HashSet<>();
    if (runs.collectsImages()) {
      domains.stream()
          .filter(one -> !one.status().equals(EXHAUSTED))
          .forEach(one -> hosts.add(one.id()));
      tx.sql.each(
          "SELECT d.id FROM domains d WHERE d.id = ANY (?)" + RunOutlook.TAKES,
          row -> hosts.remove(row.getLong(1)),
          tx.longs(hosts),
          runs.id());
    }
    return hosts;
  }

  /** Counts claims that are durable. */
  void granted(int claims) {
    granted.addAndGet(claims);
  }

  /** Renews these claims; returns the terms of those that are still held. */
  Map<DomainName, OperatorTerms> renew(
      PostgresSession tx, String worker, Collection<Claim> claims) {
    Map<DomainName, OperatorTerms> terms = new HashMap<>();
    if (claims.isEmpty()) {
      return terms;
    }
    List<Claim> list = List.copyOf(claims);
    tx.sql.each(
        """
        WITH held AS (SELECT d.id FROM domains d
            JOIN unnest(?::text[], ?::bigint[]) AS u(domain, token)
              ON d.domain = u.domain AND d.claim_token = u.token
            WHERE d.claimed_by = ? AND d.claim_expires_at > ? ORDER BY d.id FOR NO KEY UPDATE OF d)
        UPDATE domains SET claim_expires_at = ?, version = version + 1 FROM held
        WHERE domains.id = held.id RETURNING domain,
        """
            + TermsColumns.NAMES,
        row -> terms.put(new DomainName(row.getString(1)), TermsColumns.read(row, 2)),
        tx.texts(list.stream().map(claim -> claim.domain().name()).toList()),
        tx.longs(list.stream().map(Claim::token).toList()),
        worker,
        tx.now(),
        tx.now() + limits.lease().toMillis());
    return terms;
  }

  /** The operator's terms of a domain, if the claim is still held. */
  static Optional<OperatorTerms> terms(Statements sql, HeldDomain domain, String worker) {
    return sql.first(
        "SELECT "
            + TermsColumns.NAMES
            + " FROM domains WHERE id = ? AND claim_token = ? AND claimed_by = ?",
        row -> TermsColumns.read(row, 1),
        domain.id,
        domain.token,
        worker);
  }

  /** Whether a claim is still held; if so, the domain's row is locked. */
  static boolean isHeld(PostgresSession tx, HeldDomain domain, String worker) {
    return tx.sql.exists(
        "SELECT 1 FROM domains WHERE id = ? AND claim_token = ? AND claimed_by = ?"
            + " FOR NO KEY UPDATE",
        domain.id,
        domain.token,
        worker);
  }

  /** Opens a domain that our own outage closed, unless it was claimed since. */
  void takeBack(
      PostgresSession tx, DomainName name, long token, UnaryOperator<DomainState> change) {
    record Row(long id, Stored<DomainState> state) {}
    Optional<Row> row =
        tx.sql.first(
            "SELECT id, policy_state, status, reset_by_hand FROM domains WHERE domain = ?"
                + " AND claimed_by IS NULL AND claim_token = ? AND damage IS NULL"
                + " FOR NO KEY UPDATE",
            one ->
                new Row(
                    one.getLong(1),
                    Stored.state(
                        name.name(), one.getString(2), one.getString(3), one.getBoolean(4))),
            name.name(),
            token);
    if (row.isEmpty() || !(row.get().state() instanceof Stored.Sound(var before))) {
      // The next claim finds the damage.
      return;
    }
    long id = row.get().id();
    DomainState after = change.apply(before);
    DomainStatus from = before.standing().status();
    DomainStatus to = after.standing().status();
    if (from != to) {
      String door = to == DomainStatus.ACTIVE ? "take_back" : "reset";
      Transitions.write(
          tx.sql,
          id,
          new Transitions.StatusChange(
              StateColumns.status(from), StateColumns.status(to), door, Transitions.OUR_OUTAGE),
          tx.now());
    }
    tx.sql.update(
        "UPDATE domains SET " + StateColumns.SET + " WHERE id = ?",
        StateColumns.values(after, tx.now(), id));
    DomainReadiness.set(tx, List.of(id));
  }
}
