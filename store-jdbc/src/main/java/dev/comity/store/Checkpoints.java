package dev.comity.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/**
 * Moves what was committed from SQLite's log into the database, beside the writer and not in its
 * way. A checkpoint that runs while others write never quite catches up, and the log can only begin
 * anew when one has: so the writer makes a last short one itself, right after the long one.
 */
final class Checkpoints implements GroupWriter.Follower, AutoCloseable {
  /** Frames of the log that are worth moving: 128 MB of them. */
  private static final long WORTH_IT = (128 << 20) / 4096;

  /**
   * Where SQLite's index of the log says how many frames are in use, in the machine's own order.
   */
  private static final int FRAMES_IN_USE = 16;

  private static final int MOST_ROUNDS = 5;
  private static final long FEW = 500;
  private static final String PASSIVE = "PRAGMA wal_checkpoint(PASSIVE)";

  private final Path index;
  private final Statements own;
  private final Statements writers;
  private final Thread thread;
  private volatile boolean catchUp;
  private volatile boolean closing;

  Checkpoints(DataDirectory directory, Statements writers) {
    this.writers = writers;
    index = Path.of(directory.database() + "-shm");
    own = new Statements(directory.writing());
    thread = Thread.ofPlatform().name("store checkpoints").daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!closing) {
        TimeUnit.MILLISECONDS.sleep(200);
        if (!catchUp && frames() > WORTH_IT) {
          for (int round = 0; round < MOST_ROUNDS && framesLeft() > FEW; round++) {
            // What was written while the last one ran is less than that one had to move.
          }
          catchUp = true;
        }
      }
    } catch (InterruptedException _) {
      // Closing.
    } catch (SQLException | IOException _) {
      // The writer meets the same trouble, and tells.
      catchUp = true;
    }
  }

  /** The log's own size says nothing: it begins anew at its front, and is never cut. */
  private long frames() throws IOException {
    ByteBuffer number = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
    try (FileChannel file = FileChannel.open(index, StandardOpenOption.READ)) {
      boolean isThere = file.read(number, FRAMES_IN_USE) == Integer.BYTES;
      return isThere ? Integer.toUnsignedLong(number.getInt(0)) : 0;
    } catch (NoSuchFileException _) {
      // Nothing was ever written.
      return 0;
    }
  }

  private long framesLeft() throws SQLException {
    return own.first(PASSIVE, row -> row.getLong(2) - row.getLong(3)).orElse(0L);
  }

  @Override
  public void committed() {
    if (catchUp) {
      try {
        writers.each(PASSIVE, _ -> {});
      } catch (SQLException _) {
        // Nothing is lost: the log is still there, and the next commit tells of any trouble.
      }
      catchUp = false;
    }
  }

  @Override
  public void close() throws SQLException {
    closing = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    own.close();
  }
}
