package dev.comity.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queries of the design of domain tracking, as it writes them, on the views of schema seed. */
class SeedViewsTest {
  private String url = "";
  private Connection connection;
  private Statement sql;

  @BeforeEach
  void fill() throws SQLException {
    url = Databases.url();
    connection = DriverManager.getConnection(url);
    sql = connection.createStatement();
    sql.execute(
        """
        INSERT INTO crawl_runs (id, terms, max_pages, max_pages_per_domain, started_at)
          VALUES (7, '{}', 10, 10, 1000);
        INSERT INTO domains (id, domain, parent_domain, status, priority_score, claimed_by,
          claim_expires_at, claim_token, pages_crawled, images_found, images_stored, source,
          next_crawl_after, not_before, last_crawled_at, last_crawl_run_id, version, first_seen_at,
          updated_at)
        SELECT id, domain, domain, status::domain_status, score, worker,
          comity_millis() + lease * 1000, 1, pages, 2 * pages, images, source,
          comity_millis() + due * 1000, comity_millis() + rest * 1000, 1000 * id, 7, 1, 1000, 1000
        FROM (VALUES
          (1, 'active.example', 'active', 5, 'w-1', 600, 10, 5, 'backfill_crawl_log', NULL, NULL),
          (2, 'stuck.example', 'active', 9, 'w-1', -600, 4, 0, NULL, NULL, NULL),
          (3, 'other.example', 'active', 1, 'w-2', 60, 2, 1, NULL, NULL, NULL),
          (4, 'free.example', 'pending', 7, NULL, NULL, 0, 0, 'tranco', NULL, NULL),
          (5, 'resting.example', 'pending', 8, NULL, NULL, 0, 0, NULL, NULL, 600),
          (6, 'due.example', 'exhausted', 0, NULL, NULL, 10, 1, 'backfill_crawl_log', -60, NULL),
          (7, 'better.example', 'exhausted', 0, NULL, NULL, 10, 9, NULL, -60, NULL),
          (8, 'later.example', 'exhausted', 0, NULL, NULL, 10, 9, NULL, 600, NULL),
          (9, 'closed.example', 'blocked', 0, NULL, NULL, 1, 0, NULL, -60, NULL))
          AS v(id, domain, status, score, worker, lease, pages, images, source, due, rest);
        INSERT INTO domain_frontier (id, domain_id, url_hash, place, discovered_at, depth, state,
          kind, url) VALUES
          (1, 1, gen_random_uuid(), 0, 1, 0, 1, 0, 'https://active.example/'),
          (2, 6, gen_random_uuid(), 0, 1, 0, 0, 0, 'https://due.example/');
        INSERT INTO crawl_log (run_id, domain_id, url_id, url, attempt, kind, claim_token,
          started_at, finished_at, delay_ms, status, outcome, fate, is_page, is_error, bytes)
        SELECT 7, 1, CASE WHEN page = 1 THEN 1 END, CASE WHEN page = 0 THEN 'r' END, 1, 'page', 1,
          comity_millis() - 1000, comity_millis(), 1000, status, 'success', 'done', page, 0, 9
        FROM (VALUES (1, 200), (0, 503), (0, 503)) AS v(page, status);
        """);
    sql.execute("SET search_path = seed, public");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    Databases.giveBack(url);
  }

