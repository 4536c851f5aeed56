package dev.comity.store.crawl;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.Lifecycle;
import dev.comity.core.url.DomainName;
import dev.comity.store.sql.DamagedDomains;
import dev.comity.store.sql.Readiness;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Transitions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Applies the passing of time before each claim: leases expire, cooldowns and rests end. Domains
 * that an earlier run has spent open to this one. Runs in the writer's thread.
 */
public final class Sweep {
  /** A limit for each sweep, so that a claim never takes long; the next claim goes on. */
  private static final int WOKEN_AT_ONCE = 500;

  private final Statements sql;
  private final DomainPolicy policy;
  private final FrontierWriter urls;
  private final Runs runs;
  private final Readiness readiness;

  public Sweep(Statements sql, DomainPolicy policy, FrontierWriter urls, Runs runs) {
    this.sql = sql;
    this.policy = policy;
    this.urls = urls;
    this.runs = runs;
    readiness = new Readiness(sql);
  }

  /** Ends expired claims and wakes domains that may be claimed; returns those with ended claims. */
  public List<DomainName> run(long now) {
    List<DomainName> ended = endExpired(now);
    resetByHand(now);
    reopen(now);
    cool(now);
    sql.update(
        """
        UPDATE domains SET claimable_at = 0, version = version + 1 WHERE id IN
          (SELECT id FROM domains INDEXED BY domains_waiting
           WHERE claimable_at > 0 AND claimable_at <= ? AND claimed_by IS NULL LIMIT ?)
        """,
        now,
        WOKEN_AT_ONCE);
    return ended;
  }

  /** Ends expired claims; returns their domains. */
  public List<DomainName> endExpired(long now) {
    Map<String, Long> ended = new LinkedHashMap<>();
    sql.each(
        "SELECT domain, id FROM domains WHERE claimed_by IS NOT NULL AND claim_expires_at <= ?",
        row -> ended.put(row.getString(1), row.getLong(2)),
        now);
    sql.update(
        "UPDATE domains SET claimed_by = NULL, claim_expires_at = NULL, unclean = 1, claimable_at ="
            + Readiness.SQL
            + ", version = version + 1, updated_at = ?1"
            + " WHERE claimed_by IS NOT NULL AND claim_expires_at <= ?1",
        now);
    List<DomainName> names =
        ended.keySet().stream().flatMap(name -> Stored.name(name).value().stream()).toList();
    names.forEach(urls::forget);
    for (long id : ended.values()) {
      readiness.returnInFlight(id);
    }
    return names;
  }

  /**
   * Carries out resets that were written by hand. A run that is confined to other domains does not
   * get these.
   */
  public void resetByHand(long now) {
    for (Resetting.StoredDomain row : Resetting.byHand(sql)) {
      new Resetting(sql, policy).carryOut(row, now);
      // Mending may have deleted the newest rows.
      urls.overtaken();
      new RunScope(sql).leaveOutOthers(runs.id(), row.id(), now);
    }
  }

  /** Opens domains that an earlier run has spent. */
  private void reopen(long now) {
    List<Long> spent = new ArrayList<>();
    for (String other : List.of("<", ">")) {
      spent.addAll(
          sql.list(
              "SELECT id FROM domains INDEXED BY domains_spent WHERE spent_run_id IS NOT NULL"
                  + " AND claimed_by IS NULL AND spent_run_id "
                  + other
                  + " ? LIMIT ?",
              row -> row.getLong(1),
              runs.id(),
              WOKEN_AT_ONCE));
    }
    for (long id : spent) {
      sql.update(
          "UPDATE domains SET spent_run_id = NULL, version = version + 1, updated_at = ?"
              + " WHERE id = ?",
          now,
          id);
      readiness.set(id);
    }
  }

  private void cool(long now) {
    record Cooled(long id, Stored<DomainState> state, String status) {}
    List<Cooled> over =
        sql.list(
            """
            SELECT id, policy_state, status, domain FROM domains INDEXED BY domains_cooling
            WHERE status IN ('blocked', 'unreachable') AND next_crawl_after <= ?
              AND claimed_by IS NULL AND damage IS NULL LIMIT ?
            """,
            row ->
                new Cooled(
                    row.getLong(1),
                    cooled(row.getString(4), row.getString(2), row.getString(3), now),
                    row.getString(3)),
            now,
            WOKEN_AT_ONCE);
    for (Cooled one : over) {
      if (one.state() instanceof Stored.Damaged(var reason)) {
        new DamagedDomains(sql).setAside(one.id(), reason, now);
        continue;
      }
      DomainState open = one.state().value().orElseThrow();
      Transitions.write(
          sql,
          one.id(),
          new Transitions.StatusChange(one.status(), "pending", "cooldown", "the cooldown is over"),
          now);
      sql.update(
          "UPDATE domains SET " + StateColumns.SET + " WHERE id = ?",
          StateColumns.values(open, now, one.id()));
      if (!readiness.hasWork(one.id())) {
        // Without a queued URL there would be no request to see whether it is back.
        new Requeuing(sql, one.id()).requeue(Requeuing.Which.ENTRANCES);
      }
      readiness.set(one.id());
    }
  }

  /** The state after the cooldown; damaged where the state knows of no end of it. */
  private Stored<DomainState> cooled(String name, String text, String status, long now) {
    Instant at = Instant.ofEpochMilli(now);
    return switch (Stored.state(name, text, status, false)) {
      case Stored.Damaged<DomainState> damaged -> damaged;
      case Stored.Sound(var state) when !Lifecycle.cooledDown(state.standing(), at) ->
          new Stored.Damaged<>("its cooldown is over by its row, and not by its state");
      case Stored.Sound(var state) -> new Stored.Sound<>(policy.cooled(state, at));
    };
  }
}
