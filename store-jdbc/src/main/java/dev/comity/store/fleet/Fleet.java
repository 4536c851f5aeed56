package dev.comity.store.fleet;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.store.ServerDatabase;
import dev.comity.store.StoreLocation;
import dev.comity.store.postgres.FleetSweep;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.connect.WorkerRows;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.Statements;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** The workers of a store and their runs, as an operator sees them. */
public final class Fleet {
  private Fleet() {}

  /**
   * Workers, the newest first.
   *
   * @param all whether those that have ended count, too
   */
  public static List<WorkerRecord> workers(StoreLocation place, boolean all, int limit) {
    Schema.require(place);
    try (Statements sql = Statements.reading(place)) {
      return sql.list(
          WorkerRecord.QUERY
              + (all ? "" : " WHERE w.ended_at IS NULL")
              + " ORDER BY w.started_at DESC, w.id LIMIT ?",
          WorkerRecord::read,
          limit);
    }
  }

  /**
   * Lets workers give their claims back and end; each notices within seconds.
   *
   * @param worker an id, or a name that several may have
   * @return the ids of those that are up
   */
  public static List<String> drain(ServerDatabase server, String worker, String actor) {
    return inTransaction(
        server,
        tx -> {
          List<String> told =
              tx.sql.list(
                  "UPDATE workers SET state = 'draining' WHERE (id = ? OR name = ?)"
                      + " AND ended_at IS NULL RETURNING id",
                  row -> row.getString(1),
                  worker,
                  worker);
          told.forEach(id -> audit(tx, actor, "drain", id));
          return told;
        });
  }

  /**
   * Ends workers that were not seen for so long and hold nothing, and closes open runs that no
   * worker was at for so long.
   */
  public static CleanedUp cleanUp(
      ServerDatabase server, Duration silence, boolean dry, String actor) {
    return inTransaction(
        server,
        tx -> {
          long before = tx.now() - silence.toMillis();
          List<String> gone =
              tx.sql.list(
                  """
                  SELECT id FROM workers w WHERE ended_at IS NULL AND last_seen_at < ?
                    AND NOT EXISTS (SELECT 1 FROM domains d WHERE d.claimed_by = w.id
                      AND d.claim_expires_at > ?) ORDER BY id
                  """,
                  row -> row.getString(1),
                  before,
                  tx.now());
          if (!dry) {
            FleetSweep sweep =
                new FleetSweep(new DomainPolicy(PolicySettings.DEFAULTS), StoreLimits.DEFAULTS);
            for (String id : gone) {
              sweep.endClaimsOf(tx, id);
              WorkerRows.end(tx, id, "lost", tx.now());
              audit(tx, actor, "worker-ended", id);
            }
          }
          List<Long> runs =
              tx.sql.list(
                  """
                  SELECT r.id FROM crawl_runs r WHERE r.status = 'running'
                    AND greatest(r.started_at, coalesce(r.resumed_at, 0)) < ?
                    AND NOT EXISTS (SELECT 1 FROM workers w WHERE w.run_id = r.id
                      AND w.last_seen_at >= ?) ORDER BY r.id
                  """,
                  row -> row.getLong(1),
                  before,
                  before);
          if (!dry) {
            runs.forEach(run -> close(tx, run, actor, "no worker was at it"));
          }
          return new CleanedUp(gone, runs);
        });
  }

  /** What was cleaned up: ids of workers and of runs. */
  public record CleanedUp(List<String> workers, List<Long> runs) {}

  /** Closes the open runs and ends all claims, so that another run can begin. */
  public static void supersede(ServerDatabase server, String actor) {
    inTransaction(
        server,
        tx -> {
          tx.sql.exists("SELECT pg_advisory_xact_lock(hashtext('comity.runs'))");
          List<Long> runs =
              tx.sql.list(
                  "SELECT id FROM crawl_runs WHERE status = 'running' ORDER BY id FOR UPDATE",
                  row -> row.getLong(1));
          runs.forEach(run -> close(tx, run, actor, "another crawl was begun"));
          FleetSweep sweep =
              new FleetSweep(new DomainPolicy(PolicySettings.DEFAULTS), StoreLimits.DEFAULTS);
          // Some hundreds are ended at a time.
          while (!sweep.endClaims(tx, "d.claimed_by <> ?", "").isEmpty()) {}
          return true;
        });
  }

  private static void close(PostgresSession tx, long run, String actor, String reason) {
    tx.sql.update(
        "UPDATE crawl_runs SET status = 'superseded', ended_at = greatest(?, started_at),"
            + " end_reason = ? WHERE id = ?",
        tx.now(),
        reason,
        run);
    audit(tx, actor, "run-closed", "run " + run);
  }

  private static void audit(PostgresSession tx, String actor, String action, String subject) {
    tx.sql.update(
        "INSERT INTO audit (at, actor, action, subject) VALUES (?, ?, ?, ?)",
        tx.now(),
        actor,
        action,
        subject);
  }

  private static <T> T inTransaction(ServerDatabase server, Function<PostgresSession, T> work) {
    Schema.require(server);
    return PostgresDatabase.at(server).inTransaction(work);
  }
}
