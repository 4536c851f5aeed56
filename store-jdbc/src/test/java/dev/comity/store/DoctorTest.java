package dev.comity.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorTest {
  @TempDir private Path home;

  @Test
  void a_sound_store_has_nothing_to_find_and_every_check_is_told_of() {
    List<String> told = new ArrayList<>();
    List<Examination> all =
        new Doctor(Planted.sound(home).directory()).examine(one -> told.add(one.check()));
    assertThat(all).allMatch(Examination::isSound);
    assertThat(told)
        .containsExactly("file", "claims", "delays", "lifecycle", "frontier", "once", "counters");
    assertThat(all.stream().map(Examination::invariant)).containsExactly(0, 1, 6, 8, 11, 12, 13);
  }

  @Test
  void an_empty_store_is_sound() {
    assertThat(Planted.empty(home).findings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // 1
        "UPDATE transitions SET token = 2 WHERE id = 1"
            + " | claims able.example: transition 2 grants token 2 after 2 was granted",
        "UPDATE domains SET claim_token = 3 WHERE id = 1"
            + " | claims able.example: its token is 3, the last one granted 2",
        "UPDATE domains SET claim_token = 1 WHERE id = 3"
            + " | claims easy.able.example: its token is 1, the last one granted 0",
        "UPDATE domains SET claimed_by = 'other-2' WHERE id = 1"
            + " | claims able.example: it is claimed by other-2, token 2 was granted to host-1",
        "UPDATE domains SET claim_expires_at = NULL WHERE id = 1"
            + " | claims able.example: it is claimed by host-1 without an end",
        // 6
        "UPDATE domains SET refused_delay_ms = 1400 WHERE id = 2"
            + " | delays baker.example: its column says that 1400 ms was refused, its state"
            + " 1500 ms",
        "UPDATE domains SET adaptive_delay_ms = 1 WHERE id = 2"
            + " | delays baker.example: its column says that 1 ms is learned, its state 2500 ms",
        // 8
        "UPDATE transitions SET door = 'arrival' WHERE id = 4"
            + " | lifecycle baker.example: transition 4 goes from active to blocked by arrival,"
            + " which is no way there is",
        "UPDATE transitions SET from_status = 'pending' WHERE id = 2"
            + " | lifecycle able.example: transition 2 begins at pending, the one before it ended"
            + " at active",
        "UPDATE domains SET status = 'exhausted' WHERE id = 1"
            + " | lifecycle able.example: it is exhausted, its transitions end at active",
        "UPDATE domains SET status = 'active' WHERE id = 3"
            + " | lifecycle easy.able.example: it is active, its transitions end at pending",
        // 11
        "UPDATE domains SET pages_discovered = 9 WHERE id = 1"
            + " | frontier able.example: 13 URLs were discovered, 7 are kept and 3 over the cap",
        "UPDATE domains SET frontier_size = 4 WHERE id = 1"
            + " | frontier able.example: 6 URLs are counted as unfinished, 3 are",
        "UPDATE domains SET urls_done = 2 WHERE id = 1"
            + " | frontier able.example: 2 URLs are counted as done, 3 are",
        "UPDATE domains SET urls_failed = 0 WHERE id = 1"
            + " | frontier able.example: 0 URLs are counted as failed, 1 are",
        "UPDATE domains SET urls_denied = 1 WHERE id = 3"
            + " | frontier easy.able.example: 1 URLs are counted as denied, 0 are",
        "UPDATE domains SET urls_set_aside = 1 WHERE id = 3"
            + " | frontier easy.able.example: 1 URLs are counted as set aside, 0 are",
        "UPDATE domains SET urls_suppressed = 1 WHERE id = 3"
            + " | frontier easy.able.example: 1 URLs are counted as suppressed, 0 are",
        "UPDATE domains SET urls_skipped = 1 WHERE id = 3"
            + " | frontier easy.able.example: 1 URLs are counted as skipped, 0 are",
        "INSERT INTO domain_frontier (domain_id, authority_no, target, url_key, place, depth,"
            + " discovered_at) VALUES (99, 0, '/', 1, 0, 0, 0)"
            + " | frontier : 1 URLs belong to domain 99, which there is not",
        // 13
        "UPDATE domains SET requests = 6 WHERE id = 1"
            + " | counters able.example: 6 requests are counted, 5 are in the log or pruned",
        "UPDATE domains SET pages_crawled = 4 WHERE id = 1"
            + " | counters able.example: 4 pages are counted, 3 are kept",
        "UPDATE domains SET page_requests = 5 WHERE id = 1"
            + " | counters able.example: 5 page requests are counted, 4 are in the log or pruned",
        "UPDATE domains SET pruned_errors = 1 WHERE id = 1"
            + " | counters able.example: 1 errors are counted, 2 are in the log or pruned",
        "UPDATE domains SET last_start_at = NULL WHERE id = 2"
            + " | counters baker.example: its last start is kept as never, the log has one at"
            + " 2023-11-14T22:13:50Z",
        "UPDATE crawl_runs SET pages = 5"
            + " | counters run 1: 5 pages are counted, 4 by its domains",
      })
  void what_cannot_be_is_found_and_nothing_else(String planted, String finding) {
    assertThat(Planted.sound(home).run(planted).findings()).containsExactly(finding);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1500 | 1500 ms is learned and 1500 ms refused, outside a probe",
        "61000 | 61000 ms is learned, which is more than 60000 ms",
      })
  void a_learned_delay_that_makes_no_sense_is_found(long learned, String words) {
    String state = DomainStateJson.encode(Planted.taught(Duration.ofMillis(learned)));
    Planted planted =
        Planted.sound(home)
            .run(
                "UPDATE domains SET adaptive_delay_ms = %d, policy_state = '%s' WHERE id = 2"
                    .formatted(learned, state));
    assertThat(planted.findings()).containsExactly("delays baker.example: " + words);
  }

  @Test
  void a_state_that_cannot_be_read_is_found() {
    Planted planted = Planted.sound(home).run("UPDATE domains SET policy_state = '{' WHERE id = 2");
    assertThat(planted.findings())
        .singleElement()
        .asString()
        .startsWith("delays baker.example: a domain's state cannot be read");
  }

  /** Another success of a URL that has one, with the counters moved along. */
  private Planted again(int token) {
    return Planted.sound(home)
        .run(
            """
            INSERT INTO crawl_log (id, run_id, domain_id, url_id, attempt, kind, claim_token,
              started_at, finished_at, delay_ms, status, outcome, fate, is_page, is_error, bytes)
            VALUES (8, 1, 1, 1, 2, 'page', %d, 1700000040000, 1700000040000, 1000, 200, 'success',
              'done', 1, 0, 1)
            """
                .formatted(token),
            "UPDATE domains SET requests = 6, page_requests = 5 WHERE id = 1",
            "UPDATE jobs SET pages = 4 WHERE domain_id = 1",
            "UPDATE crawl_runs SET pages = 5");
  }

  @Test
  void a_second_success_in_one_run_is_found() {
    assertThat(again(3).findings())
        .containsExactly(
            "once able.example: run 1 has https://able.example/ twice with success: log rows 2"
                + " (token 2) and 8 (token 3)");
  }

  @Test
  void a_crash_between_excuses_a_second_success_but_not_under_the_same_claim() {
    String crash = "UPDATE workers SET unclean = 1";
    assertThat(again(3).run(crash).findings()).isEmpty();
    assertThat(
            new Planted(new DataDirectory(home))
                .run("UPDATE crawl_log SET claim_token = 2")
                .findings())
        .hasSize(1);
  }

  @Test
  void a_crash_before_or_after_excuses_nothing() {
    Planted planted = again(3);
    planted.run("UPDATE workers SET unclean = 1, last_seen_at = 1700000009000");
    assertThat(planted.findings()).hasSize(1);
    planted.run("UPDATE workers SET started_at = 1700000041000, last_seen_at = 1700000042000");
    assertThat(planted.findings()).hasSize(1);
  }

  @Test
  void a_reset_between_or_a_refresh_excuses_a_second_success() {
    Planted planted = again(3);
    planted.run(
        "INSERT INTO audit (at, actor, action, subject)"
            + " VALUES (1700000020000, 'me', 'domain-reset', 'able.example')");
    assertThat(planted.findings()).isEmpty();
    planted.run("DELETE FROM audit");
    assertThat(planted.findings()).hasSize(1);
    planted.run("UPDATE crawl_log SET type = 'refresh' WHERE id = 8");
    assertThat(planted.findings()).isEmpty();
  }

  @Test
  void more_findings_than_anybody_reads_are_counted() {
    Planted planted = Planted.empty(home);
    planted.run(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
        INSERT INTO domains (domain, parent_domain, first_seen_at, updated_at, requests)
        SELECT 'd' || i || '.example', 'example', 0, 0, 1 FROM n
        """);
    Examination counters = new Doctor(planted.directory()).examine(_ -> {}).getLast();
    assertThat(counters.findings()).hasSize(100);
    assertThat(counters.more()).isEqualTo(150);
  }
}
