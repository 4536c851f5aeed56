package dev.comity.store.crawl;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.JobProgress;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.DomainName;
import dev.comity.store.image.ImageRows;
import dev.comity.store.order.Priorities;
import dev.comity.store.refresh.DueDomains;
import dev.comity.store.source.SourceRows;
import dev.comity.store.sql.DamagedDomains;
import dev.comity.store.sql.Readiness;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Grants, renews and ends claims on domains. Runs in the writer's thread. */
public final class Claims {
  /** The classes of candidates, in the order they are taken; the second is pending. */
  private static final int CLASSES = 3;

  private static final int PENDING = 1;

  private static final String EXHAUSTED = "exhausted";

  private static final String CANDIDATE =
      "id, domain, claim_token, policy_state, unclean, status, reset_by_hand, last_worker,"
          + " spent_run_id, "
          + TermsColumns.NAMES;

  private final Statements sql;
  private final Readiness readiness;
  private final DomainPolicy policy;
  private final FrontierWriter urls;
  private final Jobs jobs;
  private final Runs runs;
  private final String worker;
  private final StoreLimits limits;
  private final Priorities priorities;
  private final DueDomains due;
  private final SourceRows sources;
  private long granted;

  public Claims(
      Statements sql,
      DomainPolicy policy,
      FrontierWriter urls,
      Runs runs,
      Priorities priorities,
      String worker,
      StoreLimits limits) {
    this.priorities = priorities;
    this.sql = sql;
    readiness = new Readiness(sql);
    due = new DueDomains(sql);
    this.policy = policy;
    sources = new SourceRows(sql, policy.minimumInterval());
    this.urls = urls;
    jobs = new Jobs(sql, runs);
    this.runs = runs;
    this.worker = worker;
    this.limits = limits;
  }

  private record Candidate(
      long id,
      String name,
      long token,
      Stored<DomainState> state,
      boolean takenOver,
      String status,
      long spentRun,
      OperatorTerms terms) {}

  /**
   * A claim and the row it is on.
   *
   * @param hintsLeft how many pages a refresh may still visit because of hints
   */
  public record Granted(Claim claim, long id, long hintsLeft) {}

  /**
   * What came of borrowing a domain.
   *
   * @param granted empty if it was not lent
   * @param held whether that is because a worker holds it
   */
  public record Loan(Optional<Granted> granted, boolean held) {
    private static final Loan NONE = new Loan(Optional.empty(), false);
  }

  /**
   * Claims domains, as {@code CrawlStore.claim} says.
   *
   * @param until when the worker must stop, by its own clock
   */
  public List<Granted> claim(int most, Wanted wanted, Instant until, long now) {
    List<Granted> claims = new ArrayList<>();
    while (claims.isEmpty() && !claimInto(claims, most, wanted, until, now)) {
      // All candidates were set aside: there may be others.
    }
    return claims;
  }

  /** Returns whether no domain was set aside. */
  private boolean claimInto(
      List<Granted> claims, int most, Wanted wanted, Instant until, long now) {
    List<Deque<Candidate>> classes = new ArrayList<>();
    for (int one = 0; one < CLASSES; one++) {
      classes.add(new ArrayDeque<>(candidates(one, most, wanted)));
    }
    if (runs.isRefresh() && wanted != Wanted.IMAGES) {
      classes.add(new ArrayDeque<>(due(most, now)));
    }
    boolean sound = true;
    while (claims.size() < most) {
      Optional<Candidate> next = next(classes);
      if (next.isEmpty()) {
        break;
      }
      Candidate domain = next.get();
      switch (domain.state()) {
        case Stored.Damaged(var reason) -> {
          new DamagedDomains(sql).setAside(domain.id(), reason, now);
          sound = false;
        }
        case Stored.Sound(var state) -> {
          granted++;
          long hints = refreshes(domain, wanted, now) ? due.requeue(domain.id(), now) : 0;
          JobProgress job = jobs.open(domain.id(), now);
          claims.add(new Granted(grant(domain, state, job, until, now), domain.id(), hints));
        }
      }
    }
    return sound;
  }

  /** A domain that got a URL in a refresh is pending, and its pages that are due are visited. */
  private boolean refreshes(Candidate domain, Wanted wanted, long now) {
    return domain.status().equals(EXHAUSTED)
        || (runs.isRefresh()
            && wanted != Wanted.IMAGES
            && domain.spentRun() != runs.id()
            && due.mayBegin(domain.id(), now));
  }

