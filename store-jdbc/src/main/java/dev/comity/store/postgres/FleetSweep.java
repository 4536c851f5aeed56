package dev.comity.store.postgres;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.Lifecycle;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.DomainName;
import dev.comity.store.crawl.FrontierCodes;
import dev.comity.store.crawl.Mending;
import dev.comity.store.crawl.Recovery;
import dev.comity.store.crawl.Requeuing;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.connect.WorkerRows;
import dev.comity.store.postgres.rows.DomainReadiness;
import dev.comity.store.postgres.rows.UnreadableRows;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Transitions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Applies the passing of time: leases expire, cooldowns and rests end, arrivals wake domains,
 * workers are given up. Any worker may run it. Rows that another transaction has locked are left to
 * the next sweep, so no sweep waits.
 */
public record FleetSweep(DomainPolicy policy, StoreLimits limits) {
  private static final int AT_ONCE = 500;

  private static final String SKIP = " FOR NO KEY UPDATE SKIP LOCKED";

  private record Row(long id, String status, Stored<DomainState> state) {
    static final String COLUMNS = "d.id, d.domain, d.policy_state, d.status, d.reset_by_hand";

    static Row of(ResultRow row) {
      return new Row(
          row.getLong(1),
          row.getString(4),
          Stored.state(row.getString(2), row.getString(3), row.getString(4), row.getBoolean(5)));
    }
  }

  /** Ends expired claims and wakes domains that may be claimed by this run. */
  List<DomainName> run(PostgresSession tx, long run) {
    // A flush that began before a claim ended has noted them since.
    tx.sql.update(
        "DELETE FROM in_flight i USING domains d WHERE d.id = i.domain_id"
            + " AND d.claimed_by IS DISTINCT FROM i.worker");
    List<DomainName> ended = endExpired(tx);
    giveUpLost(tx);
    resetByHand(tx);
    reopen(tx, run);
    cool(tx);
    wake(tx);
    tx.sql.update(
        "UPDATE domains SET claimable_at = 0, version = version + 1 WHERE id IN (SELECT id FROM"
            + " domains WHERE claimable_at > 0 AND claimable_at <= ? AND claimed_by IS NULL LIMIT "
            + AT_ONCE
            + SKIP
            + ")",
        tx.now());
    return ended;
  }

  /** Ends expired claims; returns their domains. */
  List<DomainName> endExpired(PostgresSession tx) {
    return endClaims(tx, "d.claim_expires_at <= ?", tx.now());
  }

  /** Ends the claims of a worker that leaves. No death is counted for its URLs in flight. */
  public void endClaimsOf(PostgresSession tx, String worker) {
    List<Long> ids =
        tx.sql.list(
            "SELECT id FROM domains WHERE claimed_by = ? ORDER BY id FOR NO KEY UPDATE",
            row -> row.getLong(1),
            worker);
    end(tx, ids);
  }

  /** Ends claims; URLs of workers that seem to be dead are suspects. Returns their domains. */
  public List<DomainName> endClaims(PostgresSession tx, String which, Object value) {
    List<Long> dead = new ArrayList<>();
    List<Long> ids = new ArrayList<>();
    List<DomainName> names = new ArrayList<>();
    tx.sql.each(
        "SELECT d.id, d.domain, coalesce(w.last_seen_at, 0) <= d.claim_expires_at - ?"
            + " FROM domains d LEFT JOIN workers w ON w.id = d.claimed_by"
            + " WHERE d.claimed_by IS NOT NULL AND "
            + which
            + " ORDER BY d.id LIMIT "
            + AT_ONCE
            + " FOR NO KEY UPDATE OF d SKIP LOCKED",
        row -> {
          ids.add(row.getLong(1));
          Stored.name(row.getString(2)).value().ifPresent(names::add);
          if (row.getBoolean(3)) {
            dead.add(row.getLong(1));
          }
        },
        // A worker that lives has renewed the claim by then.
        limits.lease().toMillis() / 2,
        value);
    if (!dead.isEmpty()) {
      suspect(tx, dead);
    }
    end(tx, ids);
    return names;
  }

  private static void end(PostgresSession tx, Collection<Long> ids) {
    if (ids.isEmpty()) {
      return;
    }
    tx.sql.update("DELETE FROM in_flight WHERE domain_id = ANY (?)", tx.longs(ids));
    tx.sql.update(
        "UPDATE domains SET claimed_by = NULL, claim_expires_at = NULL, unclean = 1,"
            + " claimable_at ="
            + DomainReadiness.SQL
            + ", version = version + 1, updated_at = ? WHERE id = ANY (?)",
        tx.now(),
        tx.longs(ids));
  }

