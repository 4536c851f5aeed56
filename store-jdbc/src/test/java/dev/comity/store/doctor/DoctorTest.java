package dev.comity.store.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.store.support.DoctorContract;
import dev.comity.store.support.Planted;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorTest implements DoctorContract {
  @TempDir private Path home;

  @Override
  public Planted sound() {
    return Planted.sound(home);
  }

  @Test
  void a_sound_store_has_nothing_to_find_and_every_check_is_told_of() {
    List<String> told = new ArrayList<>();
    List<Examination> all =
        new Doctor(Planted.sound(home).directory()).examine(one -> told.add(one.check()));
    assertThat(all).allMatch(Examination::isSound);
    assertThat(told)
        .containsExactly(
            "file",
            "rows",
            "times",
            "runs",
            "claims",
            "states",
            "spacing",
            "delays",
            "rests",
            "lifecycle",
            "budgets",
            "frontier",
            "once",
            "images",
            "sources",
            "counters");
    assertThat(all.stream().map(Examination::invariant))
        .containsExactly(0, 0, 0, 0, 1, 0, 4, 6, 7, 8, 10, 11, 12, 0, 0, 13);
  }

  @Test
  void an_empty_store_is_sound() {
    assertThat(Planted.empty(home).findings()).isEmpty();
  }

  @Test
  void a_source_without_its_last_start_and_a_url_of_a_missing_source_are_found() {
    Planted store = Planted.sound(home);
    store.run(
        "INSERT INTO sources (id, name, min_scrape_interval, created_at) VALUES (1, 'news', 1, 1)",
        "UPDATE crawl_log SET source_id = 1 WHERE id = 1",
        "UPDATE domain_frontier SET source_id = 2 WHERE id = 1");
    long started = store.number("SELECT started_at FROM crawl_log WHERE id = 1");
    assertThat(store.findings())
        .containsExactlyInAnyOrder(
            "rows : 1 rows of domain_frontier have source_id 2, which is not in sources",
            "sources : source news last started at "
                + started
                + " by the log, and at 0 by its row");
    store.run(
        "UPDATE sources SET last_start_at = " + started + ", min_scrape_interval = 'soon'",
        "UPDATE domain_frontier SET source_id = 1 WHERE id = 1");
    assertThat(store.findings())
        .containsExactly("sources : source news has the interval soon, which is no number");
  }

  @Test
  void a_url_of_no_domain_is_found() {
    assertThat(
            Planted.sound(home)
                .run(
                    "INSERT INTO domain_frontier (domain_id, authority_no, target, url_key, place,"
                        + " depth, discovered_at) VALUES (99, 0, '/', 1, 0, 0, 0)")
                .findings())
        .containsExactly("frontier : 1 URLs belong to domain 99, which does not exist");
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "UPDATE domains SET policy_state = json_set(policy_state,"
            + " '$.learning', json('{\"last_refusal\":1700000020000000000}'),"
            + " '$.slots.rest_until', 1700000090000000000, '$.slots.why', 'retry_after')"
            + " WHERE id = 1"
            + " | rests able.example: log row 4 started while it rested until 2023-11-14T22:14:50Z",
        "UPDATE domain_frontier SET target = 'no path' WHERE id = 2"
            + " | frontier able.example: URL 2 cannot be read: ",
        "UPDATE domain_frontier SET target = '/else' WHERE id = 2"
            + " | frontier able.example: URL 2 is kept under the key of another text:"
            + " https://able.example/else",
        "UPDATE authorities SET authority = 'https://baker.example' WHERE domain_id = 1"
            + " | frontier able.example: URL 1 belongs to another domain",
        "DELETE FROM authorities WHERE domain_id = 1"
            + " | frontier able.example: URL 1 has no scheme and host",
        "INSERT INTO domain_frontier (id, domain_id, authority_no, target, url_key, place, depth,"
            + " discovered_at) SELECT 10, 1, 0, '/', url_key + 1, 0, 0, 0 FROM domain_frontier"
            + " WHERE id = 1"
            + " | frontier able.example: URLs 1 and 10 are the same: https://able.example/",
        "UPDATE domains SET claim_expires_at = 1700000030000 WHERE id = 1"
            + " | claims able.example: its claim ran out at 2023-11-14T22:13:50Z, and its worker"
            + " was seen since",
        "INSERT INTO workers (id, name, version, started_at, last_seen_at)"
            + " VALUES ('host-2', 'host', '0.1', 1700000000000, 1700000100000)"
            + " | runs : 2 workers have not ended; one has the directory at a time",
        "UPDATE domains SET images_stored = 0 WHERE id = 1; INSERT INTO images (id, sha256,"
            + " media_type, ending, bytes, kept, first_seen_at, last_seen_at) VALUES (1, x'ab12',"
            + " 'image/png', 'png', 9, 0, 0, 0); INSERT INTO provenance (image_id, image_url,"
            + " image_key, source_domain, found_in, first_seen_at, last_seen_at) VALUES (1, 'x', 1,"
            + " 'able.example', 'img', 0, 0)"
            + " | counters able.example: 0 images are counted, its pages show 1",
        "INSERT INTO images (id, sha256, media_type, ending, bytes, kept, first_seen_at,"
            + " last_seen_at) VALUES (1, x'ab12', 'image/png', 'png', 9, 1, 0, 0)"
            + " | images : the image file images/ab/ab12.png is missing",
        "INSERT INTO in_flight (url_id, domain_id, taken, taken_at) VALUES (99, 1, 0, 0)"
            + " | rows : 1 rows of in_flight have url_id 99, which is not in domain_frontier",
        "PRAGMA foreign_keys = OFF; INSERT INTO jobs (run_id, domain_id, started_at)"
            + " VALUES (1, 77, 0)"
            + " | rows : 1 rows of jobs have domain_id 77, which is not in domains",
        "UPDATE domains SET requests = 'many' WHERE id = 3"
            + " | rows : row 3 of domains has requests many",
      })
  void a_fault_of_a_directory_is_found(String planted, String finding) {
    assertThat(sound().run(planted.split("; ", -1)).findings())
        .anyMatch(found -> found.startsWith(finding));
  }

  @Test
  void a_clock_that_was_set_back_is_no_fault() {
    // Everything so far was stamped by a clock an hour ahead, then the domain was claimed anew.
    Planted store =
        Planted.sound(home)
            .run(
                "UPDATE domains SET claimed_by = NULL, claim_expires_at = NULL WHERE id = 1",
                "DELETE FROM in_flight",
                "INSERT INTO transitions (domain_id, token, from_status, to_status, door, reason,"
                    + " worker, at) VALUES (1, 3, 'active', 'active', 'claim', 'taken over',"
                    + " 'host-1', 1699996440000)",
                "UPDATE domains SET claim_token = 3, requests = 6, page_requests = 5,"
                    + " last_start_at = 1699996441500, claimed_by = 'host-1',"
                    + " claim_expires_at = 1699998241500, policy_state = json_set(policy_state,"
                    + " '$.slots.last_start', 1699996441500000000) WHERE id = 1",
                ROW
                    + " VALUES (8, 1, 1, 1, 2, 'page', 3, 1699996441500, 1699996441600, 1000, 200,"
                    + " 'success', 'done', 1, 0, 1)",
                "UPDATE jobs SET pages = 4 WHERE domain_id = 1",
                "UPDATE crawl_runs SET pages = 5",
                "UPDATE workers SET last_seen_at = 1699996441500");
    Instant setBack = Instant.ofEpochMilli(1_699_996_450_000L);
    assertThat(
            new Doctor(store.directory(), Duration.ofSeconds(60), Map.of(), setBack)
                .examine(_ -> {}))
        .flatMap(Examination::findings)
        .isEmpty();
  }
}
