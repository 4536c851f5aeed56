package dev.comity.store.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.store.DataDirectory;
import dev.comity.store.DirectoryInUse;
import dev.comity.store.support.Planted;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PruningTest {
  private static final Instant AT_20 = Instant.ofEpochSecond(1_700_000_020);
  private static final Instant LATER = Instant.ofEpochSecond(1_800_000_000);

  @TempDir private Path home;
  private Planted store;

  @BeforeEach
  void open() {
    store = Planted.sound(home);
  }

  @Test
  void what_leaves_the_log_stays_in_the_counters() {
    try (Pruning pruning = new Pruning(store.directory(), AT_20, false)) {
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
  void the_newest_row_stays_because_numbers_go_on_from_there() {
    try (Pruning pruning = new Pruning(store.directory(), LATER, false)) {
      assertThat(pruning.log()).isEqualTo(6);
      assertThat(pruning.log()).isZero();
    }
    assertThat(store.number("SELECT max(id) FROM crawl_log")).isEqualTo(7);
    assertThat(store.findings()).isEmpty();
  }

  @Test
  void a_log_longer_than_a_batch_is_pruned_to_the_end() {
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
    try (Pruning pruning = new Pruning(store.directory(), AT_20, false)) {
      assertThat(pruning.log()).isEqualTo(4999 + 2);
    }
    assertThat(store.number("SELECT pruned_requests FROM domains WHERE id = 3")).isEqualTo(4999);
    assertThat(store.findings()).isEmpty();
  }

  @Test
  void old_transitions_go_as_far_as_each_domain_s_last_claim() {
    try (Pruning pruning = new Pruning(store.directory(), LATER, false)) {
      assertThat(pruning.transitions()).isEqualTo(1);
    }
    assertThat(store.text("SELECT group_concat(id, ' ') FROM transitions")).isEqualTo("2 3 4");
    assertThat(store.findings()).isEmpty();
  }

  @Test
  void the_only_transition_of_a_domain_never_claimed_stays() {
    new Operator(store.directory(), "me").block("easy.able.example", "why", Planted.NOW);
    try (Pruning pruning = new Pruning(store.directory(), LATER, false)) {
      pruning.transitions();
    }
    assertThat(store.findings()).isEmpty();
  }

  @Test
  void texts_are_forgotten_and_their_pages_kept() {
    try (Pruning pruning = new Pruning(store.directory(), AT_20, false)) {
      assertThat(pruning.texts()).isEqualTo(1);
    }
    assertThat(store.number("SELECT count(*) FROM pages")).isEqualTo(4);
    assertThat(store.text("SELECT group_concat(text) FROM pages")).isEqualTo("more of it");
  }

  @Test
  void a_rehearsal_counts_the_same_and_changes_nothing() {
    try (Pruning pruning = new Pruning(store.directory(), LATER, true)) {
      assertThat(pruning.log()).isEqualTo(6);
      assertThat(pruning.transitions()).isEqualTo(1);
      assertThat(pruning.texts()).isEqualTo(2);
    }
    assertThat(store.number("SELECT count(*) FROM crawl_log")).isEqualTo(7);
    assertThat(store.number("SELECT count(*) FROM transitions")).isEqualTo(4);
  }

  @Test
  void nobody_compacts_under_a_crawl() {
    try (Pruning pruning = new Pruning(store.directory(), AT_20, false)) {
      try (DataDirectory.Hold _ = store.directory().hold()) {
        assertThatThrownBy(pruning::compact).isInstanceOf(DirectoryInUse.class);
      }
      store.run("DELETE FROM pages", "DELETE FROM crawl_log");
      long pages = store.number("SELECT page_count FROM pragma_page_count");
      pruning.compact();
      assertThat(store.number("SELECT freelist_count FROM pragma_freelist_count")).isZero();
      assertThat(store.number("SELECT page_count FROM pragma_page_count"))
          .isLessThanOrEqualTo(pages);
    }
  }
}
