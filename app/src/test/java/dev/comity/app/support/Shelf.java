package dev.comity.app.support;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** A data directory whose rows a test puts there itself, and the commands that look into it. */
public record Shelf(Path home) {
  /** Whatever a site may send to upset who looks at it. */
  public static final String HOSTILE = "=1+1\u001b[31m\u009b2J\r\nover\u202e\"quoted\",\u2028 end";

  public static Shelf empty(Path home) {
    DomainPolicy policy = new DomainPolicy(PolicySettings.DEFAULTS);
    SqliteStore.open(
            new DataDirectory(home),
            StoreSettings.of(policy, Grouping.BY_HOST, InstantSource.system()))
        .close();
    return new Shelf(home);
  }

  /** One domain that was crawled, one that is closed, one nobody asked. */
  public static Shelf small(Path home) {
    return empty(home)
        .run(
            "INSERT INTO crawl_runs (id, terms, max_pages, max_pages_per_domain, pages, started_at,"
                + " end_reason) VALUES (1, '{}', 1000, 1000, 2, 1700000000000, 'stopped')",
            "INSERT INTO crawl_run_seeds VALUES (1, 0, 'https://able.example/')",
            """
            INSERT INTO domains (id, domain, parent_domain, status, claim_token, claimable_at,
              claim_class, pages_discovered, pages_crawled, requests, page_requests, urls_done,
              frontier_size, images_found,
              images_stored, last_start_at, last_crawled_at, last_crawl_run_id, first_seen_at,
              updated_at, policy_state)
            VALUES (1, 'able.example', 'able.example', 'active', 1, 0, 0, 3, 2, 2, 2, 2, 1, 20, 15,
              1700000020000, 1700000010000, 1, 1700000000000, 1700000020000,
              '{"v":1,"standing":{"status":"active"},"slots":{"last_start":1700000020000000000}}')
            """,
            """
            INSERT INTO domains (id, domain, parent_domain, status, block_reason, block_reason_code,
              next_crawl_after, cooldown_count, claim_token, claimable_at, first_seen_at, updated_at,
              last_crawled_at, crawl_delay_ms, policy_state)
            VALUES (2, 'baker.example', 'baker.example', 'blocked', 'it kept answering 401 or 403',
              'forbidden', 1701209660000, 1, 1, NULL, 1700000000000, 1700000060000, 1700000005000,
              2500, '{"v":1,"standing":{"status":"blocked","reason":"forbidden",\
            "until":1701209660000000000,"setbacks":1},"limits":{"crawl_delay":2500000000}}')
            """,
            "INSERT INTO domains (id, domain, parent_domain, first_seen_at, updated_at)"
                + " VALUES (3, 'easy.able.example', 'able.example', 1700000000000, 1700000000000)",
            "INSERT INTO authorities (domain_id, number, authority) VALUES (1, 0,"
                + " 'https://able.example')",
            """
            INSERT INTO domain_frontier (id, domain_id, authority_no, target, url_key, state, place,
              depth, asked, discovered_at)
            VALUES (1, 1, 0, '/', 6837740633131104365, 1, 0, 0, 1, 0), (2, 1, 0, '/two', 1810225804689946156, 1, 1, 1, 1, 0),
              (3, 1, 0, '/three', 7596369347190544456, 0, 1, 1, 0, 0)
            """,
            "INSERT INTO jobs (run_id, domain_id, pages, started_at) VALUES (1, 1, 2,"
                + " 1700000010000)",
            """
            INSERT INTO transitions (domain_id, token, from_status, to_status, door, reason, worker,
              at)
            VALUES (1, 1, 'pending', 'active', 'claim', NULL, 'host-1', 1700000010000),
              (2, 1, 'pending', 'active', 'claim', NULL, 'host-1', 1700000005000),
              (2, 1, 'active', 'blocked', 'holder', 'forbidden', NULL, 1700000060000)
            """,
            """
            INSERT INTO crawl_log (id, run_id, domain_id, url_id, attempt, kind, claim_token,
              started_at, finished_at, delay_ms, status, outcome, fate, is_page, is_error, bytes,
              images_found, images_stored)
            VALUES (1, 1, 1, 1, 1, 'page', 1, 1700000010000, 1700000010300, 1000, 200, 'success',
                'done', 1, 0, 900, 20, 15),
              (2, 1, 1, 2, 1, 'page', 1, 1700000020000, 1700000020300, 1000, 200, 'success',
                'done', 1, 0, 800, 0, 0)
            """,
            """
            INSERT INTO pages (id, run_id, url_id, domain_id, status, title, content_type, bytes,
              started_at, first_byte_ms, total_ms, text)
            VALUES (1, 1, 1, 1, 200, 'Able', 'text/html', 900, 1700000010000, 40, 300, 'able'),
              (2, 1, 2, 1, 200, NULL, 'text/html', 800, 1700000020000, 41, 300, NULL)
            """);
  }

  private Connection connection() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + home.resolve("comity.db"));
  }

  public Shelf run(String... statements) {
    try (Connection connection = connection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
      return this;
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  public String text(String sql) {
    try (Connection connection = connection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return String.valueOf(row.next() ? row.getString(1) : null);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** The text as a literal of SQL. */
  public static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  public Said said(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--data", home.toString()));
    return Commands.run(all.toArray(String[]::new));
  }
}
