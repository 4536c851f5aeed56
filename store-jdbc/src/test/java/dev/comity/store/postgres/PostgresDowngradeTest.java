package dev.comity.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.sql.Migrations;
import dev.comity.store.support.DowngradeScript;
import dev.comity.store.support.Life;
import dev.comity.store.support.Planted;
import dev.comity.store.support.Stores;
import dev.comity.testkit.gen.Draw;
import dev.comity.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The scripts of deploy/downgrade bring a database back under an older program, rows and all. */
class PostgresDowngradeTest {
  private static final List<String> SCRIPTS = Migrations.POSTGRES.scripts();

  /** What an older program does not know, so that no script can keep it; no URL waits elsewhere. */
  private static final String UNKNOWN = "'settings' - 'frontier_elsewhere'";

  private static final String CATALOGUE =
      """
      SELECT 'column ' || n.nspname || '.' || c.relname || '.' || a.attname || ' '
        || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' '
        || coalesce(pg_get_expr(d.adbin, d.adrelid), '') AS what
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE n.nspname IN ('public', 'seed') AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind <> 'i'
      UNION ALL SELECT 'index ' || pg_get_indexdef(i.indexrelid) FROM pg_index i
        JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname IN ('public', 'seed')
      UNION ALL SELECT 'view ' || v.schemaname || v.viewname || v.definition FROM pg_views v
        WHERE v.schemaname IN ('public', 'seed')
      UNION ALL SELECT 'function ' || pg_get_functiondef(p.oid) FROM pg_proc p
        JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname IN ('public', 'seed')
      UNION ALL SELECT 'trigger ' || pg_get_triggerdef(t.oid) FROM pg_trigger t WHERE NOT t.tgisinternal
      UNION ALL SELECT 'history ' || version || script || checksum FROM flyway_schema_history
      ORDER BY 1
      """;

  private final String url = PostgresServer.shared().newDatabase();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private Connection connection(String address) throws SQLException {
    Connection connection = DriverManager.getConnection(address);
    open.add(connection);
    return connection;
  }

  private static List<String> rows(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<String> found = new ArrayList<>();
      while (rows.next()) {
        found.add(rows.getString(1));
      }
      return found;
    }
  }

  /** Every row of every table, as text. */
  private static Map<String, List<String>> memory(Connection connection) throws SQLException {
    Map<String, List<String>> memory = new TreeMap<>();
    for (String table :
        rows(
            connection,
            "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition"
                + " AND relnamespace = 'public'::regnamespace"
                + " AND relname NOT IN ('flyway_schema_history', 'queue_home')")) {
      memory.put(
          table,
          rows(
              connection,
              "SELECT (to_jsonb(t) - %s)::text FROM %s t ORDER BY 1".formatted(UNKNOWN, table)));
    }
    return memory;
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The script of one version, run as `psql -f` does. */
  private static void undo(int version, Connection connection) throws SQLException {
    DowngradeScript.run("postgres", SCRIPTS.get(version - 1), connection);
  }

  /** Domains in all that they can be, a delay that was learnt, URLs that wait, pages. */
  private void crawl() {
    try (PostgresStore store =
        PostgresStore.open(PostgresDatabase.at(url), Stores.SETTINGS.named("crawl"))) {
      store.begin(Stores.TERMS, Stores.NOON);
      store.openToWorkers("{}");
      store.add(
          Stream.of("a", "b", "c", "d", "e", "f")
              .flatMap(
                  name ->
                      Stores.seeds("http://" + name + ".example/", "http://" + name + ".example/2")
                          .stream())
              .toList(),
          Stores.NOON);
      List<Claim> claims = store.claim(6, Stores.NOON);
      for (int n = 0; n < claims.size(); n++) {
        Claim claim = claims.get(n);
        QueuedUrl entry = ServerStores.take(store, claim);
        store.settle(claim, learnt(entry, claim, n));
      }
    }
  }

  private static Settlement learnt(QueuedUrl entry, Claim claim, int seed) {
    Settlement page =
        seed == 5
            ? Stores.fate(entry, claim, new Fate.Retry(Stores.NOON.plusSeconds(90), false))
            : Stores.page(entry, claim, ServerStores.seed("http://new" + seed + ".example/"));
    DomainState state =
        seed == 4 ? Planted.taught(Duration.ofMillis(2500)) : Life.drawn(Draw.of(seed));
    return new Settlement(
        page.entry(),
        page.attempt(),
        page.fetched(),
        page.fate(),
        state,
        page.found(),
        page.page());
  }

  @Test
  void every_migration_but_the_first_can_be_undone() {
    assertThat(DowngradeScript.names("postgres"))
        .containsExactlyElementsOf(SCRIPTS.stream().skip(1).sorted().toList());
    assertThat(DowngradeScript.documented("postgres"))
        .containsExactlyElementsOf(SCRIPTS.subList(1, SCRIPTS.size()).reversed());
  }

  @Test
  void each_older_program_finds_its_own_tables_with_every_row_and_so_does_the_newest()
      throws Exception {
    crawl();
    Connection connection = connection(url);
    Map<String, List<String>> memory = memory(connection);
    assertThat(memory.get("domains"))
        .hasSizeGreaterThan(6)
        .anyMatch(row -> row.contains("refused"));
    assertThat(rows(connection, "SELECT DISTINCT status::text FROM domains")).hasSizeGreaterThan(2);
    assertThat(
            rows(connection, "SELECT 1 FROM domains WHERE adaptive_delay_ms > 0 AND requests > 0"))
        .isNotEmpty();
    for (int version = SCRIPTS.size(); version > 1; version--) {
      undo(version, connection);
      Connection older = connection(PostgresServer.shared().newDatabase());
      new Migrations(
              Migrations.POSTGRES.place(),
              SCRIPTS.subList(0, version - 1),
              Migrations.POSTGRES.serial(),
              Migrations.POSTGRES.now())
          .runAfter(0, older);
      assertThat(rows(connection, CATALOGUE)).isEqualTo(rows(older, CATALOGUE));
      assertThat(memory(connection)).isEqualTo(memory);
    }
    PostgresDatabase.at(url).migrate();
    assertThat(memory(connection)).isEqualTo(memory);
    try (PostgresStore store =
        PostgresStore.open(PostgresDatabase.at(url), Stores.SETTINGS.named("later"))) {
      assertThat(store.begin(Stores.TERMS, Stores.NOON).continued()).isTrue();
      assertThat(store.claim(10, Stores.NOON))
          .isNotEmpty()
          .allMatch(claim -> claim.state().standing().status() != DomainStatus.BLOCKED);
    }
  }

  @Test
  void nothing_is_undone_under_workers_or_out_of_order() throws Exception {
    PostgresDatabase.at(url).migrate();
    Connection connection = connection(url);
    List<String> before = rows(connection, CATALOGUE);
    assertThatThrownBy(() -> undo(2, connection))
        .hasMessageContaining("the tables are not of version 2");
    run(connection, "ROLLBACK");
    run(
        connection,
        "INSERT INTO workers (id, name, version, started_at, last_seen_at)"
            + " VALUES ('w', 'w', '4', 1, comity_millis())");
    assertThatThrownBy(() -> undo(SCRIPTS.size(), connection))
        .hasMessageContaining("workers are at work: end them with comity drain WORKER");
    run(connection, "ROLLBACK");
    assertThat(rows(connection, CATALOGUE)).isEqualTo(before);
  }
}
