package dev.comity.store.sql;

import dev.comity.core.port.store.ClaimLost;
import dev.comity.store.StoreUnusable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The one thread that writes. What has gathered while it was busy, or soon comes where many write,
 * becomes one transaction, so the more there is to write, the less each piece costs; who handed a
 * piece in waits until it is durable.
 *
 * <p>A piece that finds its claim lost has written nothing and fails alone. Should any other fail,
 * the transaction is undone and each piece of it tried again on its own, so that one bad piece
 * spoils nobody's. When it is the disk that has no room, or another process that does not stop
 * writing, nobody is to blame: the group waits and is tried again, and since every worker waits for
 * it, no more work is taken meanwhile.
 */
public final class GroupWriter implements AutoCloseable {
  /** How long a group may grow before it is committed. */
  private static final long GROUP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** How much of that is spent waiting for more, where much is being written. */
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** A group of so many says that much is being written. */
  private static final int MANY = 8;

  /** So many make a transaction worth its while. */
  private static final int ENOUGH = 32;

  private static final long RETRY_SECONDS = 1;

  /** Something to write, inside a transaction. */
  @FunctionalInterface
  public interface Work<T> {
    T write() throws SQLException;
  }

  /** Keeps in memory what rows also hold, and must follow when they do not change after all. */
  public interface Follower {
    /** All of a group is written but not yet committed. */
    default void beforeCommit() throws SQLException {}

    default void committed() {}

    default void rolledBack() {}

    /** Somebody else has written: rows may be other than they were. */
    default void overtaken() {}
  }

  private record Piece<T>(Work<T> work, CompletableFuture<T> done) {
    /** Answers whether the transaction is still sound. */
    @Nullable T run() throws SQLException {
      return work.write();
    }
  }

  private final Statements statements;
  private final List<Follower> followers = new ArrayList<>();
  private final Consumer<String> trouble;
  private final BlockingQueue<Piece<?>> pieces = new LinkedBlockingQueue<>();
  private final Thread thread;
  private int lastGroup;

  /** SQLite's number of the last change by somebody else. */
  private long seen;

  private volatile boolean closing;
  private volatile boolean hurried;

  /**
   * @param trouble hears in a sentence what keeps us from writing, and an empty one when it is over
   */
  public GroupWriter(Statements statements, Consumer<String> trouble) {
    this.statements = statements;
    this.trouble = trouble;
    thread = Thread.ofPlatform().name("store writer").unstarted(this::work);
  }

  public void follow(Follower follower) {
    followers.add(follower);
  }

  public void start() {
    thread.start();
  }

  /** Writes and waits until it is durable. */
  public <T> T write(Work<T> work) {
    Piece<T> piece = new Piece<>(work, new CompletableFuture<>());
    hand(piece);
    try {
      return piece.done().join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause
          ? cause
          : new StoreUnusable("writing failed: " + failed.getCause(), failed);
    }
  }

  /** Writes soon; nobody waits, and it is lost where the process is. */
  public void later(Work<?> work) {
    hand(new Piece<>(work, new CompletableFuture<>()));
  }

  /** How many pieces wait for their turn. */
  int waiting() {
    return pieces.size();
  }

  private void hand(Piece<?> piece) {
    if (closing) {
      throw new StoreUnusable("the store is closed");
    }
    pieces.add(piece);
  }

  private void work() {
    try {
      while (!closing || !pieces.isEmpty()) {
        Piece<?> first = pieces.poll(100, TimeUnit.MILLISECONDS);
        if (first != null) {
          writeGroup(first);
        }
      }
    } catch (InterruptedException _) {
      // Closed in a hurry.
    }
    StoreUnusable closed = new StoreUnusable("the store was closed before this could be written");
    for (Piece<?> left = pieces.poll(); left != null; left = pieces.poll()) {
      left.done().completeExceptionally(closed);
    }
  }

