package dev.comity.store.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.DomainName;
import dev.comity.store.report.StoreReader;
import dev.comity.store.support.Planted;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorTest {
  private static final Instant NOW = Planted.NOW;

  @TempDir private Path home;
  private Planted store;
  private Operator operator;

  @BeforeEach
  void open() {
    store = Planted.sound(home);
    operator = new Operator(store.directory(), "me");
  }

  @Test
  void a_reset_ends_the_claim_and_queues_the_seeds_again() {
    Operator.OperatorResult done =
        operator.reset("able.example", false, Optional.empty(), NOW).orElseThrow();
    assertThat(done)
        .isEqualTo(new Operator.OperatorResult("able.example", "active", Optional.of("host-1"), 1));
    assertThat(
            store.text(
                "SELECT status || coalesce(claimed_by, ' free') || ' ' || claim_token || ' '"
                    + " || version || ' ' || unclean || ' ' || claimable_at || ' ' || frontier_size"
                    + " || ' ' || urls_done FROM domains WHERE id = 1"))
        .isEqualTo("pending free 2 11 1 0 4 2");
    assertThat(store.number("SELECT state FROM domain_frontier WHERE id = 1")).isZero();
    assertThat(store.number("SELECT state FROM domain_frontier WHERE id = 2")).isEqualTo(1);
    assertThat(store.number("SELECT count(*) FROM in_flight")).isZero();
    assertThat(store.findings()).isEmpty();
  }

  @Test
  void all_queues_every_url_as_if_it_had_never_been_tried() {
    Operator.OperatorResult done =
        operator.reset("able.example", true, Optional.empty(), NOW).orElseThrow();
    assertThat(done.requeued()).isEqualTo(4);
    assertThat(
            store.number(
                "SELECT count(*) FROM domain_frontier WHERE domain_id = 1 AND state = 0"
                    + " AND due_at IS NULL AND tries_spent = 0 AND place < 32768"))
        .isEqualTo(7);
    assertThat(store.number("SELECT sum(asked) FROM domain_frontier WHERE domain_id = 1"))
        .as("attempts go on being numbered from where they were")
        .isEqualTo(7);
    assertThat(store.findings()).isEmpty();
  }

  @Test
  void a_tried_redirect_target_keeps_its_place_among_redirect_targets() {
    store.run("UPDATE domain_frontier SET place = 1 - 32768 + 65536, hops = 1 WHERE id = 4");
    operator.reset("able.example", true, Optional.empty(), NOW);
    assertThat(store.number("SELECT place FROM domain_frontier WHERE id = 4")).isEqualTo(1 - 32768);
  }

  @Test
  void a_closed_domain_is_opened_with_what_it_learned_and_its_job_goes_on() {
    operator.reset("baker.example", false, Optional.of("they said sorry"), NOW);
    assertThat(
            store.text(
                "SELECT status || coalesce(block_reason_code, '') || coalesce(block_reason, '')"
                    + " || coalesce(next_crawl_after, '') || ' ' || cooldown_count || ' '"
                    + " || adaptive_delay_ms || ' ' || claimable_at || ' ' || unclean"
                    + " FROM domains WHERE id = 2"))
        .isEqualTo("pending 0 2500 0 0");
    assertThat(store.text("SELECT status FROM jobs WHERE domain_id = 2")).isEqualTo("open");
    assertThat(
            store.text(
                "SELECT from_status || ' ' || to_status || ' ' || door || ' ' || reason"
                    + " FROM transitions ORDER BY id DESC LIMIT 1"))
        .isEqualTo("blocked pending reset they said sorry");
    assertThat(
            store.text(
                "SELECT actor || ' ' || action || ' ' || subject || ' ' || reason || ' ' || detail"
                    + " FROM audit"))
        .isEqualTo("me domain-reset baker.example they said sorry requeued 1");
    assertThat(store.findings()).isEmpty();
  }

  @Test
  void a_run_about_other_domains_does_not_get_one_by_its_reset() {
    store.run(
        "DELETE FROM jobs WHERE domain_id = 2",
        "UPDATE domains SET spent_run_id = 1, claimable_at = NULL WHERE id = 2");
    operator.reset("baker.example", false, Optional.empty(), NOW);
    assertThat(
            store.text(
                "SELECT status || ' ' || spent_run_id || coalesce(claimable_at, ' not claimable')"
                    + " FROM domains WHERE id = 2"))
        .isEqualTo("pending 1 not claimable");
  }

  @Test
  void nor_does_it_get_one_that_was_crawled_to_the_end_when_it_began() {
    store.run(
        "DELETE FROM jobs WHERE domain_id = 2",
        "DELETE FROM crawl_run_seeds WHERE url LIKE '%baker%'",
        "UPDATE domains SET status = 'exhausted', spent_run_id = NULL, version = version + 1"
            + " WHERE id = 2");
    operator.reset("baker.example", true, Optional.empty(), NOW);
    assertThat(
            store.text(
                "SELECT status || ' ' || spent_run_id || coalesce(claimable_at, ' not claimable')"
                    + " FROM domains WHERE id = 2"))
        .isEqualTo("pending 1 not claimable");
  }

  @Test
  void a_worker_s_death_with_a_url_is_remembered_through_a_reset() {
    store.run("UPDATE in_flight SET deaths = 2");
    operator.reset("able.example", false, Optional.empty(), NOW);
    assertThat(store.number("SELECT deaths * 10 + taken FROM in_flight")).isEqualTo(20);
  }

  @Test
  void a_block_closes_a_domain_until_somebody_resets_it() {
    operator.block("able.example", "they asked", NOW);
    assertThat(
            store.text(
                "SELECT status || ' ' || block_reason_code || ' ' || block_reason || ' '"
                    + " || first_blocked_at || coalesce(claimable_at, ' never')"
                    + " || coalesce(claimed_by, ' free') FROM domains WHERE id = 1"))
        .isEqualTo("blocked operator they asked 1700000100000 never free");
    assertThat(store.findings()).isEmpty();
    operator.reset("able.example", false, Optional.empty(), NOW);
    assertThat(store.text("SELECT status FROM domains WHERE id = 1")).isEqualTo("pending");
    assertThat(store.findings()).isEmpty();
  }

  @Test
  void a_reset_forgets_what_kind_of_address_seeds_had_and_that_they_were_named() {
    store.run("UPDATE authorities SET address_kind = 'private', named = 1");
    operator.reset("able.example", false, Optional.empty(), NOW);
    try (StoreReader reader = StoreReader.open(store.directory())) {
      assertThat(reader.seedAddresses(new DomainName("able.example"))).isEmpty();
      assertThat(reader.namedSeeds())
          .isNotEmpty()
          .noneMatch(seed -> seed.authority().host().equals("able.example"));
    }
  }

  @Test
  void what_nobody_has_heard_of_is_left_alone() {
    assertThat(operator.reset("none.example", true, Optional.empty(), NOW)).isEmpty();
    assertThat(operator.block("none.example", "why", NOW)).isEmpty();
    assertThat(store.number("SELECT count(*) FROM audit")).isZero();
  }
}
