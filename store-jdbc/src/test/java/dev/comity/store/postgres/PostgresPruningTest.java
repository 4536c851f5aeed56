package dev.comity.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.store.ServerDatabase;
import dev.comity.store.StoreUnusable;
import dev.comity.store.operate.Pruning;
import dev.comity.store.support.Planted;
import dev.comity.store.support.PruningContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresPruningTest implements PruningContract {
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
  void workers_at_work_keep_the_tables_from_being_written_anew() {
    Planted store = sound();
    store.run("UPDATE workers SET last_seen_at = comity_millis()");
    try (Pruning pruning = new Pruning(store.place(), LATER, false)) {
      assertThatThrownBy(pruning::compact)
          .isInstanceOf(StoreUnusable.class)
          .hasMessageStartingWith("1 workers are at postgresql://")
          .hasMessageContaining("comity drain WORKER");
      store.run(
          "UPDATE workers SET last_seen_at = 1, ended_at = 1700000200000",
          "INSERT INTO transitions (domain_id, token, from_status, to_status, door, at)"
              + " SELECT 3, 1, 'pending', 'pending', 'reset', 1 FROM generate_series(1, 20000)",
          "DELETE FROM transitions WHERE domain_id = 3");
      long before = store.number("SELECT pg_relation_size('transitions')");
      pruning.compact();
      assertThat(store.number("SELECT pg_relation_size('transitions')")).isLessThan(before / 10);
    }
  }

  @Test
  void pruning_waits_for_a_worker_that_writes_and_loses_nothing_of_either() throws Exception {
    Planted store = sound();
    try (Connection worker = stores.connection();
        Pruning pruning = new Pruning(store.place(), LATER, false)) {
      ServerStores.run(worker, "UPDATE domains SET requests = requests + 1 WHERE id = 1");
      ServerStores.run(
          worker,
          "INSERT INTO crawl_log (run_id, domain_id, url, attempt, kind, claim_token, started_at,"
              + " finished_at, delay_ms, outcome, fate, is_page, is_error, bytes) VALUES (1, 1,"
              + " 'x', 1, 'robots', 2, 1700000041000, 1700000041000, 1000, 'success', 'done', 0, 0,"
              + " 0)");
      CompletableFuture<Long> pruned = CompletableFuture.supplyAsync(pruning::log);
      stores.awaitLocks(1, pruned);
      assertThat(pruned).isNotDone();
      worker.commit();
      assertThat(pruned.join()).isGreaterThanOrEqualTo(6);
    }
    assertThat(store.number("SELECT requests - pruned_requests FROM domains WHERE id = 1"))
        .isEqualTo(store.number("SELECT count(*) FROM crawl_log WHERE domain_id = 1"));
  }

  @Test
  void a_deadlock_with_a_worker_is_tried_again() throws Exception {
    Planted store = sound();
    try (Connection worker = DriverManager.getConnection(stores.url);
        Statement statement = worker.createStatement();
        Pruning pruning = new Pruning(store.place(), LATER, false)) {
      worker.setAutoCommit(false);
      // The server looks for deadlocks in the session that waits first.
      statement.execute("SET deadlock_timeout = '1h'");
      statement.execute("UPDATE domains SET requests = requests WHERE id = 2");
      CompletableFuture<Long> pruned = CompletableFuture.supplyAsync(pruning::log);
      stores.awaitLocks(1, pruned);
      statement.execute("UPDATE domains SET requests = requests WHERE id = 1");
      worker.commit();
      assertThat(pruned.join()).isEqualTo(6);
    }
    assertThat(store.findings()).isEmpty();
  }
}
