package dev.comity.store.postgres;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Ending;
import dev.comity.store.order.Priorities;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.rows.DomainReadiness;
import dev.comity.store.postgres.rows.RefreshRows;
import dev.comity.store.postgres.rows.SourcePaces;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Transitions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives domains back, after the other pieces of their group. Their rows are locked. */
record FlushedReleases(
    DomainPolicy policy, Priorities priorities, RunRows runs, SourcePaces sources) {

  /** Writes the releases among these pieces. */
  void write(PostgresSession tx, List<FlushPiece> pieces) {
    List<FlushPiece.Released> released =
        pieces.stream()
            .filter(FlushPiece.Released.class::isInstance)
            .map(FlushPiece.Released.class::cast)
            .toList();
    if (released.isEmpty()) {
      return;
    }
    List<Long> ids = released.stream().map(one -> one.domain().id).sorted().toList();
    Set<Long> working = DomainReadiness.working(tx, ids);
    for (FlushPiece.Released one : released) {
      release(tx, one, working.contains(one.domain().id));
    }
    tx.sql.update("DELETE FROM in_flight WHERE domain_id = ANY (?)", tx.longs(ids));
    tx.later.write();
    DomainReadiness.set(tx, ids);
    RefreshRows.schedule(tx, exhausted(tx, ids));
    for (FlushPiece.Released one : released) {
      if (one.ending() instanceof Ending.DueLater(var at, _)) {
        sources.waitUntil(tx, one.domain().id, StateColumns.ceilMillis(at));
      }
    }
    ids.forEach(id -> priorities.recalculate(tx.sql, id, tx.now()));
  }

  private static List<Long> exhausted(PostgresSession tx, List<Long> ids) {
    return tx.sql.list(
        "SELECT id FROM domains WHERE id = ANY (?) AND status = 'exhausted'",
        row -> row.getLong(1),
        tx.longs(ids));
  }

  private void release(PostgresSession tx, FlushPiece.Released one, boolean hasWork) {
    HeldDomain held = one.domain();
    DomainState last = one.state();
    DomainState state = last;
    if (last.standing().status() != held.status) {
      Transitions.byHolder(tx.later, held.id, held.status, last.standing(), tx.now());
    }
    if (last.standing().status() == DomainStatus.EXHAUSTED && hasWork) {
      // A URL arrived while its holder was leaving.
      state = policy.arrival(last);
      Transitions.write(tx.later, held.id, Transitions.StatusChange.ARRIVAL, tx.now());
    }
    Ending ending = one.ending();
    boolean borrowed = ending instanceof Ending.Borrowed;
    boolean spent =
        ending instanceof Ending.JobFailed || ending instanceof Ending.DomainOutOfBudget;
    Long parked =
        ending instanceof Ending.RestUntil(var at, _) ? (Long) StateColumns.ceilMillis(at) : null;
    tx.later.update(
        "UPDATE domains SET "
            + StateColumns.SET
            + ", claimed_by = NULL, claim_expires_at = NULL, spent_run_id = CASE WHEN ? = 1 THEN"
            + " spent_run_id ELSE ? END, not_before = coalesce(?, not_before) WHERE id = ?",
        StateColumns.values(
            state,
            tx.now(),
            borrowed || held.imagesOnly ? 1 : 0,
            spent ? (Long) runs.id() : null,
            parked,
            held.id));
    if (!borrowed) {
      endJob(tx, held, ending);
    }
  }

  /** A job without a page of a domain that closed has failed. */
  private void endJob(PostgresSession tx, HeldDomain held, Ending ending) {
    String status = status(ending);
    if (held.imagesOnly && !(ending instanceof Ending.JobFailed)) {
      status = "spent";
    }
    boolean closed = status.equals("closed");
    tx.later.update(
        """
        UPDATE jobs SET status = CASE WHEN ? = 0 THEN ? WHEN pages = 0 THEN 'failed' ELSE 'done' END,
          reason = ?, ended_at = CASE WHEN ? = 1 THEN greatest(?, started_at) END
        WHERE run_id = ? AND domain_id = ?
        """,
        closed ? 1 : 0,
        status,
        reason(ending),
        status.equals("open") ? 0 : 1,
        tx.now(),
        runs.id(),
        held.id);
  }

  private static @Nullable String reason(Ending ending) {
    return switch (ending) {
      case Ending.JobFailed(var why) -> why;
      case Ending.Closed(var standing) ->
          standing.reason().map(why -> StateColumns.lower(why.name())).orElse(null);
      case Ending _ -> null;
    };
  }

  private static String status(Ending ending) {
    return switch (ending) {
      case Ending.Exhausted _ -> "done";
      case Ending.JobFailed _ -> "failed";
      case Ending.DomainOutOfBudget _ -> "spent";
      case Ending.Closed _ -> "closed";
      case Ending.RestUntil _,
          Ending.DueLater _,
          Ending.RunOutOfBudget _,
          Ending.Borrowed _,
          Ending.Paused _,
          Ending.Stopped _,
          Ending.SetAside _,
          Ending.Lost _ ->
          "open";
    };
  }
}
