package dev.comity.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.store.StoreLimits;
import dev.comity.store.ServerDatabase;
import dev.comity.store.doctor.Doctor;
import dev.comity.store.doctor.Examination;
import dev.comity.store.operate.DomainOperator;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.support.DoctorContract;
import dev.comity.store.support.Planted;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresDoctorTest implements DoctorContract {
  @TempDir private Path home;
  private final ServerStores stores = new ServerStores();

  @AfterEach
  void close() throws Exception {
    stores.close();
  }

  @Override
  public Planted sound() {
    return Planted.soundOn(ServerDatabase.at(stores.url), home);
  }

  @Test
  void every_check_is_told_of() {
    assertThat(new Doctor(sound().place()).examine(_ -> {}).stream().map(Examination::check))
        .containsExactly(
            "schema",
            "rows",
            "times",
            "runs",
            "workers",
            "claims",
            "states",
            "spacing",
            "delays",
            "rests",
            "lifecycle",
            "budgets",
            "frontier",
            "once",
            "sources",
            "counters");
  }

  @Test
  void an_empty_database_is_sound() {
    assertThat(new Planted(ServerDatabase.at(stores.url)).findings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "UPDATE workers SET ended_at = 1700000090000, state = 'lost'"
            + " | workers : worker host-1 has ended, and lanes of it are left with 0 pages",
        "DELETE FROM lanes WHERE lane = 'intake' | workers : worker host-1 is up and has 2 lanes",
        "UPDATE workers SET state = 'lost'"
            + " | workers : worker host-1 is lost, and its end says otherwise",
        "UPDATE in_flight SET worker = 'other-1'"
            + " | claims able.example: 1 URLs are in flight, and not with the worker that holds it",
        "INSERT INTO transitions (domain_id, token, from_status, to_status, door, worker, at)"
            + " VALUES (3, 1, 'pending', 'active', 'claim', 'host-1', 1700001900000),"
            + " (3, 2, 'active', 'active', 'claim', 'host-1', 1700001970000)"
            + " | claims able.example: its claim ran out at 2023-11-14T22:43:20Z, and others were"
            + " claimed since",
        "UPDATE lanes SET pages = 3 WHERE lane = 'flush'"
            + " | counters run 1: 7 pages are counted, 4 by its domains",
        "UPDATE lanes SET pages = 997 WHERE lane = 'flush'"
            + " | budgets run 1: it has 1001 pages and may have 1000",
        "INSERT INTO suspects (url_id, domain_id, deaths) VALUES (99, 1, 1)"
            + " | rows : 1 rows of suspects have url_id 99, which is not in domain_frontier",
        "INSERT INTO suspects (url_id, domain_id, deaths) VALUES (5, 1, 0)"
            + " | rows : row 5 of suspects has deaths 0",
        "INSERT INTO in_flight (url_id, domain_id, worker, taken_at) VALUES (99, 1, 'host-1', 1)"
            + " | rows : 1 rows of in_flight have url_id 99, which is not in domain_frontier",
        "INSERT INTO favours (domain_id, url, asked_at) VALUES (77, 'x', 1)"
            + " | rows : 1 rows of favours have domain_id 77, which is not in domains",
        "INSERT INTO run_domains (run_id, domain_id) VALUES (1, 77)"
            + " | rows : 1 rows of run_domains have domain_id 77, which is not in domains",
        "INSERT INTO jobs (run_id, domain_id, started_at) VALUES (1, 77, 0)"
            + " | rows : 1 rows of jobs have domain_id 77, which is not in domains",
        "UPDATE jobs SET failed_in_row = -1 WHERE domain_id = 2"
            + " | rows : row 1/2 of jobs has failed_in_row -1",
        "UPDATE domain_frontier SET url = 'no url' WHERE id = 2"
            + " | frontier able.example: URL 2 cannot be read: ",
        "UPDATE domain_frontier SET url = 'https://able.example/else' WHERE id = 2"
            + " | frontier able.example: URL 2 is kept under the key of another text:"
            + " https://able.example/else",
        "UPDATE domain_frontier SET url = 'https://baker.example/' WHERE id = 2"
            + " | frontier able.example: URL 2 belongs to another domain",
        "UPDATE domain_frontier SET domain_id = 99 WHERE id = 9"
            + " | frontier : 1 URLs belong to domain 99, which does not exist",
        "UPDATE domains SET policy_state = CAST(jsonb_set(jsonb_set(CAST(policy_state AS jsonb),"
            + " '{learning}', '{\"last_refusal\":1700000020000000000}'), '{slots}',"
            + " '{\"last_start\":1700000040000000000,\"rest_until\":1700000090000000000,"
            + "\"why\":\"retry_after\"}') AS text) WHERE id = 1"
            + " | rests able.example: log row 4 started while it rested until 2023-11-14T22:14:50Z",
        "UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = CAST('jobs_domain' AS regclass)"
            + " | schema : the index jobs_domain is not valid",
        "UPDATE flyway_schema_history SET success = FALSE WHERE version = '2'"
            + " | schema : version 2 of the tables was not finished",
      })
  void a_fault_of_a_server_is_found(String planted, String finding) {
    Planted store = sound().run(planted);
    try {
      assertThat(store.findings()).anyMatch(found -> found.startsWith(finding));
    } finally {
      store.run(
          "UPDATE pg_index SET indisvalid = TRUE WHERE NOT indisvalid",
          "UPDATE flyway_schema_history SET success = TRUE");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"domains_updated", "domains_status_written"})
  void a_trigger_that_does_not_work_is_found(String trigger) {
    Planted store = sound().run("ALTER TABLE domains DISABLE TRIGGER " + trigger);
    try {
      assertThat(store.findings())
          .containsExactly("schema : the trigger " + trigger + " does not work");
    } finally {
      store.run("ALTER TABLE domains ENABLE TRIGGER " + trigger);
    }
  }

  /** Another success under another claim, with the counters moved along. */
  @ParameterizedTest
  @CsvSource({"taken over, 0", "given over, 1"})
  void a_worker_that_died_excuses_a_second_success_and_one_that_gave_the_domain_back_does_not(
      String before, int findings) {
    Planted store =
        sound()
            .run(
                ROW
                    + " VALUES (8, 1, 1, 1, 2, 'page', 3, 1700000046000, 1700000046000, 1000, 200,"
                    + " 'success', 'done', 1, 0, 1)",
                "INSERT INTO transitions (domain_id, token, from_status, to_status, door, reason,"
                    + " worker, at) VALUES (1, 3, 'active', 'active', 'claim', '"
                    + before
                    + "', 'host-1', 1700000045000)",
                "UPDATE domains SET requests = 6, page_requests = 5, claim_token = 3,"
                    + " last_start_at = 1700000046000, policy_state = replace(policy_state,"
                    + " '1700000040000000000', '1700000046000000000') WHERE id = 1",
                "UPDATE jobs SET pages = 4 WHERE domain_id = 1",
                "UPDATE crawl_runs SET pages = 5");
    assertThat(store.findings()).hasSize(findings).allMatch(found -> found.startsWith("once "));
  }

  /** The clocks of two workers may differ by what the way to the server takes. */
  @ParameterizedTest
  @CsvSource({"1000, given over, 0", "1000, , 1", "9000, given over, 1"})
  void the_clock_of_another_worker_may_be_off_by_a_second(
      long delay, @Nullable String before, int findings) {
    Planted store =
        sound()
            .run(
                ROW
                    + " VALUES (8, 1, 1, 1, 2, 'robots', 3, 1700000040100, 1700000047000, "
                    + delay
                    + ", 200, 'success', 'done', 0, 0, 1)",
                "INSERT INTO transitions (domain_id, token, from_status, to_status, door, reason,"
                    + " worker, at) VALUES (1, 3, 'active', 'active', 'claim', "
                    + (before == null ? "NULL" : "'" + before + "'")
                    + ", 'host-1', 1700000045000)",
                "UPDATE domains SET requests = 6, claim_token = 3 WHERE id = 1");
    assertThat(store.findings())
        .filteredOn(found -> found.startsWith("spacing "))
        .hasSize(findings);
  }

  @Test
  void a_reset_mends_what_the_doctor_says_it_mends() {
    Planted store =
        sound()
            .run(
                "UPDATE domains SET requests = 99, urls_done = 7, pages_discovered = 0,"
                    + " total_error_count = 5, images_found = 1, frontier_size = 60 WHERE id = 1",
                "UPDATE domain_frontier SET url = 'no url' WHERE id = 2",
                "UPDATE domains SET damage = 'so it is' WHERE id = 1");
    assertThat(store.findings()).hasSizeGreaterThan(5);
    DomainOperator operator =
        new PostgresOperations(
            PostgresDatabase.at(stores.url).by(() -> Instant.ofEpochSecond(1_700_000_200)),
            "a test",
            StoreLimits.DEFAULTS);
    operator.reset("able.example", false, Optional.empty(), Instant.EPOCH);
    assertThat(store.findings()).isEmpty();
  }

  @Test
  void what_is_written_meanwhile_is_not_seen_and_does_not_wait() throws Exception {
    Planted store = sound();
    try (Connection worker = stores.connection()) {
      ServerStores.run(worker, "UPDATE domains SET requests = requests + 1 WHERE id = 1");
      assertThat(
              new Doctor(store.place())
                  .examine(
                      told -> {
                        if (told.check().equals("schema")) {
                          commit(worker);
                        }
                      }))
          .allMatch(Examination::isSound);
    }
    assertThat(store.findings())
        .containsExactly(
            "counters able.example: 6 requests are counted, 5 are in the log or pruned");
  }

  private static void commit(Connection worker) {
    try {
      worker.commit();
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }
}
