package dev.comity.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteOpenMode;

/**
 * Where a crawl keeps its data: a directory with a database in it, and a lock that one crawl at a
 * time holds. Readers and operators need no lock.
 *
 * @param path the directory
 */
public record DataDirectory(Path path) implements StoreLocation {
  private static final String DATABASE = "comity.db";
  private static final String LOCK = "lock";

  /**
   * A crawl also locks this byte of the lock file. To see whether a crawl runs, a process tries
   * this byte for a moment; that keeps no crawl from locking the bytes before it.
   */
  private static final long AT_WORK = 1L << 40;

  /**
   * The directories this process holds, each with whether it crawls there. Their lock files are not
   * opened again: closing any handle of a file may drop all of a process's locks on it.
   */
  private static final Map<Path, Boolean> HELD = new ConcurrentHashMap<>();

  /** How long a statement waits for another process that is writing. */
  private static final int BUSY_MILLIS = 10_000;

  @Override
  public boolean exists() {
    return Files.isRegularFile(database());
  }

  public Path database() {
    return path.resolve(DATABASE);
  }

  /**
   * Takes the directory for one crawl, or for what no crawl may meet, making it where it is
   * missing. The system gives the lock back when the process ends, however it ends.
   *
   * @throws DirectoryInUse if another has it
   */
  public Hold hold() {
    try {
      Files.createDirectories(path);
      Path real = path.toRealPath();
      if (HELD.putIfAbsent(real, false) != null) {
        throw new DirectoryInUse(path, us());
      }
      try {
        return new Hold(real, locked());
      } catch (IOException | RuntimeException failed) {
        HELD.remove(real);
        throw failed;
      }
    } catch (FileAlreadyExistsException _) {
      throw new StoreUnusable(path + " is a file; a data directory is needed");
    } catch (IOException failed) {
      throw new StoreUnusable("cannot use the data directory " + path + ": " + why(failed), failed);
    }
  }

  private FileChannel locked() throws IOException {
    FileChannel channel =
        FileChannel.open(
            lockFile(),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    if (channel.tryLock(0, AT_WORK, false) == null) {
      String holder = holder(channel);
      channel.close();
      throw new DirectoryInUse(path, holder);
    }
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(us().getBytes(StandardCharsets.US_ASCII)), 0);
    return channel;
  }

  private Path lockFile() {
    return path.resolve(LOCK);
  }

  private static String us() {
    return Long.toString(ProcessHandle.current().pid());
  }

  /** Whether a crawl is at work here now, in whatever process. */
  public boolean isCrawled() {
    try {
      Boolean ours = HELD.get(path.toRealPath());
      if (ours != null) {
        return ours;
      }
      try (FileChannel channel = FileChannel.open(lockFile(), StandardOpenOption.READ)) {
        return channel.tryLock(AT_WORK, 1, true) == null;
      }
    } catch (OverlappingFileLockException _) {
      // Another thread of this process is looking, and has found none.
      return false;
    } catch (IOException _) {
      // A crawl would have made it.
      return false;
    }
  }

  /** The files a crawl works with, as they are now. */
  public List<FileIdentity> files() {
    return List.of(FileIdentity.of(lockFile()), FileIdentity.of(database()));
  }

  /** The system's message is often only the path. */
  private static String why(IOException failed) {
    return switch (failed) {
      case AccessDeniedException _ -> "access is denied";
      case NoSuchFileException _ -> "it cannot be made there";
      case FileSystemException known when known.getReason() != null -> known.getReason();
      default -> String.valueOf(failed.getMessage());
    };
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(20);
    channel.read(text, 0);
    String pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
    return pid.chars().allMatch(Character::isDigit) ? pid : "";
  }

  /** Makes an empty database; what it is made with cannot be changed later. */
  public void make() {
    try {
      Files.createDirectories(path);
      writing().close();
    } catch (IOException | SQLException failed) {
      throw new StoreUnusable("cannot make " + database() + ": " + failed.getMessage());
    }
  }

  @Override
  public Connection writing() {
    return open();
  }

  @Override
  public Connection reading() {
    if (!exists()) {
      throw new StoreUnusable(
          "there is nothing in " + path + " yet; crawl something, or name another --data");
    }
    Connection connection = open();
    try (Statement statement = connection.createStatement()) {
      // Not opened read-only: after a crash the first connection must recover the log.
      statement.execute("PRAGMA query_only = true");
    } catch (SQLException failed) {
      throw new StoreUnusable("cannot read " + database() + ": " + failed.getMessage());
    }
    return connection;
  }

  @Override
  public Connection snapshot() {
    Connection connection = reading();
    try (Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
    } catch (SQLException failed) {
      throw new StoreUnusable("cannot read " + database() + ": " + failed.getMessage());
    }
    return connection;
  }

  @Override
  public SqlDialect dialect() {
    return SqlDialect.SQLITE;
  }

  @Override
  public String shown() {
    return path.toString();
  }

  private Connection open() {
    try {
      return config().createConnection("jdbc:sqlite:" + database());
    } catch (SQLException failed) {
      throw new StoreUnusable("cannot open " + database() + ": " + failed.getMessage());
    }
  }

  private static SQLiteConfig config() {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.NORMAL);
    config.setBusyTimeout(BUSY_MILLIS);
    config.setPageSize(4096);
    // The driver would otherwise ask for the last row's id after every single update.
    config.setGetGeneratedKeys(false);
    // One thread at a time uses a connection, so SQLite needs no lock for each call.
    config.setOpenMode(SQLiteOpenMode.NOMUTEX);
    return config;
  }

  /**
   * The right to crawl with this directory, until closed.
   *
   * @param directory by its real path
   */
  public record Hold(Path directory, FileChannel lock) implements AutoCloseable {
    /** Shows other processes that a crawl runs, until closed. */
    public void crawling() {
      try {
        // Waits for a process that tries this byte at the moment.
        lock.lock(AT_WORK, 1, false);
      } catch (IOException failed) {
        throw new StoreUnusable("cannot lock " + directory + ": " + failed.getMessage(), failed);
      }
      HELD.put(directory, true);
    }

    @Override
    public void close() {
      try {
        lock.close();
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      } finally {
        HELD.remove(directory);
      }
    }
  }
}