  /**
   * A worker died with these in flight. They are asked after all others, and in the end no more.
   */
  private static void suspect(PostgresSession tx, List<Long> domains) {
    tx.sql.update(
        """
        INSERT INTO suspects AS s (url_id, domain_id, deaths)
        SELECT url_id, domain_id, 1 FROM in_flight WHERE domain_id = ANY (?) ORDER BY url_id
        ON CONFLICT (url_id) DO UPDATE SET deaths = s.deaths + 1
        """,
        tx.longs(domains));
    tx.sql.update(
        """
        UPDATE domain_frontier f SET place = place + ? FROM in_flight i
        WHERE i.domain_id = ANY (?) AND f.domain_id = i.domain_id AND f.id = i.url_id
          AND f.state = 0 AND f.place < ?
        """,
        FrontierCodes.TRIED,
        tx.longs(domains),
        FrontierCodes.TRIED / 2);
    record Deadly(long url, long domain, String text, int deaths) {}
    List<Deadly> deadly =
        tx.sql.list(
            """
            UPDATE domain_frontier f SET state = 4 FROM suspects s
            WHERE s.domain_id = ANY (?) AND s.deaths >= ? AND f.domain_id = s.domain_id
              AND f.id = s.url_id AND f.state = 0 RETURNING f.id, f.domain_id, f.url, s.deaths
            """,
            row -> new Deadly(row.getLong(1), row.getLong(2), row.getString(3), row.getInt(4)),
            tx.longs(domains),
            Recovery.SET_ASIDE_AFTER);
    for (Deadly one : deadly) {
      tx.sql.update("DELETE FROM suspects WHERE url_id = ?", one.url());
      tx.sql.update(
          """
          UPDATE domains SET urls_set_aside = urls_set_aside + 1,
            frontier_size = frontier_size - 1, version = version + 1 WHERE id = ?
          """,
          one.domain());
      tx.sql.update(
          "INSERT INTO audit (at, actor, action, subject, reason)"
              + " VALUES (?, 'comity', 'set_aside', ?, ?)",
          tx.now(),
          one.text(),
          one.deaths() + " workers died while it was in flight");
    }
  }

  /** Gives up workers that hold nothing and were not seen for a lease. */
  void giveUpLost(PostgresSession tx) {
    List<String> lost =
        tx.sql.list(
            "SELECT w.id FROM workers w WHERE w.ended_at IS NULL AND w.last_seen_at < ?"
                + " AND NOT EXISTS (SELECT 1 FROM domains d WHERE d.claimed_by = w.id)"
                + " LIMIT "
                + AT_ONCE
                + " FOR UPDATE SKIP LOCKED",
            row -> row.getString(1),
            tx.now() - limits.lease().toMillis());
    lost.forEach(worker -> WorkerRows.end(tx, worker, "lost", tx.now()));
  }

  /** Carries out resets that were written by hand. */
  void resetByHand(PostgresSession tx) {
    List<Row> rows =
        tx.sql.list(
            "SELECT "
                + Row.COLUMNS
                + " FROM domains d WHERE d.reset_by_hand = 1 LIMIT "
                + AT_ONCE
                + SKIP,
            Row::of);
    for (Row row : rows) {
      DomainState before = row.state().value().orElse(DomainState.FRESH);
      UnreadableRows.takeOut(tx, row.id());
      Mending.recount(tx.sql, row.id());
      new Requeuing(tx.sql, row.id()).requeue(Requeuing.Which.SEEDS);
      tx.sql.update(
          "UPDATE authorities SET address_kind = NULL, named = 0 WHERE domain_id = ?", row.id());
      tx.sql.update(
          "UPDATE domains SET "
              + StateColumns.SET
              + ", reset_by_hand = 0, damage = NULL, spent_run_id = NULL WHERE id = ?",
          StateColumns.values(
              policy.reset(before, Instant.ofEpochMilli(tx.now())), tx.now(), row.id()));
      DomainReadiness.set(tx, List.of(row.id()));
    }
  }

  /** Opens domains that an earlier run has spent. */
  private static void reopen(PostgresSession tx, long run) {
    List<Long> spent =
        tx.sql.list(
            "SELECT id FROM domains WHERE spent_run_id IS NOT NULL AND claimed_by IS NULL"
                + " AND (spent_run_id < ? OR spent_run_id > ?) LIMIT "
                + AT_ONCE
                + SKIP,
            row -> row.getLong(1),
            run,
            run);
    if (!spent.isEmpty()) {
      tx.sql.update(
          "UPDATE domains SET spent_run_id = NULL, version = version + 1 WHERE id = ANY (?)",
          tx.longs(spent));
      DomainReadiness.set(tx, spent);
    }
  }

