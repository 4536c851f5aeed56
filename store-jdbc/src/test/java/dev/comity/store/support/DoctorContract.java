package dev.comity.store.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.store.doctor.Doctor;
import dev.comity.store.doctor.Examination;
import dev.comity.store.sql.DomainStateJson;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the doctor finds in any store. */
public interface DoctorContract {
  String ROW =
      "INSERT INTO crawl_log (id, run_id, domain_id, url_id, attempt, kind, claim_token,"
          + " started_at, finished_at, delay_ms, status, outcome, fate, is_page, is_error, bytes)";

  /** What a small crawl leaves behind. */
  Planted sound();

  @Test
  default void a_sound_store_has_nothing_to_find() {
    assertThat(sound().findings()).isEmpty();
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
        "UPDATE transitions SET worker = 'other-2' WHERE id = 2"
            + " | claims able.example: it is claimed by host-1, token 2 was granted to other-2",
        "UPDATE domains SET claim_expires_at = NULL WHERE id = 1"
            + " | claims able.example: it is claimed by host-1 without an end",
        // 6
        "UPDATE domains SET refused_delay_ms = 1400 WHERE id = 2"
            + " | states baker.example: its column refused_delay_ms is 1400, its state says 1500",
        "UPDATE domains SET adaptive_delay_ms = 1 WHERE id = 2"
            + " | states baker.example: its column adaptive_delay_ms is 1, its state says 2500",
        // 8
        "UPDATE transitions SET door = 'arrival' WHERE id = 4"
            + " | lifecycle baker.example: transition 4: active -> blocked by `arrival` is not"
            + " allowed",
        "UPDATE transitions SET from_status = 'pending' WHERE id = 2"
            + " | lifecycle able.example: transition 2 begins at pending, the one before it ended"
            + " at active",
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
        // 13
        "UPDATE domains SET requests = 6 WHERE id = 1"
            + " | counters able.example: 6 requests are counted, 5 are in the log or pruned",
        "UPDATE domains SET pages_crawled = 4 WHERE id = 1"
            + " | counters able.example: 4 pages are counted, 3 are kept",
        "UPDATE domains SET page_requests = 5 WHERE id = 1"
            + " | counters able.example: 5 page requests are counted, 4 are in the log or pruned",
        "UPDATE domains SET pruned_errors = 1 WHERE id = 1"
            + " | counters able.example: 1 errors are counted, 2 are in the log or pruned",
        "UPDATE crawl_runs SET pages = 5"
            + " | counters run 1: 5 pages are counted, 4 by its domains",
      })
  default void what_cannot_be_is_found_and_nothing_else(String planted, String finding) {
    assertThat(sound().run(planted).findings()).containsExactly(finding);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1500 | 1500 ms is learned and 1500 ms refused, outside a probe",
        "601000 | 601000 ms is learned, which is more than 600000 ms",
      })
  default void a_learned_delay_that_makes_no_sense_is_found(long learned, String words) {
    String state = DomainStateJson.encode(Planted.taught(Duration.ofMillis(learned)));
    Planted planted =
        sound()
            .run(
                "UPDATE domains SET adaptive_delay_ms = %d, policy_state = '%s' WHERE id = 2"
                    .formatted(learned, state));
    assertThat(planted.findings()).containsExactly("delays baker.example: " + words);
  }

  @Test
  default void a_state_that_cannot_be_read_is_found() {
    Planted planted = sound().run("UPDATE domains SET policy_state = '{' WHERE id = 2");
    assertThat(planted.findings())
        .singleElement()
        .asString()
        .startsWith("states baker.example: a domain's state cannot be read");
  }

  /** Another success of a URL that has one, with the counters moved along. */
  private Planted again(int token) {
    return sound()
        .run(
            """
            INSERT INTO crawl_log (id, run_id, domain_id, url_id, attempt, kind, claim_token,
              started_at, finished_at, delay_ms, status, outcome, fate, is_page, is_error, bytes)
            VALUES (8, 1, 1, 1, 2, 'page', %d, 1700000036000, 1700000036000, 1000, 200, 'success',
              'done', 1, 0, 1)
            """
                .formatted(token),
            "INSERT INTO transitions (domain_id, token, from_status, to_status, door, worker, at)"
                + " VALUES (1, 3, 'active', 'active', 'claim', 'host-1', 1700000035000)",
            "UPDATE domains SET requests = 6, page_requests = 5, claim_token = 3 WHERE id = 1",
            "UPDATE jobs SET pages = 4 WHERE domain_id = 1",
            "UPDATE crawl_runs SET pages = 5");
  }

  @Test
  default void a_second_success_in_one_run_is_found() {
    assertThat(again(3).findings())
        .containsExactly(
            "once able.example: run 1 has https://able.example/ twice with success: log rows 2"
                + " (token 2) and 8 (token 3)");
  }

  @Test
  default void a_crash_between_excuses_a_second_success_but_not_under_the_same_claim() {
    String crash = "UPDATE workers SET unclean = 1";
    Planted planted = again(3).run(crash);
    assertThat(planted.findings()).isEmpty();
    planted.run("UPDATE crawl_log SET claim_token = 2 WHERE id = 8");
    assertThat(planted.findings()).hasSize(1);
  }

  @Test
  default void a_crash_before_or_after_excuses_nothing() {
    Planted planted = again(3);
    planted.run("UPDATE workers SET unclean = 1, last_seen_at = 1700000009000");
    assertThat(planted.findings()).hasSize(1);
    planted.run("UPDATE workers SET started_at = 1700000041000, last_seen_at = 1700000042000");
    assertThat(planted.findings()).hasSize(1);
  }

  @Test
  default void a_reset_between_or_a_refresh_excuses_a_second_success() {
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "UPDATE crawl_log SET started_at = 1700000010500 WHERE id = 3 | spacing able.example: log"
            + " rows 2 and 3 started 500 ms apart, the delay was 1000 ms",
        "UPDATE crawl_log SET claim_token = 3 WHERE id = 5"
            + " | claims able.example: log row 5 bears token 3, the last one granted is 2",
        "UPDATE crawl_log SET claim_token = 1 WHERE id = 4"
            + " | claims able.example: log row 4 bears token 1 after 2 was used",
        ROW
            + " VALUES (9, 1, 2, 9, 1, 'page', 1, 1700000070000, 1700000070100, 1500, 404,"
            + " 'client_error', 'retry', 0, 0, 0)"
            + " | rests baker.example: log row 9 started after transition 4 had made it blocked",
        "UPDATE crawl_log SET finished_at = 1700000000000 WHERE id = 5"
            + " | rows : row 5 of crawl_log has finished_at 1700000000000",
        "UPDATE transitions SET to_status = 'exhausted', door = 'block' WHERE id = 4"
            + " | lifecycle baker.example: transition 4: active -> exhausted by `block` is not"
            + " allowed",
        "UPDATE domains SET adaptive_delay_floor_ms = 7 WHERE id = 2"
            + " | states baker.example: its column adaptive_delay_floor_ms is 7, its state says"
            + " nothing",
        "UPDATE domains SET crawl_delay_ms = 7 WHERE id = 2"
            + " | states baker.example: its column crawl_delay_ms is 7, its state says 0",
        "UPDATE domains SET last_start_at = NULL WHERE id = 2"
            + " | states baker.example: its column last_start_at is empty, its state says"
            + " 1700000030000",
        "UPDATE domains SET last_start_at = NULL WHERE id = 2"
            + " | counters baker.example: its last start is kept as never, the log has one at"
            + " 2023-11-14T22:13:50Z",
        "UPDATE domains SET next_crawl_after = 5 WHERE id = 2"
            + " | states baker.example: its column next_crawl_after is 5, its state says"
            + " 1701209660000",
        "UPDATE domains SET status = 'exhausted', version = 99 WHERE id = 1"
            + " | states able.example: its status is exhausted, its state says active",
        "UPDATE domains SET status = 'exhausted', version = 99 WHERE id = 1"
            + " | lifecycle able.example: it is exhausted, its transitions end at active",
        "UPDATE domains SET policy_state = 'x' WHERE id = 1"
            + " | states able.example: a domain's state cannot be read",
        "UPDATE domains SET damage = 'so it is' WHERE id = 1"
            + " | states able.example: it is set aside: so it is",
        "UPDATE domains SET claimed_by = NULL, claim_expires_at = NULL WHERE id = 1"
            + " | claims able.example: 1 URLs are in flight, and it is not claimed",
        "UPDATE domains SET claim_expires_at = 1 WHERE id = 2"
            + " | claims baker.example: it has the end of a claim, and no holder",
        "UPDATE workers SET ended_at = 1700000090000"
            + " | claims able.example: it is claimed by host-1, which has ended",
        "DELETE FROM workers"
            + " | claims able.example: it is claimed by host-1, which is no worker",
        "UPDATE workers SET ended_at = 1700000090000"
            + " | runs run 1: it is worked on, and there is no worker",
        "INSERT INTO crawl_runs (id, terms, max_pages, max_pages_per_domain, started_at)"
            + " VALUES (2, '{}', 9, 9, 1700000000000)"
            + " | runs run 1: it is open beside a newer one",
        "UPDATE crawl_runs SET status = 'finished', ended_at = 1700000090000"
            + " | runs run 1: it has ended, and a job of it is open",
        "UPDATE crawl_runs SET max_pages_per_domain = 2"
            + " | budgets able.example: run 1 has 3 pages of it and may have 2",
        "UPDATE crawl_runs SET max_pages = 3 | budgets run 1: it has 4 pages and may have 3",
        "UPDATE domains SET images_found = 8 WHERE id = 1"
            + " | counters able.example: 8 images found are counted, ",
        "UPDATE domains SET total_error_count = 7 WHERE id = 1"
            + " | counters able.example: 7 errors are counted, 1 are in the log or pruned",
        "INSERT INTO arrivals (domain_id, discovered, over_cap) VALUES (77, 1, 0)"
            + " | rows : 1 rows of arrivals have domain_id 77, which is not in domains",
        "UPDATE crawl_log SET url_id = 99 WHERE id = 5"
            + " | rows : 1 rows of crawl_log have url_id 99, which is not in domain_frontier",
        "UPDATE domains SET urls_over_cap = -1 WHERE id = 3"
            + " | rows : row 3 of domains has urls_over_cap -1",
        "UPDATE domain_frontier SET state = 9 WHERE id = 1"
            + " | rows : row 1 of domain_frontier has state 9",
        "UPDATE crawl_log SET started_at = 9900000000000, finished_at = 9900000000000 WHERE id = 7"
            + " | times baker.example: row 7 of crawl_log has started_at 2283-09-20T08:00:00Z,"
            + " which is in the future",
        "UPDATE transitions SET at = 9900000000000 WHERE id = 4"
            + " | times baker.example: row 4 of transitions has at 2283-09-20T08:00:00Z, which is"
            + " in the future",
      })
  default void a_planted_fault_is_found_with_the_rule_and_what_to_do(
      String planted, String finding) {
    Planted store = sound().run(planted.split("; ", -1));
    assertThat(store.findings()).anyMatch(found -> found.startsWith(finding));
    assertThat(new Doctor(store.place()).examine(_ -> {}))
        .flatMap(Examination::findings)
        .noneMatch(found -> found.fix().isBlank() || found.fix().contains("NAME"));
  }
}
