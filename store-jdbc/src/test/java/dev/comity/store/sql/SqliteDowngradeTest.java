package dev.comity.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.store.DataDirectory;
import dev.comity.store.support.DowngradeScript;
import dev.comity.store.support.Planted;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of deploy/downgrade bring a data directory back under an older program. */
class SqliteDowngradeTest {
  /** The oldest tables that a script leads to. */
  private static final int OLDEST = 14;

  /** What older programs do not know, and what the first script after them makes anew. */
  private static final Set<String> LOST =
      Set.of(
          "domains.frontier_elsewhere",
          "domains.next_crawl_after",
          "domains.refresh_state",
          "domains.version",
          "domains.updated_at",
          "sources.last_start_at",
          "crawl_runs.refresh",
          "domain_frontier.due_at",
          "domain_frontier.visited_at",
          "domain_frontier.fingerprint",
          "domain_frontier.changes",
          "domain_frontier.missing_since",
          "domain_frontier.due_why",
          "domain_frontier.hint");

  @TempDir private Path home;

  private static List<String> rows(DataDirectory directory, String query) throws SQLException {
    try (Connection connection = directory.reading();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<String> found = new ArrayList<>();
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        StringBuilder row = new StringBuilder();
        for (int column = 1; column <= columns; column++) {
          row.append(rows.getString(column)).append('|');
        }
        found.add(row.toString());
      }
      return found;
    }
  }

  /** Every row of every table, without the columns that come and go. */
  private static Map<String, List<String>> memory(DataDirectory directory) throws SQLException {
    Map<String, List<String>> memory = new TreeMap<>();
    for (Map.Entry<String, Set<String>> table : SqliteTables.after(OLDEST).entrySet()) {
      String columns =
          table.getValue().stream()
              .filter(column -> !LOST.contains(table.getKey() + "." + column))
              .reduce((one, other) -> one + ", " + other)
              .orElseThrow();
      // The view shows dates of known pages, which come and go as well.
      if (!Set.of("flyway_schema_history", "urls").contains(table.getKey())) {
        memory.put(
            table.getKey(),
            rows(directory, "SELECT %s FROM %s ORDER BY 1, 2".formatted(columns, table.getKey())));
      }
    }
    return memory;
  }

  private static String tables(DataDirectory directory) throws SQLException {
    Map<String, List<String>> tables = new TreeMap<>();
    for (String row :
        rows(
            directory,
            "SELECT m.type, m.name, c.name, c.type, c.\"notnull\", c.dflt_value FROM sqlite_master"
                + " m JOIN pragma_table_xinfo(m.name) c ORDER BY 1, 2, 3")) {
      tables.computeIfAbsent(row, _ -> new ArrayList<>()).add(row);
    }
    return tables.keySet()
        + "\n"
        + rows(
            directory,
            "SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger', 'view')"
                + " ORDER BY 1, 2")
        + rows(directory, "SELECT version, script, checksum FROM flyway_schema_history ORDER BY 1");
  }

  private static void undo(int version, DataDirectory directory) throws SQLException {
    try (Connection connection = directory.writing()) {
      DowngradeScript.run("sqlite", Migrations.SCRIPTS.get(version - 1), connection);
    }
  }

  private DataDirectory at(int version) throws SQLException {
    DataDirectory directory = new DataDirectory(home.resolve("at" + version));
    directory.make();
    try (Connection connection = directory.writing()) {
      new Migrations(
              Migrations.SQLITE.place(),
              Migrations.SCRIPTS.subList(0, version),
              Migrations.SQLITE.serial(),
              Migrations.SQLITE.now())
          .runAfter(0, connection);
    }
    return directory;
  }

  @Test
  void every_migration_from_the_fifteenth_on_can_be_undone() {
    assertThat(DowngradeScript.names("sqlite"))
        .containsExactlyElementsOf(Migrations.SCRIPTS.stream().skip(OLDEST).sorted().toList());
    assertThat(DowngradeScript.documented("sqlite"))
        .containsExactlyElementsOf(
            Migrations.SCRIPTS.subList(OLDEST, Migrations.SCRIPTS.size()).reversed());
  }

  @Test
  void older_programs_find_their_own_tables_with_every_row_and_so_does_the_newest()
      throws Exception {
    Planted planted =
        Planted.sound(home.resolve("store"))
            .run(
                "UPDATE workers SET ended_at = 1700000100000, unclean = 1",
                "UPDATE domain_frontier SET visited_at = 1700000010, due_at = 1800000000000"
                    + " WHERE state = 1");
    DataDirectory directory = planted.directory();
    Map<String, List<String>> memory = memory(directory);
    List<String> findings = planted.findings();
    assertThat(memory.get("domains")).hasSize(3);
    assertThat(memory.get("domain_frontier")).hasSize(9);
    for (int version = Schema.VERSION; version > OLDEST; version--) {
      undo(version, directory);
      assertThat(tables(directory)).isEqualTo(tables(at(version - 1)));
      assertThat(memory(directory)).isEqualTo(memory);
    }
    assertThat(rows(directory, "SELECT count(*) FROM domain_frontier WHERE due_at > 0"))
        .as("a URL that is deferred stays so")
        .containsExactly("1|");
    Schema.migrate(directory);
    assertThat(memory(directory)).isEqualTo(memory);
    assertThat(rows(directory, "SELECT count(*) FROM domain_frontier WHERE due_at > 0"))
        .as("known pages have dates again")
        .containsExactly("5|");
    assertThat(planted.findings()).isEqualTo(findings);
  }

  @Test
  void nothing_is_undone_while_a_crawl_runs_or_out_of_order_or_with_urls_in_redis()
      throws Exception {
    DataDirectory directory = Planted.sound(home.resolve("store")).directory();
    String before = tables(directory);
    assertThatThrownBy(() -> undo(15, directory))
        .hasMessageContaining("the tables are not of version 15");
    assertThatThrownBy(() -> undo(Schema.VERSION, directory))
        .hasMessageContaining("a crawl runs, or was killed: begin one and stop it");
    new Planted(directory)
        .run(
            "UPDATE workers SET ended_at = 1700000100000",
            "UPDATE domains SET frontier_elsewhere = 1");
    assertThatThrownBy(() -> undo(Schema.VERSION, directory))
        .hasMessageContaining("URLs wait in Redis: comity frontier move --to store");
    assertThat(tables(directory)).isEqualTo(before);
  }
}