  /** Claims one domain for a request that another needs, even if its share is spent. */
  public Loan borrow(DomainName name, Instant until, long now) {
    if (!urls.admitsLinksTo(name)) {
      return Loan.NONE;
    }
    long id = urls.idOf(name, now);
    Optional<Candidate> lent =
        sql.first(
            "SELECT "
                + CANDIDATE
                + """
                 FROM domains
                WHERE id = ? AND paused = 0 AND damage IS NULL
                  AND status IN ('pending', 'active', 'exhausted')
                """,
            this::candidate,
            id);
    if (lent.isEmpty()) {
      return Loan.NONE;
    }
    if (sql.exists("SELECT 1 FROM domains WHERE id = ? AND claimed_by IS NOT NULL", id)) {
      return new Loan(Optional.empty(), true);
    }
    Candidate domain = lent.get();
    return switch (domain.state()) {
      case Stored.Damaged(var reason) -> {
        new DamagedDomains(sql).setAside(domain.id(), reason, now);
        yield Loan.NONE;
      }
      case Stored.Sound(var state) ->
          new Loan(
              Optional.of(new Granted(grant(domain, state, jobs.progress(id), until, now), id, 0)),
              false);
    };
  }

  private List<Candidate> candidates(int claimClass, int most, Wanted wanted) {
    return sql.list(
        "SELECT "
            + CANDIDATE
            + """
             FROM domains INDEXED BY domains_candidates
            WHERE claimable_at = 0 AND claimed_by IS NULL AND claim_class = ? AND damage IS NULL
              AND paused = 0
            """
            + Lookups.with(wanted)
            + " ORDER BY priority_score DESC, last_crawled_at LIMIT ?",
        this::candidate,
        claimClass,
        most);
  }

  /** Exhausted domains with pages that are due. */
  private List<Candidate> due(int most, long now) {
    RunScope.open(sql);
    return sql.list(
        "SELECT " + CANDIDATE + DueDomains.CANDIDATES, this::candidate, runs.id(), now, most);
  }

  private Candidate candidate(ResultRow row) {
    return new Candidate(
        row.getLong(1),
        row.getString(2),
        row.getLong(3),
        Stored.state(row.getString(2), row.getString(4), row.getString(6), row.getBoolean(7)),
        row.getBoolean(5) || row.optionalText(8).filter(this::isAnother).isPresent(),
        row.getString(6),
        row.getLong(9),
        TermsColumns.read(row, 10));
  }

  /**
   * Whether that is another worker that is still up. Earlier processes had this machine's clock,
   * and have stopped: what they wrote of their last request holds.
   */
  private boolean isAnother(String last) {
    return !last.equals(worker)
        && sql.exists("SELECT 1 FROM workers WHERE id = ? AND ended_at IS NULL", last);
  }

  private Optional<Candidate> next(List<Deque<Candidate>> classes) {
    boolean pendingsTurn = (granted + 1) % StoreLimits.PENDING_EVERY == 0;
    if (pendingsTurn && !classes.get(PENDING).isEmpty()) {
      return Optional.of(classes.get(PENDING).remove());
    }
    for (Deque<Candidate> one : classes) {
      if (!one.isEmpty()) {
        return Optional.of(one.remove());
      }
    }
    return Optional.empty();
  }

  private Claim grant(
      Candidate domain, DomainState state, JobProgress job, Instant until, long now) {
    Instant at = Instant.ofEpochMilli(now);
    DomainName name = new DomainName(domain.name());
    DomainState begun =
        domain.takenOver() ? policy.takenOver(state, at) : policy.claimed(state, at);
    long token = domain.token() + 1;
    sql.update(
        "UPDATE domains SET "
            + StateColumns.SET
            + ", claimed_by = ?, last_worker = ?, claim_expires_at = ?, claim_token = ?,"
            + " unclean = 0, last_crawled_at = ?, last_crawl_run_id = ? WHERE id = ?",
        StateColumns.values(
            begun,
            now,
            worker,
            worker,
            now + limits.lease().toMillis(),
            token,
            now,
            runs.id() == 0 ? null : (Long) runs.id(),
            domain.id()));
    sql.update(
        """
        INSERT INTO transitions (domain_id, token, from_status, to_status, door, reason, worker, at)
        VALUES (?, ?, ?, 'active', 'claim', ?, ?, ?)
        """,
        domain.id(),
        token,
        domain.status(),
        domain.takenOver() ? "taken over" : null,
        worker,
        now);
    fold(sql, domain.id());
    urls.forget(name);
    boolean imagesOnly = runs.id() != 0 && domain.spentRun() == runs.id();
    return new Claim(
        name, token, state, domain.takenOver(), job, until, domain.terms(), imagesOnly);
  }

