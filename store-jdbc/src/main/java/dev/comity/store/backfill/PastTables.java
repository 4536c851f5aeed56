package dev.comity.store.backfill;

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
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code crawl_log} and {@code provenance} from a database of another program, row by row, in
 * one transaction that reads only.
 */
public final class PastTables implements AutoCloseable {
  private static final String LOG = "crawl_log";
  private static final String PROVENANCE = "provenance";
  private static final int FETCHED = 1000;

  private final Connection connection;

  private PastTables(Connection connection) {
    this.connection = connection;
  }

  /** Whether a text names a PostgreSQL server; anything else is a file. */
  public static boolean isServer(String from) {
    return from.startsWith("postgresql://")
        || from.startsWith("postgres://")
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
          DriverManager.getConnection("jdbc:sqlite:file:" + file.toAbsolutePath() + "?mode=ro"));
    } catch (SQLException failed) {
      throw unreadable(failed);
    }
  }

  /**
   * Opens a database on a PostgreSQL server.
   *
   * @param url the driver's form; no message shows it
   */
  public static PastTables server(String url, Properties properties) {
    try {
      return opened(DriverManager.getConnection(url, properties));
    } catch (SQLException failed) {
      throw unreadable(failed);
    }
  }

  private static PastTables opened(Connection connection) throws SQLException {
    // Otherwise the driver would hold all rows in memory.
    connection.setAutoCommit(false);
    return new PastTables(connection);
  }

  /** Hands every row to the reader. A table of images may be missing, a log may not. */
  public void read(PastRows rows) {
    if (!exists(LOG)) {
      throw new PastUnreadable("the database has no table " + LOG);
    }
    each(LOG, PastRows.isLog(columns(LOG)), rows::request);
    if (exists(PROVENANCE)) {
      each(PROVENANCE, PastRows.isProvenance(columns(PROVENANCE)), rows::image);
    }
  }

  private boolean exists(String table) {
    try (ResultSet tables =
        connection.getMetaData().getTables(null, null, table, new String[] {"TABLE", "VIEW"})) {
      return tables.next();
    } catch (SQLException failed) {
      throw unreadable(failed);
    }
  }

  private Map<String, String> columns(String table) {
    Map<String, String> names = new HashMap<>();
    try (ResultSet columns = connection.getMetaData().getColumns(null, null, table, null)) {
      while (columns.next()) {
        names.put(columns.getString("COLUMN_NAME").toLowerCase(Locale.ROOT), "");
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

  private void each(String table, boolean known, Taker taker) {
    if (!known) {
      throw new PastUnreadable(
          "%s has columns %s; a log needs domain or page_url, and images source_domain and image_id"
              .formatted(table, columns(table).keySet().stream().sorted().toList()));
    }
    // Other columns may hold whole pages.
    String wanted =
        PastRows.COLUMNS.stream()
            .filter(columns(table)::containsKey)
            .collect(Collectors.joining(", "));
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

  private static Map<String, String> values(ResultSet row, ResultSetMetaData columns)
      throws SQLException {
    Map<String, String> values = new HashMap<>();
    for (int column = 1; column <= columns.getColumnCount(); column++) {
      @Nullable String value = row.getString(column);
      if (value != null) {
        values.put(columns.getColumnLabel(column).toLowerCase(Locale.ROOT), value);
      }
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
