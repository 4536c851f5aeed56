package dev.comity.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.DataDirectory;
import dev.comity.store.DirectoryInUse;
import dev.comity.store.StoreUnusable;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.store.support.Planted;
import dev.comity.store.support.Stores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaTest {
  @TempDir private Path home;

  @Test
  void tables_are_made_once_and_found_again() throws SQLException {
    DataDirectory directory = new DataDirectory(home);
    Schema.migrate(directory);
    Schema.migrate(directory);
    Schema.require(directory);
    try (Connection connection = directory.reading();
        Statement statement = connection.createStatement();
        ResultSet applied =
            statement.executeQuery(
                "SELECT count(*) - count(DISTINCT version), max(CAST(version AS INTEGER))"
                    + " FROM flyway_schema_history")) {
      assertThat(applied.getInt(1)).isZero();
      assertThat(applied.getInt(2)).isEqualTo(Schema.VERSION);
    }
  }

  /** Makes a database as a program of that version left it. */
  private static void makeAtVersion(String version, DataDirectory directory) {
    directory.make();
    library(directory).target(version).load().migrate();
  }

  private static FluentConfiguration library(DataDirectory directory) {
    return Flyway.configure()
        .dataSource("jdbc:sqlite:" + directory.database(), "", "")
        .locations("classpath:dev/comity/store/migrations")
        .placeholders(Map.of("serial", "INTEGER PRIMARY KEY"));
  }

  /** Every script is run, none by another name, and the tables are those that the library makes. */
  @Test
  void tables_and_history_are_those_of_the_migration_library() throws SQLException {
    DataDirectory theirs = new DataDirectory(home.resolve("theirs"));
    theirs.make();
    library(theirs).load().migrate();
    DataDirectory ours = new DataDirectory(home.resolve("ours"));
    Schema.migrate(ours);
    DataDirectory both = new DataDirectory(home.resolve("both"));
    makeAtVersion("4", both);
    Schema.migrate(both);

    String tables = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name";
    String history =
        "SELECT installed_rank, version, description, type, script, checksum, installed_by, success"
            + " FROM flyway_schema_history ORDER BY installed_rank";
    for (DataDirectory directory : List.of(ours, both)) {
      assertThat(rows(directory, history)).isEqualTo(rows(theirs, history));
      assertThat(rows(directory, tables)).isEqualTo(rows(theirs, tables));
      assertThat(library(directory).load().validateWithResult().validationSuccessful).isTrue();
    }
    assertThat(rows(ours, history)).hasSize(Schema.VERSION);
  }

  @Test
  void a_migration_that_fails_leaves_the_tables_as_they_were() throws SQLException {
    DataDirectory directory = new DataDirectory(home);
    makeAtVersion("4", directory);
    try (Connection connection = directory.writing();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE outside_urls (in_the_way)");
    }
    String tables = "SELECT name, sql FROM sqlite_master ORDER BY name";
    List<List<@Nullable String>> before = rows(directory, tables);
    assertThatThrownBy(() -> Schema.migrate(directory))
        .isInstanceOf(StoreUnusable.class)
        .hasMessageContaining("could not be made")
        .hasMessageContaining("outside_urls");
    assertThat(rows(directory, tables)).isEqualTo(before);
  }

  @Test
  void what_an_older_program_has_left_is_read_as_it_was() throws SQLException {
    DataDirectory directory = new DataDirectory(home);
    makeAtVersion("1", directory);
    try (Connection connection = directory.writing();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO domains (id, domain, parent_domain, first_seen_at, updated_at)"
              + " VALUES (1, 'a.example', 'a.example', 0, 0)");
      statement.execute(
          "INSERT INTO authorities (domain_id, number, authority)"
              + " VALUES (1, 0, 'http://a.example')");
      statement.execute(
          "INSERT INTO domain_frontier (domain_id, authority_no, target, url_key, place, depth,"
              + " discovered_at) VALUES (1, 0, '/old', 7, 0, 0, 0)");
      statement.execute(
          "INSERT INTO pages (id, run_id, url_id, domain_id, status, title, bytes, started_at,"
              + " total_ms, text) VALUES (9, 1, 2, 1, 200, 'Then', 5, 6, 7, 'Old')");
      statement.execute(
          "INSERT INTO in_flight (url_id, domain_id, taken, deaths, taken_at)"
              + " VALUES (2, 1, 0, 1, 8)");
    }
    try (SqliteStore store = Stores.open(home)) {
      SeedAddress kept =
          new SeedAddress(CrawlUrl.of("http://a.example/").authority(), "private", false);
      assertThat(store.keepAddresses(List.of(kept))).containsExactly(kept);
      assertThat(Stores.take(store, store.claim(1, Stores.NOON).getFirst()))
          .isEqualTo(QueuedUrl.seed(CrawlUrl.of("http://a.example/old"), Optional.empty()));
    }
    try (Connection connection = directory.reading();
        Statement statement = connection.createStatement()) {
      assertThat(row(statement, "SELECT * FROM pages"))
          .startsWith(
              "9", "1", "2", "1", "200", "Then", null, null, null, "5", "6", null, "7", "Old", null,
              null)
          .endsWith(null, "0", null, null, null, null, null, null, null);
      assertThat(row(statement, "SELECT * FROM in_flight WHERE url_id = 2"))
          .containsExactly("2", "1", "0", "1", "8");
    }
  }

  @Test
  void what_an_older_program_has_counted_is_counted_by_the_rules_of_today() throws SQLException {
    DataDirectory directory = new DataDirectory(home);
    makeAtVersion("5", directory);
    try (Connection connection = directory.writing();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO crawl_runs (id, terms, max_pages, max_pages_per_domain, pages, started_at)"
              + " VALUES (1, '{}', 9, 9, 4, 0)");
      statement.execute(
          "INSERT INTO domains (id, domain, parent_domain, first_seen_at, updated_at,"
              + " pages_discovered, pages_crawled, requests, total_error_count, pruned_requests,"
              + " pruned_errors, urls_done, urls_failed, last_start_at)"
              + " VALUES (1, 'a.example', 'a.example', 0, 0, 3, 4, 9, 5, 2, 2, 2, 1, 8)");
      statement.execute(
          "INSERT INTO jobs (run_id, domain_id, pages, started_at) VALUES (1, 1, 4, 0)");
      statement.execute(
          "INSERT INTO domain_frontier (id, domain_id, authority_no, target, url_key, state, place,"
              + " depth, discovered_at) VALUES (1, 1, 0, '/', 1, 1, 0, 0, 0),"
              + " (2, 1, 0, '/gone', 2, 1, 0, 0, 0), (3, 1, 0, '/film', 3, 2, 0, 0, 0)");
      int id = 0;
      for (String row :
          List.of(
              "NULL, 'robots', 404, 'client_error', 'done', 0, 0",
              "1, 'page', 200, 'success', 'done', 1, 0",
              "1, 'page', 200, 'success', 'done', 1, 0",
              "2, 'page', 403, 'forbidden', 'retry', 0, 0",
              "2, 'page', 404, 'client_error', 'done', 1, 1",
              "3, 'page', NULL, 'timeout', 'retry', 0, 0",
              "3, 'page', 200, 'wrong_type', 'failed', 1, 1")) {
        statement.execute(
            "INSERT INTO crawl_log (id, run_id, domain_id, attempt, claim_token, started_at,"
                + " finished_at, delay_ms, bytes, url_id, kind, status, outcome, fate, is_page,"
                + " is_error) VALUES (%d, 1, 1, 1, 1, %d, 9, 0, 0, %s)".formatted(++id, id, row));
      }
      statement.execute(
          "INSERT INTO pages (id, run_id, url_id, domain_id, status, bytes, started_at, total_ms)"
              + " VALUES (2, 0, 1, 1, 200, 0, 0, 0), (3, 1, 1, 1, 200, 0, 0, 0),"
              + " (5, 1, 2, 1, 404, 0, 0, 0)");
    }
    Schema.migrate(directory);
    try (Connection connection = directory.reading();
        Statement statement = connection.createStatement()) {
      // 6 page requests are in the log and 2 were pruned, of which nothing more is known.
      assertThat(
              row(
                  statement,
                  "SELECT pages_crawled, page_requests, total_error_count, error_rate FROM"
                      + " domains"))
          .containsExactly("2", "8", "2", "0.25");
      assertThat(row(statement, "SELECT pages, unkept FROM jobs")).containsExactly("3", "1");
      assertThat(row(statement, "SELECT pages, unkept FROM crawl_runs")).containsExactly("3", "1");
    }
    assertThat(new Planted(directory).findings())
        .noneMatch(finding -> finding.startsWith("counters"));
  }

  @Test
  void a_newer_program_s_tables_are_refused() throws SQLException {
    DataDirectory directory = new DataDirectory(home);
    Schema.migrate(directory);
    try (Connection connection = directory.writing();
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE flyway_schema_history SET version = '999'");
    }
    assertThatThrownBy(() -> Schema.migrate(directory))
        .isInstanceOf(StoreUnusable.class)
        .hasMessageContaining("newer Comity");
    assertThatThrownBy(() -> Schema.require(directory)).isInstanceOf(StoreUnusable.class);
  }

  @Test
  void a_file_that_is_no_database_is_refused() throws Exception {
    Files.writeString(
        home.resolve("comity.db"), "not a database, but long enough to look at".repeat(50));
    assertThatThrownBy(() -> Schema.migrate(new DataDirectory(home)))
        .isInstanceOf(StoreUnusable.class)
        .hasMessageContaining("comity.db");
  }

  @Test
  void a_reader_cannot_write() throws SQLException {
    DataDirectory directory = new DataDirectory(home);
    Schema.migrate(directory);
    try (Connection connection = directory.reading();
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute("DELETE FROM domains"))
          .isInstanceOf(SQLException.class);
    }
  }

  @Test
  void one_crawl_at_a_time_holds_the_directory() {
    DataDirectory directory = new DataDirectory(home.resolve("new/one"));
    try (DataDirectory.Hold _ = directory.hold()) {
      assertThatThrownBy(directory::hold)
          .isInstanceOf(DirectoryInUse.class)
          .hasMessageContaining("process " + ProcessHandle.current().pid());
    }
    directory.hold().close();
  }

  private static List<@Nullable String> row(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      return row(rows);
    }
  }

  private static List<@Nullable String> row(ResultSet rows) throws SQLException {
    List<@Nullable String> row = new ArrayList<>();
    for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
      row.add(rows.getString(column));
    }
    return row;
  }

  private static List<List<@Nullable String>> rows(DataDirectory directory, String query)
      throws SQLException {
    List<List<@Nullable String>> all = new ArrayList<>();
    try (Connection connection = directory.reading();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        all.add(row(rows));
      }
    }
    return all;
  }
}
