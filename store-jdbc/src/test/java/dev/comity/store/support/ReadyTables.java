package dev.comity.store.support;

import dev.comity.store.DataDirectory;
import dev.comity.store.sql.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Empty tables for a test that is not about how they are made. The migrations make them once in a
 * process, and every further directory gets a copy: the library that migrates takes a tenth of a
 * second of computing, and hundreds of tests begin with an empty store.
 */
public final class ReadyTables {
  private static final byte[] DATABASE = made();

  private ReadyTables() {}

  private static byte[] made() {
    try {
      Path home = Files.createTempDirectory("ready-tables");
      DataDirectory directory = new DataDirectory(home);
      Schema.migrate(directory);
      byte[] database = Files.readAllBytes(directory.database());
      // The one file only: closed, a database has no log beside it.
      Files.delete(directory.database());
      Files.delete(home);
      return database;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** The directory, with empty tables unless it has tables already. */
  public static DataDirectory in(Path home) {
    DataDirectory directory = new DataDirectory(home);
    if (!directory.exists()) {
      try {
        Files.createDirectories(home);
        Files.write(directory.database(), DATABASE);
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }
    return directory;
  }
}
