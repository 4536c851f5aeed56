package dev.comity.store.sqlite;

import dev.comity.store.DataDirectory;
import dev.comity.store.OperatorSignal;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.ReaderThread;
import dev.comity.store.sql.Statements;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** The connections of an open store and their threads: one writes, one reads, one checkpoints. */
final class SqliteConnections implements AutoCloseable {
  /** Inserts return to the same pages: at 20 M URLs, a quarter of this cache halves the rate. */
  private static final int WRITER_CACHE_KIB = 256 << 10;

  private static final int READER_CACHE_KIB = 16 << 10;

  final Statements writing;
  final Statements reading;
  final GroupWriter writer;
  final ReaderThread reader;
  final OperatorSignal operators;
  private final Presence presence;
  private final Checkpoints checkpoints;

  SqliteConnections(DataDirectory directory, Consumer<String> trouble) {
    writing = new Statements(directory.writing());
    writing.each("PRAGMA wal_autocheckpoint = 0", _ -> {});
    writing.execute("PRAGMA cache_size = -" + WRITER_CACHE_KIB);
    reading = new Statements(directory.reading());
    reading.execute("PRAGMA cache_size = -" + READER_CACHE_KIB);
    reader = new ReaderThread(reading);
    writer = new GroupWriter(writing, trouble);
    operators = OperatorSignal.of(directory);
    presence = new Presence(directory);
    checkpoints = new Checkpoints(directory, writing);
  }

  /**
   * Starts the threads; the writer tells these what becomes of each group.
   *
   * @param callers how many may write at once
   */
  void start(List<GroupWriter.Follower> followers, IntSupplier callers) {
    writer.follow(presence);
    followers.forEach(writer::follow);
    writer.follow(checkpoints);
    writer.start(callers);
    checkpoints.start();
  }

  @Override
  public void close() {
    writer.close();
    reader.close();
    reading.close();
    writing.close();
    checkpoints.close();
  }
}
