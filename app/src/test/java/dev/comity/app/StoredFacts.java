package dev.comity.app;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** What the store itself says of a crawl. */
final class StoredFacts {
  private StoredFacts() {}

  /** The shortest time between two requests to one domain, by the log. */
  static Duration shortestGap(Path data) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + data.resolve("comity.db"));
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT min(gap) FROM (SELECT started_at - lag(started_at)
                  OVER (PARTITION BY domain_id ORDER BY started_at) AS gap FROM crawl_log)
                """)) {
      row.next();
      return Duration.ofMillis(row.getLong(1));
    }
  }

  /** The URLs that too many workers died with. */
  static Set<String> setAside(Path data) throws SQLException {
    Set<String> urls = new HashSet<>();
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + data.resolve("comity.db"));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT url FROM urls WHERE state = 'set_aside'")) {
      while (rows.next()) {
        urls.add(rows.getString(1));
      }
    }
    return urls;
  }
}
