package dev.comity.store.postgres.connect;

import dev.comity.store.StoreUnusable;
import dev.comity.store.sql.Migrations;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A database on a PostgreSQL server, and how connections to it are made. */
public final class PostgresDatabase {
  /** The oldest server that is tested. */
  private static final int OLDEST_SERVER = 15;

  /** A longer silence of the server is a lost connection. */
  private static final Duration SILENCE = Duration.ofSeconds(15);

  /** A transaction whose client is gone holds its locks no longer. */
  private static final Duration IDLE = Duration.ofSeconds(10);

  /** Keeps two programs from changing the tables at once: any number that no other program uses. */
  private static final long MIGRATION_LOCK = 0x436f_6d69_7479L;

  private final String url;
  private final @Nullable InstantSource clock;

  private PostgresDatabase(String url, @Nullable InstantSource clock) {
    this.url = url;
    this.clock = clock;
  }

  /**
   * The database at this address.
   *
   * @param url of the driver's form; no message of this program shows it
   */
  public static PostgresDatabase at(String url) {
    return new PostgresDatabase(url, null);
  }

  /** The same database, whose time is this clock's instead of the server's. For tests. */
  public PostgresDatabase by(InstantSource other) {
    return new PostgresDatabase(url, other);
  }

  public Optional<InstantSource> clock() {
    return Optional.ofNullable(clock);
  }

  /** A new connection, which is to commit by itself. */
  public Connection connect() throws SQLException {
    Properties settings = new Properties();
    settings.setProperty("ApplicationName", "comity");
    settings.setProperty("tcpKeepAlive", "true");
    settings.setProperty("connectTimeout", "" + SILENCE.toSeconds());
    settings.setProperty("loginTimeout", "" + SILENCE.toSeconds());
    settings.setProperty("socketTimeout", "" + SILENCE.toSeconds());
    // A text has the type of the column that it is for, also where that is an enum.
    settings.setProperty("stringtype", "unspecified");
    settings.setProperty("reWriteBatchedInserts", "true");
    settings.setProperty("options", "-c idle_in_transaction_session_timeout=" + IDLE.toMillis());
    return DriverManager.getConnection(url, settings);
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
        statement.execute("SELECT pg_advisory_xact_lock(" + MIGRATION_LOCK + ")");
        int version = version(statement);
        int newest = Migrations.POSTGRES.scripts().size();
        if (version > newest) {
          throw new StoreUnusable(
              "the database was written by a newer Comity, which this one does not understand:"
                  + " use that one");
        }
        if (version < newest) {
          Migrations.POSTGRES.runAfter(version, connection);
        }
        connection.commit();
      }
    } catch (SQLException failed) {
      throw unusable("the tables could not be made", failed);
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
    try (ResultSet versions =
        statement.executeQuery(
            "SELECT coalesce(max(CAST(version AS INTEGER)), 0) FROM flyway_schema_history"
                + " WHERE success")) {
      return versions.next() ? versions.getInt(1) : 0;
    }
  }

  /** A failure in words of the server, which never repeat the address or a password. */
  public static StoreUnusable unusable(String what, SQLException failed) {
    String words = String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
    return new StoreUnusable(what + ": " + words, failed);
  }
}
