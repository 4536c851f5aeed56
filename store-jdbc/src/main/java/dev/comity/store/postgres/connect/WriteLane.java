package dev.comity.store.postgres.connect;

import dev.comity.store.StoreUnusable;
import java.sql.SQLException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection that writes, with a row of its own in {@code lanes}. Every transaction locks that
 * row first and numbers it last. When the answer to a commit is lost, the number says whether it
 * happened: it is looked up, never guessed. A transaction that did not happen is made again.
 */
public final class WriteLane implements AutoCloseable {
  /** Deadlocks and conflicts of one transaction; more are no bad luck. */
  static final int MOST_CONFLICTS = 20;

  private final PostgresDatabase database;
  private final String name;
  private final OutageWait outage;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable PostgresSession session;
  private long process;
  private long number;
  private volatile String worker = "";
  private final LongAdder repeats = new LongAdder();

  /** A lane of this name. */
  public WriteLane(PostgresDatabase database, String name, OutageWait outage) {
    this.database = database;
    this.name = name;
    this.outage = outage;
  }

  /** Writes for this worker from now on; its row has the number 0. */
  public void serve(String other) {
    lock.lock();
    try {
      worker = other;
      number = 0;
    } finally {
      lock.unlock();
    }
  }

  /** How many transactions had to be made again. */
  public long repeats() {
    return repeats.sum();
  }

  /**
   * Runs a transaction. The work may run several times; what it returns counts once.
   *
   * @throws WorkerLost if this worker was given up, so that its claims have ended
   */
  public <T> T write(Function<PostgresSession, T> work) {
    lock.lock();
    try (OutageWait.Tries tries = outage.tries()) {
      int conflicts = 0;
      while (true) {
        try {
          return attempt(work, tries);
        } catch (Undone undone) {
          repeats.increment();
          if (undone.conflict && ++conflicts < MOST_CONFLICTS) {
            continue;
          }
          if (undone.conflict || outage.isHurried()) {
            throw undone.failure;
          }
          tries.pause(undone.failure);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Thrown when this worker was given up: it was not seen for longer than a lease. */
  public static final class WorkerLost extends RuntimeException {
    WorkerLost() {
      super("this worker was not seen for so long that its claims were ended");
    }
  }

  /** A transaction was not made, and can be made again. */
  private static final class Undone extends RuntimeException {
    final StoreUnusable failure;
    final boolean conflict;

    Undone(StoreUnusable failure, boolean conflict) {
      super(failure);
      this.failure = failure;
      this.conflict = conflict;
    }
  }

  private <T> T attempt(Function<PostgresSession, T> work, OutageWait.Tries tries) {
    PostgresSession open = open();
    T result;
    try {
      open.begin();
      open.at(
          open.sql
              .first(
                  "SELECT comity_millis() FROM lanes WHERE worker = ? AND lane = ? FOR UPDATE",
                  row -> row.getLong(1),
                  worker,
                  name)
              .orElseThrow(WorkerLost::new));
      result = work.apply(open);
      open.later.write();
      open.sql.update(
          "UPDATE lanes SET seq = ? WHERE worker = ? AND lane = ?", number + 1, worker, name);
    } catch (StoreUnusable failed) {
      undo(open);
      throw judged(failed);
    } catch (SQLException failed) {
      undo(open);
      throw judged(PostgresDatabase.unusable("the database says", failed));
    } catch (RuntimeException | Error failed) {
      undo(open);
      throw failed;
    }
    try {
      open.commit();
    } catch (SQLException failed) {
      drop();
      if (!isCommitted(number + 1, tries)) {
        // The server answers again, so it is made again at once.
        throw new Undone(PostgresDatabase.unusable("the database says", failed), true);
      }
    }
    number++;
    return result;
  }

  private void undo(PostgresSession open) {
    if (!open.rollBack()) {
      drop();
    }
  }

  /** What another try may mend is undone; what it may not is thrown as it is. */
  private static RuntimeException judged(StoreUnusable failure) {
    if (OutageWait.isConflict(failure)) {
      return new Undone(failure, true);
    }
    return OutageWait.isOutage(failure) ? new Undone(failure, false) : failure;
  }

  private PostgresSession open() {
    if (session == null) {
      try {
        session = new PostgresSession(database).byKeys();
        process = session.process();
      } catch (SQLException failed) {
        throw new Undone(PostgresDatabase.unusable("the server cannot be reached", failed), false);
      }
    }
    return session;
  }

  private void drop() {
    if (session != null) {
      session.close();
      session = null;
    }
  }

  /**
   * Whether the transaction of this number was committed. The server's process of the lost
   * connection is ended first, and its row is waited for: after that the answer is final.
   */
  private boolean isCommitted(long wanted, OutageWait.Tries tries) {
    long lost = process;
    while (true) {
      try {
        PostgresSession fresh = open();
        fresh.begin();
        fresh.sql.exists("SELECT pg_terminate_backend(?)", (int) lost);
        long found =
            fresh
                .sql
                .first(
                    "SELECT seq FROM lanes WHERE worker = ? AND lane = ? FOR UPDATE",
                    row -> row.getLong(1),
                    worker,
                    name)
                .orElseThrow(WorkerLost::new);
        fresh.commit();
        return found >= wanted;
      } catch (Undone | StoreUnusable failed) {
        drop();
        StoreUnusable failure =
            failed instanceof Undone undone ? undone.failure : (StoreUnusable) failed;
        if (outage.isHurried()) {
          throw failure;
        }
        tries.pause(failure);
      } catch (SQLException failed) {
        drop();
        tries.pause(PostgresDatabase.unusable("the database says", failed));
      }
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      drop();
    } finally {
      lock.unlock();
    }
  }
}
