package dev.comity.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.port.store.Claim;
import dev.comity.store.StoreSettings;
import dev.comity.store.StoreUnusable;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.sql.Migrations;
import dev.comity.store.support.DowngradeScript;
import dev.comity.store.support.Stores;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who may begin beside whom, by version and switches. */
class WorkerAdmissionTest {
  private static final int NEWEST = Migrations.POSTGRES.scripts().size();

  private static final List<String> ALONE = List.of(StoreSettings.CLAIMS);

  private final String url = Databases.url();
  private final List<PostgresStore> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.reversed().forEach(PostgresStore::close);
    Databases.giveBack(url);
  }

  private PostgresStore store(String worker, List<String> off) {
    PostgresStore store =
        PostgresStore.open(PostgresDatabase.at(url), Stores.SETTINGS.named(worker).without(off));
    open.add(store);
    store.begin(Stores.TERMS, Stores.NOON);
    return store;
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String text(String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "none";
    }
  }

  @Test
  void a_worker_registers_its_version_and_the_switches_that_are_off() throws SQLException {
    store("one", List.of("ENABLE_PER_DOMAIN_BUDGET", "ENABLE_REFRESH_MODE"));
    assertThat(text("SELECT name || ' ' || version || ' ' || flags FROM workers"))
        .isEqualTo("one " + NEWEST + " ENABLE_PER_DOMAIN_BUDGET ENABLE_REFRESH_MODE");
  }

  @Test
  void a_worker_that_would_ignore_claims_is_refused_beside_one_that_is_at_work()
      throws SQLException {
    store("one", List.of());
    assertThatThrownBy(() -> store("two", ALONE))
        .isInstanceOf(StoreUnusable.class)
        .hasMessageContaining("ENABLE_CLAIM_PROTOCOL is off")
        .hasMessageContaining("would ignore the claims of worker one")
        .hasMessageContaining("set it to true, or end it with `comity drain one-");
    assertThat(text("SELECT count(*) FROM workers")).isEqualTo("1");
    open.removeFirst().close();
    store("two", ALONE);
  }

  @Test
  void beside_a_worker_with_claims_off_every_second_one_is_refused_until_it_has_ended() {
    store("one", ALONE);
    for (List<String> off : List.of(List.<String>of(), ALONE)) {
      assertThatThrownBy(() -> store("two", off))
          .isInstanceOf(StoreUnusable.class)
          .hasMessageContaining("worker one has the database alone")
          .hasMessageContaining("comity drain one-");
    }
    open.removeFirst().close();
    store("two", List.of());
  }

  @Test
  void a_killed_worker_counts_until_its_leases_end() throws SQLException {
    PostgresStore killed = store("killed", List.of());
    killed.add(Stores.seeds("http://a.example/"), Stores.NOON);
    assertThat(killed.claim(1, Stores.NOON)).hasSize(1);
    run("UPDATE workers SET last_seen_at = comity_millis() - 100000");
    assertThatThrownBy(() -> store("two", ALONE))
        .hasMessageContaining("comity release-stuck-claims --force killed-");
    run("UPDATE domains SET claim_expires_at = comity_millis() - 1, version = version + 1");
    store("two", ALONE);
  }

  @Test
  void a_worker_of_another_version_is_refused_beside_one_that_is_at_work() throws SQLException {
    for (String version : List.of("3", "99")) {
      run(
          "INSERT INTO workers (id, name, version, started_at, last_seen_at)"
              + " VALUES ('other-1', 'other', '%s', 1, comity_millis())".formatted(version));
      assertThatThrownBy(() -> store("one", List.of()))
          .isInstanceOf(StoreUnusable.class)
          .hasMessageContaining(
              "worker other is of another Comity (tables of version %s, here %d)"
                  .formatted(version, NEWEST))
          .hasMessageContaining("comity drain other-1");
      run("UPDATE workers SET last_seen_at = comity_millis() - 60001");
      store("one", List.of()).close();
      open.clear();
      run("DELETE FROM workers");
    }
  }

  @Test
  void a_worker_that_was_given_up_is_not_back_on_tables_of_a_newer_program() throws SQLException {
    PostgresStore old = store("old", List.of());
    run(
        "INSERT INTO flyway_schema_history (installed_rank, version, description, type, script,"
            + " installed_by, execution_time, success)"
            + " VALUES (99, '%d', 'x', 'SQL', 'Vx__x.sql', '', 0, true)".formatted(NEWEST + 1));
    try {
      run("DELETE FROM lanes; UPDATE workers SET ended_at = comity_millis(), state = 'lost'");
      assertThatThrownBy(() -> old.claim(1, Stores.NOON))
          .isInstanceOf(StoreUnusable.class)
          .hasMessageContaining("the tables have version " + (NEWEST + 1))
          .hasMessageContaining("this one knows " + NEWEST);
    } finally {
      run("DELETE FROM flyway_schema_history WHERE installed_rank = 99");
    }
  }

  @Test
  void workers_of_an_older_program_that_stand_still_are_ended_by_the_change_of_the_tables()
      throws Exception {
    PostgresStore old = store("old", List.of());
    old.add(Stores.seeds("http://a.example/"), Stores.NOON);
    Claim claim = old.claim(1, Stores.NOON).getFirst();
    old.settle(claim, Stores.page(ServerStores.take(old, claim), claim));
    run(
        "UPDATE workers SET version = '3', last_seen_at = comity_millis() - 100000;"
            + " UPDATE domains SET claim_expires_at = comity_millis() - 1, version = version + 1");
    try (Connection connection = DriverManager.getConnection(url)) {
      DowngradeScript.run("postgres", Migrations.POSTGRES.scripts().getLast(), connection);
    }
    PostgresDatabase.at(url).migrate();
    assertThat(text("SELECT state FROM workers")).isEqualTo("lost");
    assertThat(text("SELECT pages FROM crawl_runs")).isEqualTo("1");
    assertThat(text("SELECT count(*) FROM lanes")).isEqualTo("0");
  }

  @Test
  void the_order_of_seeds_is_left_when_a_run_goes_by_priority_again() throws SQLException {
    PostgresStore first = store("first", ALONE);
    first.add(Stores.seeds("http://a.example/", "http://b.example/"), Stores.NOON);
    first.order(
        Stores.seeds("http://b.example/").stream().map(url -> url.url().domain()).toList(),
        Stores.NOON);
    assertThat(text("SELECT flags FROM workers")).isEqualTo("ENABLE_CLAIM_PROTOCOL seed-order");
    assertThat(text("SELECT string_agg(priority_score::text, ' ' ORDER BY domain) FROM domains"))
        .isEqualTo("0 1");
    open.removeFirst().close();
    store("second", List.of());
    assertThat(text("SELECT min(priority_score) > 100 FROM domains")).isEqualTo("t");
    assertThat(text("SELECT flags FROM workers WHERE name = 'first'"))
        .isEqualTo("ENABLE_CLAIM_PROTOCOL");
  }
}
