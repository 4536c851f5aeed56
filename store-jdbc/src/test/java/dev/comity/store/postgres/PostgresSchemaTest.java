package dev.comity.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.lifecycle.Lifecycle;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.sql.SqliteTables;
import dev.comity.store.support.DowngradeScript;
import dev.comity.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PostgresSchemaTest {
  /** The last of SQLite's scripts that the tables on a server follow. */
  private static final int FOLLOWED = 17;

  /** What a server has beside, and why. */
  private static final Map<String, String> MORE =
      Map.ofEntries(
          Map.entry("lanes", "shows whether a commit happened, and counts a worker's pages"),
          Map.entry("chores", "what one worker does for all"),
          Map.entry("favours", "what holders are asked to fetch for others"),
          Map.entry("run_domains", "a run's start writes no row of the domains it leaves out"),
          Map.entry("suspects", "deaths outlive a crash of the server, rows in flight do not"),
          Map.entry("status_changes", "the table of Lifecycle, for changes by hand"),
          Map.entry("crawl_runs.confined", "whether run_domains counts"),
          Map.entry("crawl_runs.settings", "a worker that joins takes them over"),
          Map.entry("domain_frontier.url", "the whole text: workers cannot number authorities"),
          Map.entry("domain_frontier.url_hash", "128 bits decide alone, so none is probed for"),
          Map.entry("in_flight.worker", "whose death it would be"),
          Map.entry("domains.refresh_yield", "the yield as of the release: an index for refreshes"),
          Map.entry("pages.xid", "ids become visible out of order; a feed goes by this"),
          Map.entry("workers.host", "workers are on several machines"),
          Map.entry("workers.run_id", "a run's workers"),
          Map.entry("workers.state", "up, draining, ended, lost"),
          Map.entry("workers.allotted", "what comes back when it is lost"),
          Map.entry("workers.images_allotted", "what comes back when it is lost"));

  /** What a server does not have, and why. */
  private static final Map<String, String> LESS =
      Map.of(
          "authorities.number", "a URL has its whole text",
          "domain_frontier.authority_no", "a URL has its whole text",
          "domain_frontier.target", "a URL has its whole text",
          "domain_frontier.url_key", "url_hash is twice as long and needs no probing",
          "in_flight.taken", "a row is deleted when its URL is not in flight",
          "in_flight.deaths", "suspects has them");

  private static Map<String, Set<String>> columns(Connection connection) throws SQLException {
    Map<String, Set<String>> tables = new TreeMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                SELECT c.table_name, c.column_name FROM information_schema.columns c
                JOIN information_schema.tables t USING (table_schema, table_name)
                WHERE t.table_schema = 'public' AND c.table_name NOT LIKE 'domain_frontier_%'
                """)) {
      while (rows.next()) {
        tables.computeIfAbsent(rows.getString(1), _ -> new TreeSet<>()).add(rows.getString(2));
      }
    }
    return tables;
  }

  private static Set<String> beyond(Map<String, Set<String>> one, Map<String, Set<String>> other) {
    Set<String> more = new TreeSet<>();
    one.forEach(
        (table, columns) -> {
          if (!other.containsKey(table)) {
            more.add(table);
          } else {
            columns.stream()
                .filter(column -> !other.get(table).contains(column))
                .forEach(column -> more.add(table + "." + column));
          }
        });
    return more;
  }

  @Test
  void a_server_has_the_tables_and_columns_of_a_directory_but_for_what_is_named() throws Exception {
    try (Connection connection = DriverManager.getConnection(Databases.url())) {
      Map<String, Set<String>> server = columns(connection);
      Map<String, Set<String>> directory = SqliteTables.after(FOLLOWED);
      assertThat(beyond(server, directory)).containsExactlyInAnyOrderElementsOf(MORE.keySet());
      assertThat(beyond(directory, server)).containsExactlyInAnyOrderElementsOf(LESS.keySet());
    }
  }

  @Test
  void tables_are_made_once_whichever_worker_comes_first() throws Exception {
    PostgresDatabase database = PostgresDatabase.at(PostgresServer.shared().newDatabase());
    Callable<Boolean> migration =
        () -> {
          database.migrate();
          return true;
        };
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Boolean> one : threads.invokeAll(List.of(migration, migration, migration))) {
        assertThat(one.get()).isTrue();
      }
    }
  }

  @Test
  void tables_are_not_changed_under_workers_of_an_older_program() throws SQLException {
    String url = PostgresServer.shared().newDatabase();
    PostgresDatabase database = PostgresDatabase.at(url);
    database.migrate();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      DowngradeScript.run("postgres", "V5__queues_elsewhere.sql", connection);
      statement.execute(
          "INSERT INTO workers (id, name, version, started_at, last_seen_at)"
              + " VALUES ('w', 'w', '2', 1, comity_millis())");
      assertThatThrownBy(database::migrate).hasMessageContaining("1 of its workers are at work");
      statement.execute("UPDATE workers SET ended_at = comity_millis()");
      database.migrate();
      assertThat(first(statement, "SELECT count(*) FROM queue_home")).isEqualTo("0");
    }
  }

  @Test
  void every_way_of_the_lifecycle_is_in_the_table_and_no_other() throws SQLException {
    Set<String> stored = new TreeSet<>();
    try (Connection connection = DriverManager.getConnection(Databases.url());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM status_changes")) {
      while (rows.next()) {
        stored.add(rows.getString(1) + " " + rows.getString(2) + " " + rows.getString(3));
      }
    }
    assertThat(stored)
        .isEqualTo(
            Lifecycle.TABLE.stream()
                .map(way -> way.from() + " " + way.to() + " " + way.cause())
                .map(way -> way.toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static String first(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }
}