  /** The rows of a query, each as its values between bars. */
  private List<String> rows(String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet found = sql.executeQuery(query)) {
      int columns = found.getMetaData().getColumnCount();
      while (found.next()) {
        List<String> values = new ArrayList<>();
        for (int column = 1; column <= columns; column++) {
          values.add(String.valueOf(found.getString(column)));
        }
        rows.add(String.join("|", values));
      }
    }
    return rows;
  }

  private List<String> domains(String query) throws SQLException {
    List<String> domains = new ArrayList<>();
    try (ResultSet found = sql.executeQuery(query)) {
      while (found.next()) {
        domains.add(found.getString("domain"));
      }
    }
    return domains;
  }

  @Test
  void columns_have_the_types_of_the_design() throws SQLException {
    try (ResultSet found = sql.executeQuery("SELECT * FROM domains")) {
      ResultSetMetaData about = found.getMetaData();
      List<String> types = new ArrayList<>();
      for (int column = 1; column <= about.getColumnCount(); column++) {
        types.add(about.getColumnName(column) + " " + about.getColumnTypeName(column));
      }
      assertThat(types)
          .hasSize(30)
          .contains(
              "id uuid",
              "domain varchar",
              "status domain_status",
              "claimed_by varchar",
              "claim_expires_at timestamptz",
              "version int4",
              "pages_discovered int8",
              "pages_crawled int8",
              "images_found int8",
              "images_stored int8",
              "max_pages_per_run int4",
              "image_yield_rate float8",
              "avg_images_per_page float8",
              "error_rate float8",
              "total_error_count int4",
              "consecutive_error_count int4",
              "priority_score int4",
              "priority_computed_at timestamptz",
              "source varchar",
              "block_reason_code varchar",
              "first_blocked_at timestamptz",
              "last_crawl_run_id uuid",
              "next_crawl_after timestamptz",
              "updated_at timestamptz",
              "frontier_checkpoint_id varchar");
    }
  }

  @Test
  void candidates_of_a_discovery() throws SQLException {
    assertThat(
            domains(
                """
                -- Discovery candidates: domains that need crawling
                SELECT * FROM domains
                WHERE status IN ('pending', 'active')
                  AND (next_crawl_after IS NULL OR next_crawl_after < NOW())
                ORDER BY
                    -- Active (partially crawled) domains first — they're the best resume targets
                    CASE WHEN status = 'active' THEN 0 ELSE 1 END,
                    -- Then by dynamic priority score
                    priority_score DESC,
                    -- Break ties with least-recently-crawled
                    last_crawled_at ASC NULLS FIRST
                LIMIT 10;
                """))
        .containsExactly("stuck.example", "active.example", "other.example", "free.example");
  }

  @Test
  void candidates_of_a_refresh() throws SQLException {
    assertThat(
            domains(
                """
                -- Refresh candidates: exhausted domains due for revisit
                SELECT * FROM domains
                WHERE status = 'exhausted'
                  AND next_crawl_after < NOW()
                ORDER BY
                    image_yield_rate DESC NULLS LAST,
                    last_crawled_at ASC
                LIMIT 10;
                """))
        .containsExactly("better.example", "due.example");
  }

  @Test
  void claims_by_worker_stuck_claims_and_domains_that_wait() throws SQLException {
    assertThat(
            rows(
                """
                -- Active claims by worker
                SELECT claimed_by, COUNT(*),
                       MIN(claim_expires_at) AS earliest_expiry
                FROM domains
                WHERE claimed_by IS NOT NULL
                  AND claim_expires_at > CURRENT_TIMESTAMP
                GROUP BY claimed_by;
                """))
        .hasSize(2)
        .anyMatch(row -> row.startsWith("w-1|1|20"))
        .anyMatch(row -> row.startsWith("w-2|1|20"));
    assertThat(
            rows(
                """
                -- Expired/stuck claims
                SELECT COUNT(*)
                FROM domains
                WHERE claimed_by IS NOT NULL
                  AND claim_expires_at < CURRENT_TIMESTAMP;
                """))
        .containsExactly("1");
    assertThat(
            rows(
                """
                -- Domains waiting for claims
                SELECT status, COUNT(*)
                FROM domains
                WHERE status IN ('pending', 'active')
                  AND (claimed_by IS NULL OR claim_expires_at < CURRENT_TIMESTAMP)
                GROUP BY status;
                """))
        .containsExactlyInAnyOrder("pending|2", "active|1");
  }

  @Test
  void what_is_looked_at_between_the_phases() throws SQLException {
    assertThat(rows("SELECT COUNT(*) FROM domains;")).containsExactly("9");
    assertThat(rows("SELECT domain, status, pages_crawled, images_found FROM domains;"))
        .hasSize(9)
        .contains("active.example|active|10|20");
    assertThat(rows("SELECT domain, pages_crawled FROM domains ORDER BY pages_crawled;"))
        .hasSize(9)
        .contains("stuck.example|4");
    assertThat(
            rows(
                "SELECT domain, claimed_by, claim_expires_at FROM domains"
                    + " WHERE claimed_by IS NOT NULL;"))
        .hasSize(3);
  }

  /** Requests that were repeated are no pages that were crawled twice. */
  @Test
  void pages_that_were_crawled_twice() throws SQLException {
    String query =
        """
          SELECT domain, COUNT(*) FROM crawl_log
          WHERE crawled_at > NOW() - INTERVAL '1 hour'
          GROUP BY domain, page_url
          HAVING COUNT(*) > 1;
        """;
    assertThat(rows(query)).isEmpty();
    sql.execute(
        """
        INSERT INTO public.crawl_log (run_id, domain_id, url_id, attempt, kind, claim_token,
          started_at, finished_at, delay_ms, status, outcome, fate, is_page, is_error, bytes)
        SELECT run_id, domain_id, url_id, 2, kind, 2, started_at, finished_at, 1000, status, outcome,
          fate, 1, 0, bytes FROM public.crawl_log WHERE is_page = 1
        """);
    assertThat(rows(query)).containsExactly("active.example|2");
  }

  @Test
  void claims_are_released_as_the_rollback_does() throws SQLException {
    sql.execute(
        """
           UPDATE domains
           SET claimed_by = NULL, claim_expires_at = NULL
           WHERE claim_expires_at > CURRENT_TIMESTAMP;
        """);
    assertThat(
            rows(
                "SELECT domain, claimed_by, unclean, claimable_at FROM public.domains"
                    + " WHERE id <= 3 ORDER BY id"))
        .containsExactly(
            "active.example|null|1|0", "stuck.example|w-1|0|0", "other.example|null|1|0");
    assertThat(rows("SELECT subject, detail FROM public.audit ORDER BY subject"))
        .containsExactly("active.example|of w-1", "other.example|of w-2");
  }

  @Test
  void a_status_by_hand_is_a_reset_or_refused_here_as_well() throws SQLException {
    sql.execute("UPDATE domains SET status = 'pending' WHERE domain = 'closed.example'");
    assertThat(rows("SELECT status, reset_by_hand FROM public.domains WHERE id = 9"))
        .containsExactly("pending|1");
    assertThatThrownBy(
            () -> sql.execute("UPDATE domains SET status = 'blocked' WHERE domain = 'due.example'"))
        .hasMessageContaining("exhausted cannot become blocked");
    assertThatThrownBy(() -> sql.execute("UPDATE domains SET pages_crawled = 0"))
        .hasMessageContaining("by hand only a claim can be ended");
  }

  /** PostgreSQL takes no ON CONFLICT on a view; `comity backfill` does this, and more. */
  @Test
  void the_backfill_of_the_first_phase_changes_nothing_here() throws SQLException {
    List<String> before = rows("SELECT * FROM domains ORDER BY domain");
    assertThatThrownBy(
            () ->
                sql.execute(
                    """
                    -- Backfill domains from existing crawl_log
                    INSERT INTO domains (domain, status, pages_crawled, images_found, source, first_seen_at, last_crawled_at)
                    SELECT
                        domain,
                        'exhausted' AS status,  -- Conservative: assume historical domains are done
                        COUNT(*) AS pages_crawled,
                        SUM(images_found) AS images_found,
                        'backfill_crawl_log' AS source,
                        MIN(crawled_at) AS first_seen_at,
                        MAX(crawled_at) AS last_crawled_at
                    FROM crawl_log
                    WHERE domain IS NOT NULL
                    GROUP BY domain
                    ON CONFLICT (domain) DO NOTHING;  -- Don't overwrite if already exists from seed ingestion
                    """))
        .hasMessageContaining("cannot insert into column \"domain\" of view \"domains\"");
    assertThat(rows("SELECT * FROM domains ORDER BY domain")).isEqualTo(before);
  }

  @Test
  void coverage_and_yield_of_a_backfill() throws SQLException {
    assertThat(
            rows(
                """
                -- Check backfill coverage
                SELECT
                    (SELECT COUNT(DISTINCT domain) FROM crawl_log) AS crawl_log_domains,
                    (SELECT COUNT(*) FROM domains WHERE source LIKE 'backfill%') AS backfilled_domains,
                    (SELECT COUNT(*) FROM domains) AS total_domains;
                """))
        .containsExactly("1|2|9");
    assertThat(
            rows(
                """
                -- Verify yield rates
                SELECT
                    status,
                    COUNT(*) AS domain_count,
                    AVG(image_yield_rate) AS avg_yield,
                    AVG(pages_crawled) AS avg_pages
                FROM domains
                WHERE source LIKE 'backfill%'
                GROUP BY status;
                """))
        .containsExactlyInAnyOrder(
            "active|1|0.5|10.0000000000000000", "exhausted|1|0.1|10.0000000000000000");
  }

  @Test
  void other_tables_have_their_rows() throws SQLException {
    sql.execute(
        """
        INSERT INTO public.images (id, sha256, media_type, ending, bytes, first_seen_at, last_seen_at)
          VALUES (255, '\\xab', 'image/png', 'png', 9, 1000, 2000);
        INSERT INTO public.provenance (image_id, image_url, image_key, page_url_id, source_domain,
          found_in, first_seen_at, last_seen_at)
          VALUES (255, 'https://cdn.example/1', 1, 1, 'active.example', 'img', 1000, 2000);
        INSERT INTO public.credits (domain_id, images_found, images_stored) VALUES (1, 0, 3);
        INSERT INTO public.arrivals (domain_id, discovered, over_cap) VALUES (1, 4, 0);
        """);
    assertThat(rows("SELECT sha256, extract(epoch FROM last_seen_at)::int FROM images"))
        .containsExactly("ab|2");
    assertThat(
            rows(
                "SELECT p.source_page_url, i.id, p.discovery_type FROM provenance p"
                    + " JOIN images i ON i.id = p.image_id"))
        .containsExactly("https://active.example/|00000000-0000-0000-0000-0000000000ff|discovery");
    assertThat(
            rows(
                "SELECT images_stored, pages_discovered FROM domains"
                    + " WHERE domain = 'active.example'"))
        .containsExactly("8|4");
    assertThat(rows("SELECT f.url FROM domain_frontier f JOIN domains d ON d.id = f.domain_id"))
        .containsExactly("https://due.example/");
    assertThat(rows("SELECT r.status FROM crawl_runs r JOIN crawl_log l ON l.crawl_run_id = r.id"))
        .containsExactly("running");
  }
}
