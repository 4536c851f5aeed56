package dev.comity.store.sql;

import dev.comity.store.DataDirectory;
import dev.comity.store.DirectoryInUse;
import dev.comity.store.SqlDialect;
import dev.comity.store.StoreLocation;
import dev.comity.store.StoreUnusable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Brings the tables of a data directory to the form this program knows. */
public final class Schema {
  /** The newest migration there is. */
  public static final int VERSION = Migrations.SCRIPTS.size();

  private Schema() {}

  /** Whether the tables are there, in the form this program knows. */
  public static boolean isCurrent(StoreLocation place) {
    return place.exists() && version(place) == newest(place);
  }

  private static int newest(StoreLocation place) {
    return scripts(place).scripts().size();
  }

  private static Migrations scripts(StoreLocation place) {
    return switch (place.dialect()) {
      case SQLITE -> Migrations.SQLITE;
      case POSTGRES -> Migrations.POSTGRES;
    };
  }

  /** Makes or changes the tables where needed. The caller holds the directory. */
  public static void migrate(DataDirectory directory) {
    if (isCurrent(directory)) {
      return;
    }
    requireKnown(directory);
    directory.make();
    try (Connection connection = directory.writing()) {
      Migrations.SQLITE.runAfter(version(directory), connection);
    } catch (SQLException failed) {
      throw new StoreUnusable(
          "the tables in "
              + directory.path()
              + " could not be made: "
              + String.valueOf(failed.getMessage()).lines().findFirst().orElse(""),
          failed);
    }
  }

  /**
   * Changes the tables that an older program left, while no crawl uses them.
   *
   * @throws DirectoryInUse if a crawl has the directory
   */
  public static void upgrade(DataDirectory directory) {
    if (!isCurrent(directory)) {
      try (DataDirectory.Hold _ = directory.hold()) {
        migrate(directory);
      }
    }
  }

  /** Whether nothing was kept yet: there is no database, or it has no tables of ours. */
  public static boolean isEmpty(StoreLocation place) {
    return !place.exists() || version(place) == 0;
  }

  /**
   * Refuses tables this program does not know.
   *
   * @throws StoreUnusable if they are older, so that a crawl must bring them up to date first, or
   *     newer than this program
   */
  public static void require(StoreLocation place) {
    requireKnown(place);
    // A directory without a database says so itself.
    int version = place instanceof DataDirectory || place.exists() ? version(place) : 0;
    if (version == 0 && place.dialect() == SqlDialect.POSTGRES) {
      throw new StoreUnusable(
          "there is nothing in " + place.shown() + " yet; crawl something, or name another --db");
    }
    if (version < newest(place)) {
      throw new StoreUnusable(
          place.shown() + " was written by an older Comity; the next crawl brings it up to date");
    }
  }

  private static void requireKnown(StoreLocation place) {
    if (place.exists() && version(place) > newest(place)) {
      throw new StoreUnusable(
          place.shown()
              + " was written by a newer Comity, which this one does not understand: use that one");
    }
  }

  private static int version(StoreLocation place) {
    try (Connection connection = place.reading();
        Statement statement = connection.createStatement()) {
      try (ResultSet tables =
          statement.executeQuery(
              switch (place.dialect()) {
                case SQLITE ->
                    "SELECT count(*) FROM sqlite_master WHERE name = 'flyway_schema_history'";
                case POSTGRES ->
                    "SELECT count(*) WHERE to_regclass('flyway_schema_history') IS NOT NULL";
              })) {
        if (!tables.next() || tables.getInt(1) == 0) {
          return 0;
        }
      }
      try (ResultSet versions =
          statement.executeQuery(
              "SELECT coalesce(max(CAST(version AS INTEGER)), 0) FROM flyway_schema_history"
                  + " WHERE success")) {
        return versions.next() ? versions.getInt(1) : 0;
      }
    } catch (SQLException failed) {
      throw new StoreUnusable(
          place instanceof DataDirectory directory
              ? directory.database()
                  + " cannot be read as a database of Comity's: "
                  + failed.getMessage()
              : place.shown() + " cannot be read: " + failed.getMessage(),
          failed);
    }
  }
}
