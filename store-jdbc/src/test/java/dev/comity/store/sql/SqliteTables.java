package dev.comity.store.sql;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The tables that SQLite's scripts make. */
public final class SqliteTables {
  private SqliteTables() {}

  /** Tables and views with their columns, after the first so many scripts. */
  public static Map<String, Set<String>> after(int scripts) throws SQLException {
    Map<String, Set<String>> tables = new TreeMap<>();
    Migrations some =
        new Migrations(
            Migrations.SQLITE.place(),
            Migrations.SQLITE.scripts().subList(0, scripts),
            Migrations.SQLITE.serial(),
            Migrations.SQLITE.now());
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
        Statement statement = connection.createStatement()) {
      some.runAfter(0, connection);
      try (ResultSet rows =
          statement.executeQuery(
              """
              SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c
              WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite_%'
              """)) {
        while (rows.next()) {
          tables.computeIfAbsent(rows.getString(1), _ -> new TreeSet<>()).add(rows.getString(2));
        }
      }
    }
    return tables;
  }
}
