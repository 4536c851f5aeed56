package dev.comity.app;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** The times between requests to one domain as the log has them. */
final class StoredGaps {
  private StoredGaps() {}

  static Duration shortest(Path data) throws SQLException {
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
}
