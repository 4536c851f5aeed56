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
 * Moves what was committed from SQLite's log into the database, beside the writer and not in its
 * way. A checkpoint that runs while others write never quite catches up, and the log can only begin
 * anew when one has: so the writer makes a last short one itself, right after the long one. SQLite
 * waits for the disk only when it has caught up, and then for all that was ever moved: so that the
 * writer need not, this thread does before.
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
   * The database, for waiting for the disk alone. A system may drop all locks of a process on a
   * file when it closes any one of its handles: open as long as any connection of ours is.
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
      // The writer meets the same trouble, and tells. A full disk has room again some day.
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
   * Asked of SQLite: its log begins anew at its front and is never cut, so its size says nothing.
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
