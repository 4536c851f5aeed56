package dev.comity.store.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Census;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreUnusable;
import dev.comity.store.support.Planted;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreReaderTest {
  @TempDir private Path home;

  private StoreReader sound() {
    return StoreReader.open(Planted.sound(home).directory());
  }

  @Test
  void domains_are_listed_by_status_in_order_and_no_more_than_asked_for() {
    try (StoreReader reader = sound()) {
      assertThat(names(reader.domains(Optional.empty(), DomainOrder.NAME, 50)))
          .containsExactly("able.example", "baker.example", "easy.able.example");
      assertThat(names(reader.domains(Optional.of(DomainStatus.BLOCKED), DomainOrder.NAME, 50)))
          .containsExactly("baker.example");
      assertThat(names(reader.domains(Optional.empty(), DomainOrder.DELAY, 1)))
          .containsExactly("baker.example");
      assertThat(names(reader.domains(Optional.empty(), DomainOrder.RECENT, 2)))
          .containsExactly("baker.example", "able.example");
      assertThat(reader.statuses())
          .isEqualTo(
              Map.of(DomainStatus.ACTIVE, 1L, DomainStatus.BLOCKED, 1L, DomainStatus.PENDING, 1L));
    }
  }

  @Test
  void what_a_run_has_to_do_leaves_out_what_is_closed_and_what_it_is_kept_from() {
    Planted planted = Planted.sound(home);
    try (StoreReader reader = StoreReader.open(planted.directory())) {
      Census before = reader.census(1);
      assertThat(before.domains())
          .isEqualTo(
              Map.of(DomainStatus.ACTIVE, 1L, DomainStatus.BLOCKED, 1L, DomainStatus.PENDING, 1L));
      long able = reader.domain("able.example").orElseThrow().counts().unfinished();
      long easy = reader.domain("easy.able.example").orElseThrow().counts().unfinished();
      assertThat(before.urls()).isEqualTo(able + easy).isGreaterThan(easy);
      planted.run("UPDATE domains SET spent_run_id = 7 WHERE domain = 'able.example'");
      assertThat(reader.census(7).domains(DomainStatus.ACTIVE)).isZero();
      assertThat(reader.census(7).urls()).isEqualTo(easy);
      planted.run(
          "UPDATE domains SET spent_run_id = 1 WHERE domain = 'able.example'",
          "INSERT OR IGNORE INTO jobs (run_id, domain_id, started_at) SELECT 1, id, 0 FROM domains"
              + " WHERE domain = 'able.example'");
      assertThat(reader.census(1).domains(DomainStatus.ACTIVE)).isEqualTo(1);
      assertThat(reader.census(1).spent()).isEqualTo(1);
      assertThat(reader.census(1).urls()).isEqualTo(easy);
    }
  }

  @Test
  void every_order_there_is_can_be_asked_for() {
    try (StoreReader reader = sound()) {
      for (DomainOrder order : DomainOrder.values()) {
        assertThat(reader.domains(Optional.empty(), order, 50)).as(order.name()).hasSize(3);
      }
    }
  }

  private static List<String> names(List<DomainRecord> domains) {
    return domains.stream().map(DomainRecord::name).toList();
  }

  @Test
  void a_domain_counts_what_its_holder_has_not_counted_yet() {
    try (StoreReader reader = sound()) {
      DomainRecord able = reader.domain("able.example").orElseThrow();
      assertThat(able.counts().discovered()).isEqualTo(10);
      assertThat(able.counts().unfinished()).isEqualTo(3);
      assertThat(able.counts().overCap()).isEqualTo(3);
      assertThat(able.holding().worker()).contains("host-1");
      assertThat(reader.domain("www.able.example")).isEmpty();
    }
  }

  @Test
  void a_closed_domain_says_why_and_remembers() {
    try (StoreReader reader = sound()) {
      DomainRecord baker = reader.domain("baker.example").orElseThrow();
      assertThat(baker.standing().reasonCode()).contains("forbidden");
      assertThat(baker.standing().until()).contains(Instant.ofEpochSecond(1_701_209_660));
      assertThat(baker.remembered().learning().refused()).contains(baker.pacing().refused().get());
      assertThat(reader.transitions(baker.id(), 1))
          .singleElement()
          .extracting(TransitionRecord::door)
          .isEqualTo("holder");
      assertThat(reader.requests(baker.id(), 10))
          .extracting(RequestRecord::url)
          .containsExactly("https://baker.example/", "https://baker.example/robots.txt");
      assertThat(reader.authorities(baker.id(), 10)).containsExactly("https://baker.example");
    }
  }

  @Test
  void runs_come_with_their_seeds_and_shares() {
    try (StoreReader reader = sound()) {
      RunRecord run = reader.runs(10, 1).getFirst();
      assertThat(run.seeds()).containsExactly("https://able.example/");
      assertThat(run.seedCount()).isEqualTo(2);
      assertThat(run.jobs()).isEqualTo(new RunRecord.JobCounts(1, 0, 1, 0));
      assertThat(reader.openRun()).contains(1L);
    }
  }

  @Test
  void an_empty_store_has_no_run_and_nothing_queued() {
    try (StoreReader reader = StoreReader.open(Planted.empty(home).directory())) {
      assertThat(reader.openRun()).isEmpty();
      assertThat(reader.runs(10, 10)).isEmpty();
      assertThat(reader.queue(Planted.NOW).urls().queued()).isZero();
      assertThat(reader.queues(Planted.NOW, 10)).isEmpty();
    }
  }

  @Test
  void the_queue_is_told_in_all_and_by_domain() throws IOException {
    Planted planted = Planted.sound(home);
    try (DataDirectory.Hold crawl = planted.directory().hold()) {
      crawl.crawling();
      beside(planted.directory());
    }
  }

  private static void beside(DataDirectory crawled) {
    try (StoreReader reader = StoreReader.open(crawled)) {
      assertThat(reader.isCrawled()).isTrue();
      assertThat(reader.runs(10, 1).getFirst().status()).isEqualTo("running");
      QueueRecord queue = reader.queue(Planted.NOW);
      Instant due = Instant.ofEpochSecond(1_700_009_000);
      assertThat(queue.urls())
          .isEqualTo(
              new QueueRecord.Urls(
                  Optional.empty(), 2, 1, Optional.of(due), 1, 4, 1, 0, 0, 0, 0, 0, 3));
      assertThat(queue.claims())
          .containsExactly(
              new QueueRecord.WorkerClaims("host-1", 1, Instant.ofEpochSecond(1_700_001_800)));
      assertThat(queue.expiredClaims()).isZero();
      assertThat(queue.waiting()).isEqualTo(Map.of("pending", 1L));
      assertThat(reader.queues(Planted.NOW, 1).getFirst())
          .isEqualTo(
              new QueueRecord.Urls(
                  Optional.of("able.example"), 1, 1, Optional.of(due), 1, 3, 1, 0, 0, 0, 0, 0, 3));
    }
  }

  @Test
  void what_a_process_that_is_gone_had_claimed_or_in_flight_waits() {
    try (StoreReader reader = sound()) {
      assertThat(reader.isCrawled()).isFalse();
      assertThat(reader.runs(10, 1).getFirst().status()).isEqualTo("interrupted");
      QueueRecord queue = reader.queue(Planted.NOW);
      assertThat(queue.urls().inFlight()).isZero();
      assertThat(queue.urls().queued()).isEqualTo(3);
      assertThat(queue.claims()).isEmpty();
      assertThat(queue.expiredClaims()).isEqualTo(1);
      assertThat(queue.waiting()).isEqualTo(Map.of("pending", 1L, "active", 1L));
    }
  }

  @Test
  void pages_and_requests_are_handed_over_in_the_order_they_were_settled_in() {
    try (StoreReader reader = sound()) {
      List<PageRecord> pages = new ArrayList<>();
      reader.rows(RowFilter.ALL).eachPage(pages::add);
      assertThat(pages)
          .extracting(PageRecord::url)
          .containsExactly(
              "https://able.example/",
              "https://able.example/two",
              "https://able.example/gone",
              "https://baker.example/");
      assertThat(pages.get(1).referrer()).contains("https://able.example/");
      List<Long> requests = new ArrayList<>();
      reader.rows(RowFilter.ALL).eachRequest(request -> requests.add(request.id()));
      assertThat(requests).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }
  }

  @Test
  void more_rows_than_a_batch_are_all_handed_over_once() {
    Planted planted = Planted.empty(home);
    planted.run(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO domains (domain, parent_domain, first_seen_at, updated_at)
        SELECT 'd' || i || '.example', 'example', 0, 0 FROM n
        """);
    try (StoreReader reader = StoreReader.open(planted.directory())) {
      List<String> all = new ArrayList<>();
      reader.rows(RowFilter.ALL).eachDomain(domain -> all.add(domain.name()));
      assertThat(all).hasSize(3000).doesNotHaveDuplicates();
    }
  }

  @Test
  void a_name_written_wrong_brings_up_those_it_is_like() {
    try (StoreReader reader = sound()) {
      assertThat(reader.similar("abel.example", 1)).containsExactly("able.example");
      assertThat(reader.similar("www.baker.example", 3)).containsExactly("baker.example");
      assertThat(reader.similar("something-else.test", 3)).isEmpty();
    }
  }

  @Test
  void where_nothing_was_ever_crawled_there_is_nothing_to_open() {
    assertThatThrownBy(() -> StoreReader.open(new DataDirectory(home.resolve("none"))))
        .isInstanceOf(StoreUnusable.class)
        .hasMessageContaining("there is nothing in " + home.resolve("none"));
  }
}