  /** Adds the arrivals and credits of a domain to its counters. */
  static void fold(Statements sql, long domain) {
    ImageRows.fold(sql, domain);
    record Sum(long discovered, long overCap, long skipped) {}
    Sum sum =
        sql.first(
                "SELECT coalesce(sum(discovered), 0), coalesce(sum(over_cap), 0),"
                    + " coalesce(sum(skipped), 0) FROM arrivals WHERE domain_id = ?",
                row -> new Sum(row.getLong(1), row.getLong(2), row.getLong(3)),
                domain)
            .orElseThrow();
    if (sum.discovered() == 0 && sum.overCap() == 0 && sum.skipped() == 0) {
      return;
    }
    sql.update(
        """
        UPDATE domains SET pages_discovered = pages_discovered + ?1 + ?2 + ?3,
          frontier_size = frontier_size + ?1, urls_over_cap = urls_over_cap + ?2,
          urls_skipped = urls_skipped + ?3, version = version + 1 WHERE id = ?4
        """,
        sum.discovered(),
        sum.overCap(),
        sum.skipped(),
        domain);
    sql.update("DELETE FROM arrivals WHERE domain_id = ?", domain);
  }

  /** Renews these claims, by the store's clock; returns the terms of those that are still held. */
  public Map<DomainName, OperatorTerms> renew(Collection<Claim> claims, long now) {
    Map<DomainName, OperatorTerms> terms = new HashMap<>();
    for (Claim claim : claims) {
      sql.first(
              "UPDATE domains SET claim_expires_at = ?, version = version + 1"
                  + " WHERE domain = ? AND claim_token = ? AND claimed_by = ?"
                  + " AND claim_expires_at > ? RETURNING "
                  + TermsColumns.NAMES,
              row -> TermsColumns.read(row, 1),
              now + limits.lease().toMillis(),
              claim.domain().name(),
              claim.token(),
              worker,
              now)
          .ifPresent(set -> terms.put(claim.domain(), set));
    }
    return terms;
  }

  /** Ends a claim; returns the state that the domain has now. */
  public DomainState release(HeldDomains.Held held, DomainState last, Ending ending, long now) {
    held.requireClaim(sql);
    fold(sql, held.id);
    readiness.returnInFlight(held.id);
    DomainState state = last;
    if (last.standing().status() != held.status) {
      Transitions.byHolder(sql, held.id, held.status, last.standing(), now);
    }
    if (last.standing().status() == DomainStatus.EXHAUSTED && readiness.hasWork(held.id)) {
      // A URL arrived while its holder was leaving.
      state = policy.arrival(last);
      Transitions.write(sql, held.id, Transitions.StatusChange.ARRIVAL, now);
    }
    boolean borrowed = ending instanceof Ending.Borrowed;
    boolean spent =
        ending instanceof Ending.JobFailed || ending instanceof Ending.DomainOutOfBudget;
    Long parked =
        ending instanceof Ending.RestUntil(var at, _) ? (Long) StateColumns.ceilMillis(at) : null;
    sql.update(
        "UPDATE domains SET "
            + StateColumns.SET
            + ", claimed_by = NULL, claim_expires_at = NULL, spent_run_id = CASE WHEN ? THEN"
            + " spent_run_id ELSE ? END, not_before = coalesce(?, not_before) WHERE id = ?",
        StateColumns.values(
            state,
            now,
            borrowed || held.imagesOnly ? 1 : 0,
            spent ? (Long) runs.id() : null,
            parked,
            held.id));
    if (!borrowed) {
      jobs.end(held.id, held.imagesOnly, ending, now);
    }
    readiness.set(held.id);
    if (state.standing().status() == DomainStatus.EXHAUSTED) {
      due.schedule(held.id, now);
    }
    if (ending instanceof Ending.DueLater(var at, _) && !sources.hasTurn(held.id, now)) {
      sql.update(
          "UPDATE domains SET claimable_at = max(claimable_at, ?) WHERE id = ?",
          StateColumns.ceilMillis(at),
          held.id);
    }
    priorities.recalculate(sql, held.id, now);
    urls.forget(held.name);
    return state;
  }
}
