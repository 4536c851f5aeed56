package dev.comity.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.store.DataDirectory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store from before dates and sources gets them from what it has. */
class DatedStoreMigrationTest {
  /** In milliseconds. */
  private static final long FORTNIGHT = 14L * 86_400_000;

  @TempDir private Path home;

  /** A store as the program of that version left it, with these rows. */
  private DataDirectory at(int version, String... rows) throws SQLException {
    DataDirectory directory = new DataDirectory(home);
    directory.make();
    Flyway.configure()
        .dataSource("jdbc:sqlite:" + directory.database(), "", "")
        .locations("classpath:dev/comity/store/migrations")
        .placeholders(Map.of("serial", "INTEGER PRIMARY KEY"))
        .target(String.valueOf(version))
        .load()
        .migrate();
    try (Connection connection = directory.writing();
        Statement statement = connection.createStatement()) {
      for (String row : rows) {
        statement.execute(row);
      }
    }
    return directory;
  }

  private static List<String> rows(DataDirectory directory, String query) throws SQLException {
    try (Connection connection = directory.reading();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<String> found = new ArrayList<>();
      while (rows.next()) {
        found.add(rows.getString(1));
      }
      return found;
    }
  }

  private static final String RUN =
      "INSERT INTO crawl_runs (id, terms, max_pages, max_pages_per_domain, pages, started_at)"
          + " VALUES (1, '{}', 1000, 1000, 3, 1700000000000)";

  private static String domain(int id, String name, String status) {
    return """
    INSERT INTO domains (id, domain, parent_domain, status, claim_token, first_seen_at,
      updated_at, last_crawled_at)
    VALUES (%d, '%s', '%s', '%s', 1, 1700000000000, 1700000000000, 1700000000000)
    """
        .formatted(id, name, name, status);
  }

  private static String url(int id, int domain, int kind, int state, int asked) {
    return """
    INSERT INTO domain_frontier (id, domain_id, authority_no, target, url_key, kind, state,
      place, depth, asked, discovered_at)
    VALUES (%d, %d, 0, '/%d', %d, %d, %d, 0, 0, %d, 1699990000)
    """
        .formatted(id, domain, id, id, kind, state, asked);
  }

  private static String page(int id, int url, long startedAt) {
    return """
    INSERT INTO pages (id, run_id, url_id, domain_id, status, bytes, started_at, total_ms)
    VALUES (%d, %d, %d, 1, 200, 9, %d, 1)
    """
        .formatted(id, id, url, startedAt);
  }

  @Test
  void pages_sitemaps_and_finished_domains_get_their_dates() throws SQLException {
    DataDirectory directory =
        at(
            14,
            RUN,
            RUN.replace("(1,", "(2,"),
            RUN.replace("(1,", "(3,"),
            domain(1, "done.example", "exhausted"),
            domain(2, "open.example", "pending"),
            domain(3, "empty.example", "exhausted"),
            "INSERT INTO authorities (domain_id, number, authority)"
                + " VALUES (1, 0, 'https://done.example'), (2, 0, 'https://open.example')",
            // A page of two runs, one whose rows were pruned, a sitemap, an image, one unasked.
            url(1, 1, 0, 1, 2),
            page(1, 1, 1_700_000_000_000L),
            page(2, 1, 1_700_000_500_000L),
            url(2, 1, 0, 1, 1),
            url(3, 1, 1, 1, 1),
            url(4, 1, 3, 1, 1),
            url(5, 1, 0, 1, 0),
            // Failed, and queued.
            url(6, 1, 0, 2, 1),
            url(7, 2, 0, 0, 0),
            url(8, 2, 0, 1, 1));
    Schema.migrate(directory);
    assertThat(
            rows(
                directory,
                "SELECT id || ' ' || coalesce(visited_at, '-') || ' ' || coalesce(due_at, '-')"
                    + " FROM domain_frontier ORDER BY id"))
        .containsExactly(
            "1 1700000500 " + (1_700_000_500_000L + FORTNIGHT),
            "2 1699990000 " + (1_699_990_000_000L + FORTNIGHT),
            "3 1699990000 " + (1_699_990_000_000L + 86_400_000),
            "4 - -",
            "5 - -",
            "6 - -",
            "7 - -",
            "8 1699990000 " + (1_699_990_000_000L + FORTNIGHT));
    assertThat(
            rows(
                directory,
                "SELECT domain || ' ' || coalesce(next_crawl_after, '-') FROM domains ORDER BY id"))
        .containsExactly(
            "done.example " + (1_699_990_000_000L + 86_400_000),
            "open.example -",
            "empty.example -");
  }

  @Test
  void sources_get_the_newest_start_of_the_log() throws SQLException {
    DataDirectory directory =
        at(
            15,
            RUN,
            domain(1, "a.example", "pending"),
            "INSERT INTO sources (id, name, min_scrape_interval, created_at)"
                + " VALUES (1, 'news', 10, 1), (2, 'never', NULL, 1)",
            log(1, 1, 1_700_000_020_000L),
            log(2, 1, 1_700_000_010_000L),
            log(3, 0, 1_700_000_030_000L));
    Schema.migrate(directory);
    assertThat(
            rows(
                directory,
                "SELECT name || ' ' || coalesce(last_start_at, '-') FROM sources ORDER BY id"))
        .containsExactly("news 1700000020000", "never -");
  }

  private static String log(int id, int source, long startedAt) {
    return """
    INSERT INTO crawl_log (id, run_id, domain_id, url, attempt, kind, source_id, claim_token,
      started_at, finished_at, delay_ms, outcome, fate, is_page, is_error, bytes)
    VALUES (%d, 1, 1, 'https://a.example/%d', 1, 'page', nullif(%d, 0), 1, %d, %d, 1000,
      'success', 'done', 1, 0, 9)
    """
        .formatted(id, id, source, startedAt, startedAt);
  }
}
