package dev.comity.store.backfill;

import static dev.comity.store.support.Stores.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.Grouping;
import dev.comity.store.backfill.HistoryStore.Opened;
import dev.comity.store.backfill.HistoryStore.UrlsTaken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every store does with another program's history. Its time is noon. */
public interface HistoryContract {
  /** The store, opened once more on the same data. */
  HistoryStore history();

  /** The rows of a query with two columns, by the first. */
  Map<String, String> rows(String query);

  /** What is known of every domain. */
  String STATES =
      """
      SELECT d.domain, d.status || ' ' || d.requests || ' ' || d.pages_discovered || ' '
        || d.pages_crawled || ' ' || d.total_error_count || ' ' || d.images_found || ' '
        || d.images_stored || ' ' || d.urls_done || ' ' || d.urls_failed || ' ' || d.frontier_size
        || ' ' || coalesce(d.next_crawl_after, 0) || ' ' || coalesce(d.block_reason_code, '')
        || ' ' || d.first_seen_at || ' ' || d.last_crawled_at || ' ' || d.source || ' '
        || (SELECT count(*) || ' ' || sum(f.state) || ' ' || coalesce(sum(f.due_at), 0) || ' '
            || coalesce(sum(f.visited_at), 0) FROM domain_frontier f WHERE f.domain_id = d.id)
        || ' ' || (SELECT count(*) FROM pages p WHERE p.domain_id = d.id)
        || ' ' || (SELECT count(*) FROM transitions t WHERE t.domain_id = d.id)
      FROM domains d
      """;

  private Backfill.BackfillResult backfill(Path database) {
    try (StagedHistory staged = StagedHistory.make();
        PastTables tables = PastTables.file(database);
        HistoryStore store = history()) {
      tables.read(new PastRows(staged, Grouping.BY_HOST, new LeftOutRows(), _ -> {}, NOON));
      return new Backfill(staged).write(store, _ -> {});
    }
  }

  /** Some domains, one of them closed, in several spellings. */
  private static Path past() throws IOException, SQLException {
    Path file = Files.createTempDirectory("past").resolve("past.db");
    try (PastDatabase past = new PastDatabase("jdbc:sqlite:" + file)) {
      past.log("a.example", "https://a.example/", 200, 2, "2026-05-01 12:00:00");
      past.log("WWW.a.example", "https://www.a.example/b", 404, 0, "2026-05-02 12:00:00");
      past.log("a.example.", "https://a.example/c", 503, 0, "2026-05-02 12:00:00");
      past.log("b.example", "https://b.example/", 403, 0, "2026-05-31 12:00:00");
      past.log("b.example", "https://b.example/2", 403, 0, "2026-05-31 12:00:01");
      past.image("www.a.example", "1");
      past.image("a.example", "1");
      past.image("a.example", "2");
      past.commit();
    }
    return file;
  }

  @Test
  default void a_log_becomes_domains_with_states_counters_and_dated_pages()
      throws IOException, SQLException {
    assertThat(backfill(past()).urls()).isEqualTo(new UrlsTaken(2, 2, 1, 0, 0));
    long first = NOON.minusSeconds(31 * 86_400L).toEpochMilli();
    long second = first + 86_400_000L;
    long last = NOON.minusSeconds(86_400L - 1).toEpochMilli();
    long fortnight = 14 * 86_400_000L;
    assertThat(rows(STATES))
        .isEqualTo(
            Map.of(
                "a.example",
                "exhausted 3 3 2 1 2 2 2 1 0 %d  %d %d backfill_crawl_log 3 4 %d %d 2 2"
                    .formatted(
                        first + fortnight,
                        first,
                        second,
                        first + second + 2 * fortnight,
                        (first + second) / 1000),
                "b.example",
                "blocked 2 2 0 2 0 0 0 0 2 %d forbidden %d %d backfill_crawl_log 2 0 0 0 0 2"
                    .formatted(last + fortnight, last - 1000, last)));
  }

  @Test
  default void again_nothing_changes() throws IOException, SQLException {
    Path past = past();
    backfill(past);
    Map<String, String> before = rows(STATES);
    Backfill.BackfillResult again = backfill(past);
    assertThat(rows(STATES)).isEqualTo(before).hasSize(2);
    assertThat(again.domains()).isEqualTo(Map.of(Opened.KNOWN, 2L));
    assertThat(again.urls()).isEqualTo(new UrlsTaken(0, 0, 0, 5, 0));
  }

  @Test
  default void what_waits_makes_its_domain_claimable_also_where_it_was_exhausted()
      throws IOException, SQLException {
    backfill(past());
    try (StagedHistory staged = StagedHistory.make();
        HistoryStore store = history()) {
      PastRows rows = new PastRows(staged, Grouping.BY_HOST, new LeftOutRows(), _ -> {}, NOON);
      rows.listed("list", 1, "https://a.example/", PastVisit::queued);
      rows.listed("list", 2, "https://a.example/new", PastVisit::queued);
      rows.listed("list", 3, "https://c.example/", PastVisit::queued);
      UrlsTaken taken = new Backfill(staged, "import_test", false).write(store, _ -> {}).urls();
      assertThat(taken).isEqualTo(new UrlsTaken(0, 2, 0, 1, 0));
    }
    assertThat(
            rows(
                "SELECT domain, status || ' ' || claimable_at || ' ' || frontier_size"
                    + " FROM domains WHERE domain <> 'b.example'"))
        .isEqualTo(Map.of("a.example", "pending 0 1", "c.example", "pending 0 1"));
  }
}
