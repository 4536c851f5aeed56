package dev.comity.store.sqlite;

import dev.comity.store.DataDirectory;
import dev.comity.store.StoreUnusable;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.Statements;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/**
 * Moves commits from SQLite's log into the database in a thread beside the writer. While others
 * write, a checkpoint never quite catches up, and only then can the log start over. So the writer
 * makes a last short one itself, after the long one. A checkpoint that catches up waits for the
 * disk; this thread syncs before, so that the writer's wait is short.
 */
final class Checkpoints implements GroupWriter.Follower, AutoCloseable {
  /** Frames of the log that are worth moving: 128 MB of them. */
  private static final long WORTH_IT = (128 << 20) / 4096;

  private static final int MOST_ROUNDS = 5;
  private static final long FEW = 200;
  private static final String PASSIVE = "PRAGMA wal_checkpoint(PASSIVE)";

  /** Only tells how it stands. */
  private static final String NOTHING = "PRAGMA wal_checkpoint(NOOP)";

  /** How many frames the log has, and how many of them are in the database. */
  private record Log(long inUse, long moved) {
    static final Log EMPTY = new Log(0, 0);
  }

  /**
   * The database file, used only to sync it. It stays open as long as any connection: closing a
   * handle may drop all of a process's locks on the file.
   */
  private final FileChannel database;

  private final Statements own;
  private final Statements writers;
  private final long worthIt;
  private final Thread thread;
  private volatile boolean catchUp;
  private volatile boolean closing;

  Checkpoints(DataDirectory directory, Statements writers) {
    this(directory, new Statements(directory.writing()), writers, WORTH_IT);
  }

  /** With another connection and another bound: a test wants a bad one, and not much to write. */
  Checkpoints(DataDirectory directory, Statements own, Statements writers, long worthIt) {
    this.own = own;
    this.writers = writers;
    this.worthIt = worthIt;
    try {
      database = FileChannel.open(directory.database(), StandardOpenOption.WRITE);
    } catch (IOException failed) {
      throw new StoreUnusable("cannot open " + directory.database() + ": " + failed.getMessage());
    }
    thread = Thread.ofPlatform().name("store checkpoints").daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!closing) {
        TimeUnit.MILLISECONDS.sleep(200);
        checkpoint();
      }
    } catch (InterruptedException _) {
      // Closing.
    }
  }

  private void checkpoint() {
    try {
      if (!catchUp && log().inUse() > worthIt) {
        for (int round = 0; round < MOST_ROUNDS && framesLeft() > FEW; round++) {
          // What was written while the last one ran is less than that one had to move.
        }
        wanted();
      }
    } catch (StoreUnusable | IOException _) {
      // The writer reports the same failure. A full disk may have room again later.
      own.renew();
    }
  }

  /** The writer makes the last short one with its next commit. */
  void wanted() {
    catchUp = true;
  }

  /** Moves what is there, and answers how much was written meanwhile. */
  private long framesLeft() throws IOException {
    own.each(PASSIVE, _ -> {});
    database.force(false);
    Log log = log();
    return log.inUse() - log.moved();
  }

  /**
   * Asked of SQLite: its log starts over at the front and is never cut, so its size says nothing.
   */
  private Log log() {
    return own.first(NOTHING, row -> new Log(row.getLong(2), row.getLong(3))).orElse(Log.EMPTY);
  }

  @Override
  public void committed() {
    if (catchUp) {
      try {
        writers.each(PASSIVE, _ -> {});
      } catch (StoreUnusable _) {
        // Nothing is lost: the log is still there, and the next commit tells of any trouble.
        writers.renew();
      }
      catchUp = false;
    }
  }

  /** Closed when no other connection is open. */
  @Override
  public void close() {
    closing = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    own.close();
    try {
      database.close();
    } catch (IOException _) {
      // What SQLite wrote is its own to keep.
    }
  }
}
