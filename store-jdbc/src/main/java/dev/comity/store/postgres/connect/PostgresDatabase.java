package dev.comity.store.postgres.connect;

import dev.comity.store.ServerDatabase;
import dev.comity.store.StoreUnusable;
import dev.comity.store.sql.Migrations;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A database on a PostgreSQL server, and how connections to it are made. */
public final class PostgresDatabase {
  /** The oldest server that is tested. */
  private static final int OLDEST_SERVER = 15;

  private final ServerDatabase place;
  private final @Nullable InstantSource clock;

  private PostgresDatabase(ServerDatabase place, @Nullable InstantSource clock) {
    this.place = place;
    this.clock = clock;
  }

  public static PostgresDatabase at(ServerDatabase place) {
    return new PostgresDatabase(place, null);
  }

  /** The database at this address. */
  public static PostgresDatabase at(String address) {
    return at(ServerDatabase.at(address));
  }

  /** The same database, whose time is this clock's instead of the server's. For tests. */
  public PostgresDatabase by(InstantSource other) {
    return new PostgresDatabase(place, other);
  }

  public Optional<InstantSource> clock() {
    return Optional.ofNullable(clock);
  }

  /** A new connection, which is to commit by itself. */
  public Connection connect() throws SQLException {
    return place.connect();
  }

  /** A session for people, to whom a failure is told at once. */
  public PostgresSession session() {
    try {
      return new PostgresSession(this);
    } catch (SQLException failed) {
      throw new StoreUnusable(place.complaint(failed), failed);
    }
  }

  /** Runs one transaction on a connection of its own. */
  public <T> T inTransaction(Function<PostgresSession, T> work) {
    try (PostgresSession session = session()) {
      return session.write(work);
    }
  }

  /**
   * Makes or changes the tables where needed.
   *
   * @throws StoreUnusable if the server or the tables cannot be used
   */
  public void migrate() {
    try (Connection connection = connect()) {
      requireServer(connection);
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        WorkerAdmission.lock(connection);
        int version = version(statement);
        int newest = Migrations.POSTGRES.scripts().size();
        if (version > newest) {
          throw new StoreUnusable(
              "the database was written by a newer Comity, which this one does not understand:"
                  + " use that one");
        }
        if (version > 0 && version < newest) {
          requireNoWorkers(statement);
        }
        if (version < newest) {
          Migrations.POSTGRES.runAfter(version, connection);
        }
        connection.commit();
        if (version > 0 && version < newest) {
          endOlderWorkers();
        }
      }
    } catch (SQLException failed) {
      throw new StoreUnusable(place.complaint(failed), failed);
    }
  }

  /** A process that stood still for long must not write when it goes on. */
  private void endOlderWorkers() throws SQLException {
    try (PostgresSession session = new PostgresSession(this)) {
      session.begin();
      WorkerRows.endOlder(session);
      session.commit();
    }
  }

  /** Workers of an older program would not know the new tables. */
  private static void requireNoWorkers(Statement statement) throws SQLException {
    try (ResultSet workers = statement.executeQuery(WorkerRows.AT_WORK)) {
      if (workers.next() && workers.getLong(1) > 0) {
        throw new StoreUnusable(
            "the tables are those of an older Comity, and %d of its workers are at work:"
                    .formatted(workers.getLong(1))
                + " end them with comity drain WORKER, then start this one");
      }
    }
  }

  private static void requireServer(Connection connection) throws SQLException {
    int major = connection.getMetaData().getDatabaseMajorVersion();
    if (major < OLDEST_SERVER) {
      throw new StoreUnusable(
          "PostgreSQL %d is too old: Comity needs %d or newer".formatted(major, OLDEST_SERVER));
    }
  }

  private static int version(Statement statement) throws SQLException {
    try (ResultSet table =
        statement.executeQuery("SELECT to_regclass('flyway_schema_history') IS NOT NULL")) {
      if (!table.next() || !table.getBoolean(1)) {
        return 0;
      }
    }
    try (ResultSet versions = statement.executeQuery(WorkerAdmission.VERSION)) {
      return versions.next() ? versions.getInt(1) : 0;
    }
  }

  /** A failure in words of the server, which never repeat the address or a password. */
  public static StoreUnusable unusable(String what, SQLException failed) {
    String words = String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
    return new StoreUnusable(what + ": " + words, failed);
  }
}
