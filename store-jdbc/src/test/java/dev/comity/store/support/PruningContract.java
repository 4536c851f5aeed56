package dev.comity.store.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.store.operate.Pruning;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What pruning does in any store. */
public interface PruningContract {
  Instant AT_20 = Instant.ofEpochSecond(1_700_000_020);
  Instant LATER = Instant.ofEpochSecond(1_800_000_000);

  /** What a small crawl leaves behind. */
  Planted sound();

  @Test
  default void what_leaves_the_log_stays_in_the_counters() {
    Planted store = sound();
    try (Pruning pruning = new Pruning(store.place(), AT_20, false)) {
      assertThat(pruning.log()).isEqualTo(2);
    }
    assertThat(store.number("SELECT count(*) FROM crawl_log")).isEqualTo(5);
    assertThat(
            store.text(
                "SELECT pruned_requests || ' ' || pruned_pages || ' ' || pruned_errors"
                    + " FROM domains WHERE id = 1"))
        .isEqualTo("2 1 0");
    assertThat(store.findings()).isEmpty();
  }

  @Test
  default void the_newest_row_stays_because_numbers_go_on_from_there() {
    Planted store = sound();
    try (Pruning pruning = new Pruning(store.place(), LATER, false)) {
      assertThat(pruning.log()).isEqualTo(6);
      assertThat(pruning.log()).isZero();
    }
    assertThat(store.number("SELECT max(id) FROM crawl_log")).isEqualTo(7);
    assertThat(store.findings()).isEmpty();
  }

  @Test
  default void a_log_longer_than_a_batch_is_pruned_to_the_end() {
    Planted store = sound();
    store.run(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        INSERT INTO crawl_log (id, run_id, domain_id, url, attempt, kind, claim_token, started_at,
          finished_at, delay_ms, outcome, fate, is_page, is_error, bytes)
        SELECT 100 + i, 1, 3, 'x', 1, 'robots', 1, 1600000000000, 1600000000000, 0, 'success',
          'done', 0, 0, 0
        FROM n
        """,
        "INSERT INTO transitions (domain_id, token, from_status, to_status, door, at)"
            + " VALUES (3, 1, 'pending', 'active', 'claim', 1600000000000)",
        "UPDATE domains SET requests = 5000, last_start_at = 1600000000000, claim_token = 1,"
            + " claim_class = 0, status = 'active', version = 1, policy_state ="
            + " '{\"v\":1,\"standing\":{\"status\":\"active\"},"
            + "\"slots\":{\"last_start\":1600000000000000000}}' WHERE id = 3");
    try (Pruning pruning = new Pruning(store.place(), AT_20, false)) {
      assertThat(pruning.log()).isEqualTo(4999 + 2);
    }
    assertThat(store.number("SELECT pruned_requests FROM domains WHERE id = 3")).isEqualTo(4999);
    assertThat(store.findings()).isEmpty();
  }

  @Test
  default void old_transitions_go_as_far_as_each_domain_s_last_claim() {
    Planted store = sound();
    try (Pruning pruning = new Pruning(store.place(), LATER, false)) {
      assertThat(pruning.transitions()).isEqualTo(1);
    }
    assertThat(store.number("SELECT sum(id) FROM transitions")).isEqualTo(2 + 3 + 4);
    assertThat(store.findings()).isEmpty();
  }

  @Test
  default void texts_are_forgotten_and_their_pages_kept() {
    Planted store = sound();
    try (Pruning pruning = new Pruning(store.place(), AT_20, false)) {
      assertThat(pruning.texts()).isEqualTo(1);
    }
    assertThat(store.number("SELECT count(*) FROM pages")).isEqualTo(4);
    assertThat(store.text("SELECT max(text) FROM pages")).isEqualTo("more of it");
    assertThat(store.number("SELECT count(text) FROM pages")).isEqualTo(1);
  }

  @Test
  default void a_rehearsal_counts_the_same_and_changes_nothing() {
    Planted store = sound();
    try (Pruning pruning = new Pruning(store.place(), LATER, true)) {
      assertThat(pruning.log()).isEqualTo(6);
      assertThat(pruning.transitions()).isEqualTo(1);
      assertThat(pruning.texts()).isEqualTo(2);
    }
    assertThat(store.number("SELECT count(*) FROM crawl_log")).isEqualTo(7);
    assertThat(store.number("SELECT count(*) FROM transitions")).isEqualTo(4);
  }

  @Test
  default void a_source_keeps_its_last_start() {
    Planted store = sound();
    store.run(
        "INSERT INTO sources (id, name, created_at, last_start_at)"
            + " VALUES (1, 'news', 1, 1700000010000)",
        "UPDATE crawl_log SET source_id = 1 WHERE id = 2");
    try (Pruning pruning = new Pruning(store.place(), LATER, false)) {
      pruning.log();
    }
    assertThat(store.number("SELECT last_start_at FROM sources")).isEqualTo(1_700_000_010_000L);
    assertThat(store.findings()).isEmpty();
  }
}
