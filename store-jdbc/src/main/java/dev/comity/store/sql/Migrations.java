package dev.comity.store.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;

/**
 * The scripts that make and change the tables, each run once and in this order. What was run is in
 * the table {@code flyway_schema_history}, in the form of the library of that name: older programs
 * used it, and a test compares its work with ours. The library itself takes a quarter of the
 * processor time of a small crawl.
 */
final class Migrations {
  private static final String PLACE = "/dev/comity/store/migrations/";

  /** The number of a script is its place in this list, from 1. */
  static final List<String> SCRIPTS =
      List.of(
          "V1__memory.sql",
          "V2__pace_of_runs.sql",
          "V3__sitemaps.sql",
          "V4__traps.sql",
          "V5__rows_by_number.sql",
          "V6__counting.sql",
          "V7__damage.sql",
          "V8__seed_addresses.sql",
          "V9__outside_urls.sql",
          "V10__many_workers.sql",
          "V11__paused_domains.sql",
          "V12__images.sql",
          "V13__page_content.sql",
          "V14__wishes.sql",
          "V15__refresh.sql",
          "V16__sources.sql");

  private static final String HISTORY =
      """
      CREATE TABLE IF NOT EXISTS "flyway_schema_history" (
          "installed_rank" INT NOT NULL PRIMARY KEY,
          "version" VARCHAR(50),
          "description" VARCHAR(200) NOT NULL,
          "type" VARCHAR(20) NOT NULL,
          "script" VARCHAR(1000) NOT NULL,
          "checksum" INT,
          "installed_by" VARCHAR(100) NOT NULL,
          "installed_on" TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
          "execution_time" INT NOT NULL,
          "success" BOOLEAN NOT NULL
      );
      CREATE INDEX IF NOT EXISTS "flyway_schema_history_s_idx" ON "flyway_schema_history" ("success");
      """;

  private Migrations() {}

  /** Runs the scripts after this number, all of them or none. */
  static void runAfter(int version, Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      // The driver passes a whole script on to SQLite.
      statement.executeUpdate(HISTORY);
      for (int number = version + 1; number <= SCRIPTS.size(); number++) {
        String name = SCRIPTS.get(number - 1);
        String script = script(name);
        statement.executeUpdate(script.replace("${serial}", "INTEGER PRIMARY KEY"));
        record(number, name, checksum(script), connection);
      }
    }
    connection.commit();
  }

  private static void record(int number, String name, int checksum, Connection connection)
      throws SQLException {
    String description = name.substring(name.indexOf("__") + 2, name.lastIndexOf('.'));
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO flyway_schema_history (installed_rank, version, description, type, script,"
                + " checksum, installed_by, execution_time, success)"
                + " SELECT coalesce(max(installed_rank), 0) + 1, ?, ?, 'SQL', ?, ?, '', 0, 1"
                + " FROM flyway_schema_history")) {
      insert.setString(1, Integer.toString(number));
      insert.setString(2, description.replace('_', ' '));
      insert.setString(3, name);
      insert.setInt(4, checksum);
      insert.executeUpdate();
    }
  }

  /** As the library computes it: over the lines, without their ends. */
  private static int checksum(String script) {
    CRC32 crc = new CRC32();
    script.lines().forEach(line -> crc.update(line.getBytes(StandardCharsets.UTF_8)));
    return (int) crc.getValue();
  }

  private static String script(String name) {
    try (InputStream in = Migrations.class.getResourceAsStream(PLACE + name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