  private void writeGroup(Piece<?> first) throws InterruptedException {
    List<Piece<?>> group = new ArrayList<>();
    List<Runnable> answers = new ArrayList<>();
    try {
      long end = System.nanoTime() + GROUP_NANOS;
      if (lastGroup >= MANY && pieces.size() < ENOUGH) {
        TimeUnit.NANOSECONDS.sleep(GATHER_NANOS);
      }
      begin();
      Piece<?> next = first;
      do {
        group.add(next);
        answers.add(written(next));
        next = System.nanoTime() < end ? pieces.poll() : null;
      } while (next != null);
      lastGroup = group.size();
      commit();
    } catch (SQLException | RuntimeException failed) {
      rollBack();
      if (group.isEmpty()) {
        group.add(first);
      }
      for (Piece<?> piece : group) {
        writeAlone(piece);
      }
      return;
    }
    answers.forEach(Runnable::run);
  }

  /** Answers how to tell the one who waits. */
  private static <T> Runnable written(Piece<T> piece) throws SQLException {
    try {
      T result = piece.run();
      return () -> piece.done().complete(result);
    } catch (ClaimLost lost) {
      return () -> piece.done().completeExceptionally(lost);
    }
  }

  private void writeAlone(Piece<?> piece) throws InterruptedException {
    boolean waited = false;
    while (true) {
      try {
        begin();
        Runnable answer = written(piece);
        commit();
        if (waited) {
          trouble.accept("");
        }
        answer.run();
        return;
      } catch (SQLException failed) {
        rollBack();
        if (!passes(failed) || closing || hurried) {
          piece.done().completeExceptionally(unusable(failed));
          return;
        }
        if (!waited) {
          trouble.accept(unusable(failed).getMessage() + "; trying again until it works");
        }
        waited = true;
        TimeUnit.SECONDS.sleep(RETRY_SECONDS);
      } catch (RuntimeException failed) {
        rollBack();
        piece.done().completeExceptionally(failed);
        return;
      }
    }
  }

  /** Operators write beside us, and bring seeds: what followers remember is then old. */
  private void begin() throws SQLException {
    statements.execute("BEGIN IMMEDIATE");
    long version = statements.number("PRAGMA data_version");
    if (version != seen) {
      seen = version;
      followers.forEach(Follower::overtaken);
    }
  }

  private void commit() throws SQLException {
    for (Follower follower : followers) {
      follower.beforeCommit();
    }
    statements.execute("COMMIT");
    followers.forEach(Follower::committed);
  }

  private void rollBack() {
    statements.renew();
    try {
      statements.execute("ROLLBACK");
    } catch (SQLException _) {
      // SQLite has undone it already, or it never began.
    }
    followers.forEach(Follower::rolledBack);
  }

  /** Whether it may work later with nothing changed by us. */
  private static boolean passes(SQLException failed) {
    return failed instanceof SQLiteException known
        && switch (SQLiteErrorCode.getErrorCode(known.getResultCode().code & 0xff)) {
          case SQLITE_FULL,
              SQLITE_IOERR,
              SQLITE_READONLY,
              SQLITE_BUSY,
              SQLITE_LOCKED,
              SQLITE_NOMEM ->
              true;
          default -> false;
        };
  }

  private static StoreUnusable unusable(SQLException failed) {
    String what =
        failed instanceof SQLiteException known
            ? switch (SQLiteErrorCode.getErrorCode(known.getResultCode().code & 0xff)) {
              case SQLITE_FULL -> "the disk is full";
              case SQLITE_READONLY -> "the data directory is read-only";
              case SQLITE_BUSY, SQLITE_LOCKED -> "another process keeps writing to the database";
              default -> "the database cannot be written to (" + known.getMessage() + ")";
            }
            : "the database cannot be written to (" + failed.getMessage() + ")";
    return new StoreUnusable(what, failed);
  }

  /** From now on, what cannot be written fails at once: somebody wants to leave. */
  public void hurry() {
    hurried = true;
  }

  /** Writes what was handed in, unless that is impossible, and stops. */
  @Override
  public void close() {
    closing = true;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
      thread.interrupt();
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
