package dev.comity.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.port.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
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
                "SELECT max(CAST(version AS INTEGER)) FROM flyway_schema_history")) {
      assertThat(applied.getInt(1)).isEqualTo(Schema.VERSION);
    }
  }

  @Test
  void what_an_older_program_has_left_is_read_as_it_was() throws SQLException {
    DataDirectory directory = new DataDirectory(home);
    directory.make();
    Flyway.configure()
        .dataSource("jdbc:sqlite:" + directory.database(), "", "")
        .locations("classpath:dev/comity/store/migrations")
        .placeholders(Map.of("serial", "INTEGER PRIMARY KEY"))
        .target("1")
        .load()
        .migrate();
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
      assertThat(Stores.take(store, store.claim(1, Stores.NOON).getFirst()))
          .isEqualTo(QueuedUrl.seed(CrawlUrl.of("http://a.example/old"), Optional.empty()));
    }
    try (Connection connection = directory.reading();
        Statement statement = connection.createStatement()) {
      assertThat(row(statement, "SELECT * FROM pages"))
          .containsExactly(
              "9", "1", "2", "1", "200", "Then", null, null, null, "5", "6", null, "7", "Old",
              null);
      assertThat(row(statement, "SELECT * FROM in_flight WHERE url_id = 2"))
          .containsExactly("2", "1", "0", "1", "8");
    }
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
    List<@Nullable String> row = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(query)) {
      for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
        row.add(rows.getString(column));
      }
    }
    return row;
  }
}
