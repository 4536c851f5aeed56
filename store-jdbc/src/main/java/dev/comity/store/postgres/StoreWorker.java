package dev.comity.store.postgres;

import dev.comity.store.StoreSettings;
import dev.comity.store.StoreUnusable;
import dev.comity.store.postgres.connect.OutageWait;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.connect.WorkerRows;
import dev.comity.store.postgres.connect.WriteLane;
import dev.comity.store.postgres.connect.WriteLane.WorkerLost;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The worker that a store is for, and its lanes. A group that is stuck blocks neither claims nor
 * the intake. A worker that was given up joins again as another one, without claims.
 */
final class StoreWorker implements AutoCloseable {
  final WriteLane flushing;
  final WriteLane claiming;
  final WriteLane intake;

  private final PostgresDatabase database;
  private final OutageWait outage;
  private final String name;
  private final List<String> off;
  private final RunRows runs;
  private final Runnable lost;
  private volatile String id = "";

  /**
   * @param lost runs when the worker was given up
   */
  StoreWorker(
      PostgresDatabase database,
      OutageWait outage,
      StoreSettings settings,
      RunRows runs,
      Runnable lost) {
    this.database = database;
    this.outage = outage;
    this.runs = runs;
    this.lost = lost;
    name = settings.worker();
    off = settings.off();
    flushing = new WriteLane(database, "flush", outage);
    claiming = new WriteLane(database, "claims", outage);
    intake = new WriteLane(database, "intake", outage);
  }

  /** A name and a fresh number at every start. */
  String id() {
    return id;
  }

  /** Adds this worker beside the others. */
  void join() {
    String fresh = registered();
    id = fresh;
    flushing.serve(fresh);
    claiming.serve(fresh);
    intake.serve(fresh);
  }

  /** After a lost answer it is registered again under the same id, which changes nothing. */
  private String registered() {
    String fresh = name + "-" + UUID.randomUUID();
    try (OutageWait.Tries tries = outage.tries()) {
      while (true) {
        try (PostgresSession session = new PostgresSession(database)) {
          session.begin();
          WorkerRows.join(session, fresh, name, off);
          session.commit();
          return fresh;
        } catch (SQLException failed) {
          tries.pauseOrThrow(
              PostgresDatabase.unusable("the worker could not be registered", failed));
        } catch (StoreUnusable failed) {
          tries.pauseOrThrow(failed);
        }
      }
    }
  }

  /** Writes; if the worker was given up, it joins again and writes then. */
  <T> T rejoining(Supplier<T> work) {
    String before = id;
    try {
      return work.get();
    } catch (WorkerLost _) {
      rejoin(before);
      return work.get();
    }
  }

  private synchronized void rejoin(String before) {
    if (!before.equals(id)) {
      // Another call has done it.
      return;
    }
    lost.run();
    join();
    claiming.write(
        tx -> {
          runs.resume(tx, id);
          return true;
        });
  }

  /** How many transactions had to be made again. */
  long repeats() {
    return flushing.repeats() + claiming.repeats() + intake.repeats();
  }

  /** From now on what cannot be written fails at once. */
  void hurry() {
    outage.hurry();
  }

  @Override
  public void close() {
    flushing.close();
    claiming.close();
    intake.close();
  }
}
