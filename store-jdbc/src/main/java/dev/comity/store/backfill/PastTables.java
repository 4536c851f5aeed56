package dev.comity.store.backfill;

import dev.comity.store.ServerDatabase;
import dev.comity.store.SqlDialect;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code crawl_log} and {@code provenance} from a database of another program, row by row, in
 * one transaction that reads only. A table may be a view, a foreign table or one of partitions.
 */
public final class PastTables implements AutoCloseable {
  private static final String LOG = "crawl_log";
  private static final String PROVENANCE = "provenance";
  private static final int FETCHED = 1000;

  private final Connection connection;
  private final SqlDialect dialect;

  private PastTables(Connection connection, SqlDialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
  }

  /** Whether a text names a PostgreSQL server; anything else is a file. */
  public static boolean isServer(String from) {
    return from.startsWith("postgresql:")
        || from.startsWith("postgres:")
        || from.startsWith("jdbc:postgresql:");
  }

  /** Whether a file is a SQLite database, by its first bytes. */
  public static boolean isDatabase(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(15), StandardCharsets.ISO_8859_1).equals("SQLite format 3");
    } catch (IOException _) {
      return false;
    }
  }

  /** Opens a SQLite database. */
  public static PastTables file(Path file) {
    try {
      return opened(
          DriverManager.getConnection("jdbc:sqlite:file:" + file.toAbsolutePath() + "?mode=ro"),
          SqlDialect.SQLITE);
    } catch (SQLException failed) {
      throw unreadable(failed);
    }
  }

  /** Opens a database on a PostgreSQL server. */
  public static PastTables server(ServerDatabase server) {
    try {
      Connection connection = server.connect();
      connection.setReadOnly(true);
      return opened(connection, SqlDialect.POSTGRES);
    } catch (SQLException failed) {
      throw new PastUnreadable("the database to read from: " + server.complaint(failed), failed);
    }
  }

  private static PastTables opened(Connection connection, SqlDialect dialect) throws SQLException {
    // Otherwise the driver would hold all rows in memory.
    connection.setAutoCommit(false);
    return new PastTables(connection, dialect);
  }

  /** Hands every row to the reader. A table of images may be missing, a log may not. */
  public void read(PastRows rows) {
    if (!exists(LOG)) {
      throw new PastUnreadable("the database has no table " + LOG);
    }
    Set<String> log = columns(LOG);
    if (!PastRows.isLog(log)) {
      throw new PastUnreadable(
          "%s has columns %s; a log needs domain or page_url, and status"
              .formatted(LOG, log.stream().sorted().toList()));
    }
    each(LOG, log, rows::request);
    if (exists(PROVENANCE)) {
      Set<String> provenance = columns(PROVENANCE);
      if (!PastRows.isProvenance(provenance)) {
        throw new PastUnreadable(
            "%s has columns %s; images need source_domain and image_id"
                .formatted(PROVENANCE, provenance.stream().sorted().toList()));
      }
      each(PROVENANCE, provenance, rows::image);
    }
  }

  /** Whether there is a table of this name where a query without a schema looks for it. */
  private boolean exists(String table) {
    String query =
        switch (dialect) {
          case SQLITE -> "SELECT count(*) FROM sqlite_master WHERE lower(name) = '%s'";
          case POSTGRES -> "SELECT count(*) WHERE to_regclass('%s') IS NOT NULL";
        };
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(query.formatted(table))) {
      return found.next() && found.getInt(1) > 0;
    } catch (SQLException failed) {
      throw unreadable(failed);
    }
  }

  private Set<String> columns(String table) {
    Set<String> names = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet none = statement.executeQuery("SELECT * FROM " + table + " LIMIT 0")) {
      ResultSetMetaData columns = none.getMetaData();
      for (int column = 1; column <= columns.getColumnCount(); column++) {
        names.add(columns.getColumnLabel(column).toLowerCase(Locale.ROOT));
      }
      return names;
    } catch (SQLException failed) {
      throw unreadable(failed);
    }
  }

  /** Takes a row with its number. */
  @FunctionalInterface
  private interface Taker {
    void row(String table, long number, Map<String, String> values);
  }

  private void each(String table, Set<String> there, Taker taker) {
    // Other columns may hold whole pages.
    String wanted =
        PastRows.COLUMNS.stream().filter(there::contains).collect(Collectors.joining(", "));
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(FETCHED);
      try (ResultSet rows = statement.executeQuery("SELECT " + wanted + " FROM " + table)) {
        ResultSetMetaData columns = rows.getMetaData();
        for (long number = 1; rows.next(); number++) {
          taker.row(table, number, values(rows, columns));
        }
      }
    } catch (SQLException failed) {
      throw unreadable(failed);
    }
  }

  /** A value that is missing is an empty text. */
  private static Map<String, String> values(ResultSet row, ResultSetMetaData columns)
      throws SQLException {
    Map<String, String> values = new HashMap<>();
    for (int column = 1; column <= columns.getColumnCount(); column++) {
      @Nullable String value = row.getString(column);
      values.put(
          columns.getColumnLabel(column).toLowerCase(Locale.ROOT), value == null ? "" : value);
    }
    return values;
  }

  private static PastUnreadable unreadable(SQLException failed) {
    String words = String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
    return new PastUnreadable("the database to read from says: " + words, failed);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException failed) {
      throw unreadable(failed);
    }
  }
}
