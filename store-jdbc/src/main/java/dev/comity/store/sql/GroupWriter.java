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
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The one thread that writes. All pieces that gathered while it was busy become one transaction, so
 * a piece costs less the more there are. The caller of a piece waits until it is durable.
 *
 * <p>A piece that finds its claim lost has written nothing and fails alone. If another piece fails,
 * the transaction is undone and each piece is tried again in its own transaction. On a full disk,
 * or while another process keeps writing, the writer waits and tries again. All workers wait for
 * it, so no more work is taken meanwhile.
 */
public final class GroupWriter implements AutoCloseable {
  /** How long a group may grow before it is committed: an answer waits no longer than that. */
  private static final long GROUP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * How long it waits for more pieces, when many could still come. Pages of the file that many
   * pieces change are written once a group. 2 ms and 32 pieces wrote 8 of them for each page of a
   * crawl, 10 ms and 128 write 5.
   */
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** A group with this many callers means that many pieces come: a thousand a second do not. */
  private static final int MANY = 16;

  /** With this many waiting, there is no need to wait for more. */
  private static final int ENOUGH = 128;

  private static final long RETRY_SECONDS = 1;

  /** Keeps values of rows in memory, and must follow when a group is rolled back. */
  public interface Follower {
    /** A group is written but not yet committed. */
    default void beforeCommit() {}

    default void committed() {}

    default void rolledBack() {}

    /** Another process has written: rows may have changed. */
    default void overtaken() {}
  }

  /**
   * @param awaited whether a caller waits for it
   */
  private record Piece<T>(Supplier<T> work, CompletableFuture<T> done, boolean awaited) {}

  private final Statements statements;
  private final List<Follower> followers = new ArrayList<>();
  private final Consumer<String> trouble;
  private IntSupplier callers = () -> 0;
  private final BlockingQueue<Piece<?>> pieces = new LinkedBlockingQueue<>();
  private final Thread thread;
  private int lastGroup;

  /** SQLite's number of the last change by another connection. */
  private long seen;

  private volatile boolean closing;
  private volatile boolean hurried;

  /**
   * @param trouble is told in a sentence why writing fails, and with an empty one that it works
   *     again
   */
  public GroupWriter(Statements statements, Consumer<String> trouble) {
    this.statements = statements;
    this.trouble = trouble;
    thread = Thread.ofPlatform().name("store writer").unstarted(this::work);
  }

  public void follow(Follower follower) {
    followers.add(follower);
  }

  /**
   * Starts the thread.
   *
   * @param most how many callers there may be now, each with one piece at a time
   */
  public void start(IntSupplier most) {
    callers = most;
    thread.start();
  }

  /** Writes and waits until it is durable. */
  public <T> T write(Supplier<T> work) {
    Piece<T> piece = new Piece<>(work, new CompletableFuture<>(), true);
    hand(piece);
    try {
      return piece.done().join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause
          ? cause
          : new StoreUnusable("writing failed: " + failed.getCause(), failed);
    }
  }

  /** Writes without a result and waits until it is durable. */
  public void run(Runnable work) {
    write(done(work));
  }

  /** Writes soon and does not wait; a crash may lose it. */
  public void later(Runnable work) {
    hand(new Piece<>(done(work), new CompletableFuture<>(), false));
  }

  private static Supplier<Boolean> done(Runnable work) {
    return () -> {
      work.run();
      return true;
    };
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
    Piece<?> second = null;
    try {
      long end = System.nanoTime() + GROUP_NANOS;
      // A piece without a caller has time: the next one most often has a caller.
      second = first.awaited() ? null : pieces.poll(GATHER_NANOS, TimeUnit.NANOSECONDS);
      if (waitsForMore()) {
        TimeUnit.NANOSECONDS.sleep(GATHER_NANOS);
      }
      begin();
      Piece<?> next = first;
      do {
        group.add(next);
        answers.add(written(next));
        next = second != null ? second : System.nanoTime() < end ? pieces.poll() : null;
        second = null;
      } while (next != null);
      lastGroup = (int) group.stream().filter(Piece::awaited).count();
      commit();
    } catch (RuntimeException | Error failed) {
      rollBack();
      if (group.isEmpty()) {
        group.add(first);
      }
      if (second != null) {
        group.add(second);
      }
      for (Piece<?> piece : group) {
        writeAlone(piece);
      }
      return;
    }
    answers.forEach(Runnable::run);
  }

  /** Whether many pieces are being written, and most of those who could write do not wait yet. */
  private boolean waitsForMore() {
    int waiting = pieces.size();
    return lastGroup >= MANY && waiting < ENOUGH && waiting < callers.getAsInt() / 2;
  }

  /** Returns how to answer the thread that waits. */
  private static <T> Runnable written(Piece<T> piece) {
    try {
      T result = piece.work().get();
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
      } catch (RuntimeException | Error failed) {
        rollBack();
        if (!(failed.getCause() instanceof SQLException cause)) {
          piece.done().completeExceptionally(failed);
          return;
        }
        if (!passes(cause) || closing || hurried) {
          piece.done().completeExceptionally(unusable(cause));
          return;
        }
        if (!waited) {
          trouble.accept(unusable(cause).getMessage() + "; trying again until it works");
        }
        waited = true;
        TimeUnit.SECONDS.sleep(RETRY_SECONDS);
      }
    }
  }

  /** Operators and the intake write from other processes: followers must read again. */
  private void begin() {
    statements.execute("BEGIN IMMEDIATE");
    long version = statements.number("PRAGMA data_version");
    if (version != seen) {
      seen = version;
      followers.forEach(Follower::overtaken);
    }
  }

  private void commit() {
    for (Follower follower : followers) {
      follower.beforeCommit();
    }
    statements.execute("COMMIT");
    followers.forEach(Follower::committed);
  }

  private void rollBack() {
    statements.rollBack();
    followers.forEach(Follower::rolledBack);
  }

  /** Whether the same write may work later. */
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

  /** From now on a failed write is not retried: the process is to end. */
  public void hurry() {
    hurried = true;
  }

  /** Writes all pieces that wait, if that is possible, and stops. */
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
