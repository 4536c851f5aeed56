package dev.comity.store.support;

import dev.comity.core.url.CrawlUrl;
import dev.comity.store.DataDirectory;
import dev.comity.store.ServerDatabase;
import dev.comity.store.postgres.rows.UrlHash;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Copies the rows of a data directory into the tables of a server. */
final class CopiedRows {
  private static final List<String> TABLES =
      List.of(
          "crawl_runs",
          "crawl_run_seeds",
          "workers",
          "domains",
          "arrivals",
          "jobs",
          "transitions",
          "crawl_log",
          "pages");

  private CopiedRows() {}

  static void copy(DataDirectory from, ServerDatabase to) {
    try (Connection source = from.reading();
        Connection target = to.writing()) {
      for (String table : TABLES) {
        copy(source, target, table);
      }
      urls(source, target);
      try (Statement statement = target.createStatement()) {
        statement.execute(
            "INSERT INTO in_flight (url_id, domain_id, worker, taken_at)"
                + " SELECT 5, 1, 'host-1', 1700000041000");
        statement.execute(
            "INSERT INTO lanes (worker, lane, run_id, pages) VALUES ('host-1', 'flush', 1, 0),"
                + " ('host-1', 'claims', 1, 0), ('host-1', 'intake', 1, 0)");
        for (String table : List.of("crawl_runs", "domains", "transitions", "crawl_log")) {
          statement.execute(
              "SELECT setval(pg_get_serial_sequence('%1$s', 'id'), max(id)) FROM %1$s"
                  .formatted(table));
        }
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static void copy(Connection source, Connection target, String table) throws SQLException {
    List<String> columns = new ArrayList<>();
    try (Statement known = target.createStatement();
        ResultSet names =
            known.executeQuery(
                "SELECT column_name FROM information_schema.columns WHERE table_name = '"
                    + table
                    + "' AND table_schema = 'public' AND is_generated = 'NEVER'");
        Statement ours = source.createStatement()) {
      while (names.next()) {
        try (ResultSet column =
            ours.executeQuery(
                "SELECT 1 FROM pragma_table_info('%s') WHERE name = '%s'"
                    .formatted(table, names.getString(1)))) {
          if (column.next()) {
            columns.add(names.getString(1));
          }
        }
      }
    }
    String names = String.join(", ", columns);
    try (Statement read = source.createStatement();
        ResultSet rows = read.executeQuery("SELECT " + names + " FROM " + table);
        PreparedStatement write =
            target.prepareStatement(
                "INSERT INTO %s (%s) VALUES (%s)"
                    .formatted(
                        table,
                        names,
                        String.join(", ", columns.stream().map(_ -> "?").toList())))) {
      while (rows.next()) {
        for (int column = 1; column <= columns.size(); column++) {
          write.setObject(column, rows.getObject(column));
        }
        write.execute();
      }
    }
  }

  /** On a server a URL is whole, and its hash is its key. */
  private static void urls(Connection source, Connection target) throws SQLException {
    try (Statement read = source.createStatement();
        ResultSet rows =
            read.executeQuery(
                "SELECT f.id, f.domain_id, u.url, f.state, f.place, f.due_at, f.depth, f.asked,"
                    + " f.tries_spent, f.referrer_id, f.discovered_at FROM domain_frontier f"
                    + " JOIN urls u ON u.id = f.id");
        PreparedStatement write =
            target.prepareStatement(
                "INSERT INTO domain_frontier (id, domain_id, url, state, place, due_at, depth,"
                    + " asked, tries_spent, referrer_id, discovered_at, url_hash)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      while (rows.next()) {
        for (int column = 1; column <= 11; column++) {
          write.setObject(column, rows.getObject(column));
        }
        write.setObject(12, UrlHash.of(CrawlUrl.of(rows.getString(3))));
        write.execute();
      }
    }
  }
}