  private void cool(PostgresSession tx) {
    Instant at = Instant.ofEpochMilli(tx.now());
    List<Row> over =
        tx.sql.list(
            "SELECT "
                + Row.COLUMNS
                + " FROM domains d WHERE d.status IN ('blocked', 'unreachable') AND"
                + " d.next_crawl_after <= ? AND d.claimed_by IS NULL AND d.damage IS NULL LIMIT "
                + AT_ONCE
                + SKIP,
            Row::of,
            tx.now());
    for (Row row : over) {
      switch (row.state()) {
        case Stored.Damaged(var reason) -> setAside(tx, row.id(), reason);
        case Stored.Sound(var state) when !Lifecycle.cooledDown(state.standing(), at) ->
            setAside(tx, row.id(), "its cooldown is over by its row, and not by its state");
        case Stored.Sound(var state) -> {
          Transitions.write(
              tx.sql,
              row.id(),
              new Transitions.StatusChange(
                  row.status(), "pending", "cooldown", "the cooldown is over"),
              tx.now());
          tx.sql.update(
              "UPDATE domains SET " + StateColumns.SET + " WHERE id = ?",
              StateColumns.values(policy.cooled(state, at), tx.now(), row.id()));
          if (!DomainReadiness.hasWork(tx, row.id())) {
            // Without a queued URL there would be no request to see whether it is back.
            new Requeuing(tx.sql, row.id()).requeue(Requeuing.Which.ENTRANCES);
          }
          DomainReadiness.set(tx, List.of(row.id()));
        }
      }
    }
  }

  /** Folds the arrivals of domains that are not held, and makes them claimable. */
  void wake(PostgresSession tx) {
    wake(
        tx,
        tx.sql.list(
            "SELECT "
                + Row.COLUMNS
                + " FROM domains d WHERE d.claimed_by IS NULL AND d.reset_by_hand = 0"
                + " AND EXISTS (SELECT 1 FROM arrivals a WHERE a.domain_id = d.id) LIMIT "
                + AT_ONCE
                + SKIP,
            Row::of));
  }

  private void wake(PostgresSession tx, List<Row> rows) {
    List<Long> ids = rows.stream().map(Row::id).toList();
    DomainReadiness.fold(tx, ids);
    for (Row row : rows) {
      if (!row.status().equals("exhausted")) {
        continue;
      }
      switch (row.state()) {
        case Stored.Damaged(var reason) -> setAside(tx, row.id(), reason);
        case Stored.Sound(var state) -> {
          if (DomainReadiness.hasWork(tx, row.id())) {
            Transitions.write(tx.sql, row.id(), Transitions.StatusChange.ARRIVAL, tx.now());
            tx.sql.update(
                "UPDATE domains SET " + StateColumns.SET + " WHERE id = ?",
                StateColumns.values(policy.arrival(state), tx.now(), row.id()));
          }
        }
      }
    }
    DomainReadiness.set(tx, ids);
  }

  /** Sets aside a domain whose stored data cannot be read, and ends its claim. */
  static void setAside(PostgresSession tx, long domain, String reason) {
    tx.sql.update("DELETE FROM in_flight WHERE domain_id = ?", domain);
    tx.sql.update(
        """
        UPDATE domains SET damage = ?, claimable_at = NULL,
          unclean = CASE WHEN claimed_by IS NOT NULL THEN 1 ELSE unclean END, claimed_by = NULL,
          claim_expires_at = NULL, version = version + 1 WHERE id = ?
        """,
        reason,
        domain);
    tx.sql.update(
        """
        INSERT INTO jobs (run_id, domain_id, status, reason, started_at, ended_at)
        SELECT id, ?, 'failed', 'damaged', ?, ? FROM crawl_runs WHERE status = 'running'
        ON CONFLICT (run_id, domain_id) DO UPDATE SET status = 'failed', reason = 'damaged',
          ended_at = excluded.ended_at
        """,
        domain,
        tx.now(),
        tx.now());
    tx.sql.update(
        """
        INSERT INTO audit (at, actor, action, subject, reason)
        SELECT ?, 'comity', 'domain_set_aside', domain, ? FROM domains WHERE id = ?
        """,
        tx.now(),
        reason,
        domain);
  }
}
