package dev.comity.store.postgres.connect;

import dev.comity.store.StoreUnusable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection that writes, with a row of its own in {@code lanes}. Every transaction locks that
 * row first and numbers it last. When the answer to a commit is lost, the number says whether it
 * happened: it is looked up, never guessed. A transaction that did not happen is made again.
 */
public final class WriteLane implements AutoCloseable {
  private static final Duration LEAST_WAIT = Duration.ofMillis(200);
  private static final Duration MOST_WAIT = Duration.ofSeconds(5);

  /** Deadlocks and conflicts of one transaction; more are no bad luck. */
  private static final int MOST_CONFLICTS = 20;

  private final PostgresDatabase database;
  private final String name;
  private final Consumer<String> trouble;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable PostgresSession session;
  private long process;
  private long number;
  private volatile String worker = "";
  private final CountDownLatch hurried = new CountDownLatch(1);
  private boolean troubled;
  private final LongAdder repeats = new LongAdder();

  /**
   * A lane of this name.
   *
   * @param trouble hears what keeps it from writing, and an empty text when that is over
   */
  public WriteLane(PostgresDatabase database, String name, Consumer<String> trouble) {
    this.database = database;
    this.name = name;
    this.trouble = trouble;
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

  /** From now on what cannot be written fails at once. */
  public void hurry() {
    hurried.countDown();
  }

  /** How many transactions had to be made again. */
  public long repeats() {
    return repeats.sum();
  }

  private boolean isHurried() {
    return hurried.getCount() == 0;
  }

  /**
   * Runs a transaction. The work may run several times; what it returns counts once.
   *
   * @throws WorkerLost if this worker was given up, so that its claims have ended
   */
  public <T> T write(Function<PostgresSession, T> work) {
    lock.lock();
    try {
      Duration wait = LEAST_WAIT;
      int conflicts = 0;
      while (true) {
        try {
          T result = attempt(work);
          over();
          return result;
        } catch (Undone undone) {
          repeats.increment();
          if (undone.conflict && ++conflicts < MOST_CONFLICTS) {
            continue;
          }
          if (undone.conflict || isHurried()) {
            throw undone.failure;
          }
          wait = pause(undone.failure, wait);
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

  private <T> T attempt(Function<PostgresSession, T> work) {
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
      if (!isCommitted(number + 1)) {
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
    String state =
        failure.getCause() instanceof SQLException sql
            ? Optional.ofNullable(sql.getSQLState()).orElse("")
            : "";
    return switch (state) {
      case "40001", "40P01" -> new Undone(failure, true);
      // A lost connection, a server that stops or starts, no room or no memory.
      case String it
          when it.startsWith("08")
              || it.startsWith("57P0")
              || it.startsWith("53")
              || it.equals("25P03") ->
          new Undone(failure, false);
      default -> failure;
    };
  }

  private PostgresSession open() {
    if (session == null) {
      try {
        session = new PostgresSession(database);
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
  private boolean isCommitted(long wanted) {
    long lost = process;
    Duration wait = LEAST_WAIT;
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
        if (isHurried()) {
          throw failure;
        }
        wait = pause(failure, wait);
      } catch (SQLException failed) {
        drop();
        wait = pause(PostgresDatabase.unusable("the database says", failed), wait);
      }
    }
  }

  /** Waits before the next try; returns how long to wait after that. */
  private Duration pause(StoreUnusable failure, Duration wait) {
    if (!troubled) {
      troubled = true;
      trouble.accept(String.valueOf(failure.getMessage()));
    }
    long most = wait.toMillis();
    try {
      long millis = most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1);
      if (hurried.await(millis, TimeUnit.MILLISECONDS)) {
        throw failure;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw failure;
    }
    Duration longer = wait.multipliedBy(2);
    return longer.compareTo(MOST_WAIT) > 0 ? MOST_WAIT : longer;
  }

  private void over() {
    if (troubled) {
      troubled = false;
      trouble.accept("");
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
