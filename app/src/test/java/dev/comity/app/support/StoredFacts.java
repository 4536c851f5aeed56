package dev.comity.app.support;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the store itself says of a crawl. */
public final class StoredFacts {
  private StoredFacts() {}

  /** The shortest time between two requests to one domain, by the log. */
  public static Duration shortestGap(Path data) throws SQLException {
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

  /** The ranks of domains that have one. */
  public static Map<String, Long> ranks(Path data) throws SQLException {
    Map<String, Long> ranks = new TreeMap<>();
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + data.resolve("comity.db"));
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT domain, seed_rank FROM domains WHERE seed_rank IS NOT NULL")) {
      while (rows.next()) {
        ranks.put(rows.getString(1), rows.getLong(2));
      }
    }
    return ranks;
  }

  /** Every URL that is known. */
  public static Set<String> urls(Path data) throws SQLException {
    return texts(data, "SELECT url FROM urls");
  }

  /** The URLs that too many workers died with. */
  static Set<String> setAside(Path data) throws SQLException {
    return texts(data, "SELECT url FROM urls WHERE state = 'set_aside'");
  }

  private static Set<String> texts(Path data, String query) throws SQLException {
    Set<String> texts = new TreeSet<>();
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + data.resolve("comity.db"));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }
}
