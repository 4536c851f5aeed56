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

  private Backfill.BackfillResult backfill(Requests requests) throws IOException, SQLException {
    Path file = Files.createTempDirectory("past").resolve("past.db");
    try (PastDatabase past = new PastDatabase("jdbc:sqlite:" + file)) {
      requests.into(past);
      past.commit();
    }
    return backfill(file);
  }

  /** Fills a log. */
  @FunctionalInterface
  interface Requests {
    void into(PastDatabase past) throws SQLException;
  }

  private static void ask(PastDatabase past, String url, int... statuses) throws SQLException {
    for (int status : statuses) {
      past.log("a.example", url, status, 1, "2026-05-31 12:00:00");
    }
  }

  private Map<String, String> counters() {
    return rows(
        "SELECT domain, status || ' ' || requests || ' ' || pages_discovered || ' '"
            + " || pages_crawled || ' ' || total_error_count || ' ' || images_found || ' '"
            + " || images_stored FROM domains");
  }

  @Test
  default void half_of_the_requests_closes_no_domain_and_one_more_does()
      throws IOException, SQLException {
    backfill(
        past -> {
          ask(past, "https://a.example/", 200, 403);
          past.log("b.example", "https://b.example/", 200, 0, "");
          past.log("b.example", "https://b.example/", 403, 0, "");
          past.log("b.example", "https://b.example/", 500, 0, "");
          past.log("b.example", "https://b.example/", 500, 0, "");
          past.log("c.example", "https://c.example/", 404, 0, "");
          past.log("c.example", "https://c.example/", 410, 0, "");
        });
    assertThat(rows("SELECT domain, status || coalesce(block_reason_code, '') FROM domains"))
        .isEqualTo(
            Map.of(
                "a.example", "exhausted",
                "b.example", "blockedserver_errors",
                "c.example", "exhausted"));
  }

  @Test
  default void a_known_domain_keeps_its_state_and_takes_the_larger_counters()
      throws IOException, SQLException {
    backfill(past -> ask(past, "https://a.example/1", 403, 403, 403));
    assertThat(counters()).isEqualTo(Map.of("a.example", "blocked 3 1 0 3 3 0"));
    backfill(
        past -> {
          ask(past, "https://a.example/2", 200, 200, 200, 200);
          past.image("www.a.example", "1");
        });
    assertThat(counters()).isEqualTo(Map.of("a.example", "blocked 4 2 1 3 4 1"));
    backfill(past -> ask(past, "https://a.example/2", 200));
    assertThat(counters()).isEqualTo(Map.of("a.example", "blocked 4 2 1 3 4 1"));
  }

  @Test
  default void urls_beyond_one_portion_are_all_there_once() throws IOException, SQLException {
    Requests many =
        past -> {
          for (int page = 0; page < 1_234; page++) {
            ask(past, "https://a.example/" + page, page % 10 == 0 ? 500 : 200);
          }
        };
    backfill(many);
    backfill(many);
    assertThat(counters()).isEqualTo(Map.of("a.example", "exhausted 1234 1234 1110 124 1234 0"));
    assertThat(rows("SELECT state, count(*) FROM domain_frontier GROUP BY state"))
        .isEqualTo(Map.of("1", "1110", "2", "124"));
    assertThat(rows("SELECT 1, count(*) FROM pages")).isEqualTo(Map.of("1", "1110"));
  }

  @Test
  default void spellings_of_a_domain_and_of_its_urls_are_one_with_the_earliest_first()
      throws IOException, SQLException {
    backfill(
        past -> {
          past.log("EXAMPLE.com.", "https://EXAMPLE.com.:443/a/../b", 200, 1, "2026-03-03");
          past.log("www.example.com", "https://example.com/b", 200, 2, "2026-01-01");
          past.log("https://example.com/x", "https://example.com/c", 200, 4, "2026-02-02");
          past.log("b\u00fccher.example", "https://xn--bcher-kva.example/", 200, 0, "2026-02-02");
          past.image("example.com:443", "1");
          past.image("WWW.EXAMPLE.COM", "1");
          past.image("B\u00dcCHER.example", "1");
        });
    assertThat(
            rows(
                "SELECT domain, requests || ' ' || pages_crawled || ' ' || images_found || ' '"
                    + " || images_stored || ' ' || first_seen_at FROM domains"))
        .isEqualTo(
            Map.of(
                "example.com", "3 2 7 1 1767225600000",
                "xn--bcher-kva.example", "1 1 0 1 1769990400000"));
    assertThat(rows("SELECT depth, count(*) FROM domain_frontier GROUP BY depth"))
        .isEqualTo(Map.of("0", "2", "1", "1"));
  }

  @Test
  default void texts_that_a_database_refuses_cost_their_row_alone()
      throws IOException, SQLException {
    backfill(
        past -> {
          past.log("a.example", "https://a.example/\0?\0=\ud800", 200, 0, "2026-01-01");
          past.log("\0", "https://a.example/" + "x".repeat(2_000), 200, 0, "");
          past.log("a.example", "https://a.example/" + "x".repeat(9_000), 200, 0, "");
          past.log("b.example", "https://b.example/", Integer.MAX_VALUE, Integer.MAX_VALUE, "");
          past.image("b.example", "\0'; DROP TABLE domains; --");
        });
    assertThat(
            rows("SELECT domain, images_found || ' ' || images_stored FROM domains")
                .get("b.example"))
        .isEqualTo("2147483647 1");
  }
}
