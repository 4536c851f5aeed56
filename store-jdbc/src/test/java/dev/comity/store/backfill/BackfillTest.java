package dev.comity.store.backfill;

import static dev.comity.store.support.Stores.NOON;
import static dev.comity.store.support.Stores.number;
import static dev.comity.store.support.Stores.seeds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.DirectoryInUse;
import dev.comity.store.StoreSettings;
import dev.comity.store.backfill.HistoryStore.Opened;
import dev.comity.store.backfill.HistoryStore.UrlsTaken;
import dev.comity.store.doctor.Doctor;
import dev.comity.store.doctor.Examination;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.store.support.Stores;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another program's log becomes domains and known pages. */
class BackfillTest implements HistoryContract {
  @TempDir private Path home;

  @TempDir private Path elsewhere;

  private PastDatabase past;
  private final LeftOutRows leftOut = new LeftOutRows();

  @BeforeEach
  void open() throws SQLException {
    past = new PastDatabase("jdbc:sqlite:" + elsewhere.resolve("past.db"));
  }

  @AfterEach
  void close() throws SQLException {
    past.close();
  }

  private Backfill.BackfillResult backfill() throws SQLException {
    past.commit();
    try (StagedHistory staged = StagedHistory.make();
        PastTables tables = PastTables.file(elsewhere.resolve("past.db"));
        HistoryStore store = DirectoryHistory.open(new DataDirectory(home), Stores.SETTINGS)) {
      tables.read(new PastRows(staged, Grouping.BY_HOST, leftOut, _ -> {}, NOON));
      return new Backfill(staged).write(store, _ -> {});
    }
  }

  @Override
  public HistoryStore history() {
    return DirectoryHistory.open(new DataDirectory(home), Stores.SETTINGS);
  }

  @Override
  public Map<String, String> rows(String query) {
    try {
      return lines(query);
    } catch (SQLException failed) {
      throw new AssertionError(query, failed);
    }
  }

  private Map<String, String> lines(String query) throws SQLException {
    try (Connection connection = new DataDirectory(home).reading()) {
      return PastDatabase.lines(connection, query);
    }
  }

  private String text(String query) throws SQLException {
    return lines("SELECT 1, " + query).getOrDefault("1", "");
  }

  private void isSound() {
    assertThat(
            new Doctor(new DataDirectory(home), Duration.ofMinutes(1), Map.of(), NOON)
                .examine(_ -> {}))
        .flatMap(Examination::findings)
        .isEmpty();
  }

  @Test
  void counts_equal_an_independent_count_by_sql() throws SQLException {
    past.fill(5000, 41);
    backfill();
    String failed = "status IS NULL OR status IN (401, 403, 420, 429) OR status >= 500";
    Map<String, String> counted =
        past.lines(
            """
            SELECT l.name, count(*) || ' ' || count(DISTINCT l.url) || ' '
              || count(DISTINCT CASE WHEN NOT l.failed THEN l.url END) || ' '
              || sum(l.failed AND coalesce(status, 0) <> 429) || ' ' || sum(images_found) || ' '
              || (SELECT count(DISTINCT image_id) FROM provenance WHERE %s = l.name) || ' '
              || CASE WHEN sum(l.failed) * 2 > count(*) THEN 'closed' ELSE 'exhausted' END || ' '
              || min(crawled_at) || ' ' || max(crawled_at)
            FROM (SELECT *, %s AS name, (%s) AS failed,
                lower(replace(replace(page_url, ':443/', '/'), './', '/')) AS url
              FROM crawl_log) l GROUP BY l.name
            """
                .formatted(
                    PastDatabase.CANONICAL.formatted("source_domain"),
                    PastDatabase.CANONICAL.formatted("domain"),
                    failed));
    assertThat(counted).hasSizeGreaterThan(20);
    assertThat(
            lines(
                """
                SELECT domain || '|', requests || ' ' || pages_discovered || ' ' || pages_crawled
                  || ' ' || total_error_count || ' ' || images_found || ' ' || images_stored || ' '
                  || CASE WHEN status = 'exhausted' THEN status ELSE 'closed' END || ' '
                  || strftime('%Y-%m-%d %H:%M:%S+00', first_seen_at / 1000, 'unixepoch') || ' '
                  || strftime('%Y-%m-%d %H:%M:%S+00', last_crawled_at / 1000, 'unixepoch')
                FROM domains WHERE source = 'backfill_crawl_log'
                """))
        .isEqualTo(counted);
    assertThat(counted.values()).anyMatch(line -> line.contains("closed"));
    assertThat(leftOut.count()).isZero();
    isSound();
  }

  @Test
  void a_second_time_changes_nothing() throws SQLException {
    past.fill(2000, 7);
    backfill();
    String all =
        """
        SELECT d.domain, d.status || d.requests || ' ' || d.pages_crawled || ' '
          || d.total_error_count || ' ' || d.images_stored || ' ' || coalesce(next_crawl_after, 0)
          || ' ' || priority_score || ' '
          || (SELECT sum(f.state * 7 + f.id + coalesce(f.due_at, 0)) FROM domain_frontier f
              WHERE f.domain_id = d.id)
        FROM domains d
        """;
    Map<String, String> before = lines(all);
    Backfill.BackfillResult again = backfill();
    assertThat(lines(all)).isEqualTo(before);
    assertThat(again.domains()).containsOnlyKeys(Opened.KNOWN);
    assertThat(again.urls().and(new UrlsTaken(0, 0, 0, -again.urls().known(), 0)))
        .isEqualTo(UrlsTaken.NONE);
    isSound();
  }

  @Test
  void a_domain_keeps_its_state_and_takes_the_larger_counters() throws SQLException {
    try (SqliteStore store = Stores.open(home)) {
      store.add(seeds("https://a.example/"), NOON);
      Claim claim = store.claim(1, NOON).getFirst();
      store.settle(claim, Stores.page(Stores.take(store, claim), claim));
      store.release(
          claim,
          Stores.POLICY.idle(Stores.POLICY.claimed(claim.state(), NOON)),
          new Ending.Exhausted(),
          NOON);
    }
    for (int page = 0; page < 3; page++) {
      past.log("A.example", "https://a.example/" + page, 403, 5, "2026-01-02 03:04:05");
    }
    past.log("A.example", "https://a.example/", 200, 5, "2026-01-02 03:04:05");
    assertThat(backfill().domains(Opened.KNOWN)).isOne();
    assertThat(
            text(
                "status || ' ' || requests || ' ' || pages_crawled || ' ' || total_error_count"
                    + " || ' ' || images_found || ' ' || urls_failed || ' ' || coalesce(source, '')"
                    + " FROM domains"))
        .isEqualTo("exhausted 4 1 3 20 3 ");
  }

  @Test
  void pages_have_dates_so_that_a_refresh_comes_back_to_them() throws SQLException {
    past.log("b.example", "https://b.example/", 200, 0, "2026-05-01 12:00:00");
    past.log("b.example", "https://b.example/", 503, 0, "2026-05-02 12:00:00");
    past.log("b.example", "https://b.example/gone", 404, 0, "2026-05-01 12:00:00+02");
    backfill();
    assertThat(
            lines(
                "SELECT u.url, strftime('%Y-%m-%d %H', u.due_at / 1000, 'unixepoch') || ' ' ||"
                    + " p.status || ' ' || (f.missing_since IS NOT NULL) || ' ' || f.asked FROM"
                    + " urls u JOIN domain_frontier f ON f.id = u.id JOIN pages p ON p.url_id ="
                    + " u.id"))
        .isEqualTo(
            Map.of(
                "https://b.example/", "2026-05-15 12 200 0 2",
                "https://b.example/gone", "2026-05-15 10 404 1 1"));
    assertThat(text("strftime('%Y-%m-%d %H', next_crawl_after / 1000, 'unixepoch') FROM domains"))
        .isEqualTo("2026-05-15 10");
    isSound();
  }

  @Test
  void what_failed_of_a_closed_domain_waits_for_the_end_of_its_cooldown() throws SQLException {
    for (int page = 0; page < 6; page++) {
      past.log("c.example", "https://c.example/" + page, 429, 0, "2026-05-31 12:00:00");
    }
    past.log("c.example", "https://c.example/ok", 200, 0, "2026-05-30 12:00:00");
    Backfill.BackfillResult done = backfill();
    assertThat(done.closed()).isEqualTo(Map.of("RATE_LIMITED", 1L));
    assertThat(
            text(
                "status || ' ' || block_reason_code || ' ' || ((next_crawl_after - last_crawled_at)"
                    + " / 86400000) || ' ' || frontier_size || ' ' || urls_done || ' '"
                    + " || (claimable_at IS NULL) FROM domains"))
        .isEqualTo("blocked rate_limited 7 6 1 1");
    isSound();
    try (SqliteStore store = SqliteStore.open(new DataDirectory(home), Stores.SETTINGS)) {
      store.begin(Stores.TERMS, NOON);
      assertThat(store.claim(5, NOON)).isEmpty();
    }
    try (SqliteStore store =
        SqliteStore.open(
            new DataDirectory(home),
            StoreSettings.of(
                Stores.POLICY, Grouping.BY_HOST, () -> NOON.plus(Duration.ofDays(8))))) {
      store.begin(Stores.TERMS, NOON.plus(Duration.ofDays(8)));
      assertThat(store.claim(5, NOON.plus(Duration.ofDays(8)))).hasSize(1);
    }
  }

  @Test
  void pages_that_are_gone_close_no_domain() throws SQLException {
    for (int page = 0; page < 6; page++) {
      past.log("d.example", "https://d.example/" + page, 404, 0, "2026-05-31 12:00:00");
    }
    backfill();
    assertThat(text("status || total_error_count || pages_crawled FROM domains"))
        .isEqualTo("exhausted06");
  }

  @Test
  void a_domain_that_never_answered_is_unreachable() throws SQLException {
    past.log("e.example", "https://e.example/", 0, 0, "2026-05-31 12:00:00");
    backfill();
    assertThat(text("status || ' ' || block_reason_code FROM domains"))
        .isEqualTo("unreachable connection_failed");
    isSound();
  }

  @Test
  void rows_that_name_no_host_are_named_and_left_out() throws SQLException {
    past.log("good.example", "https://good.example/", 200, 0, "2026-05-31 12:00:00");
    past.log("bad host", "https://bad host/", 200, 0, "2026-05-31 12:00:00");
    past.log("no.example", "", 200, 0, "yesterday");
    past.log("", "", 200, 0, "2026-05-31 12:00:00");
    past.log("only.example", "", 200, 0, "2026-05-31 12:00:00");
    past.image("exa mple", "1");
    Backfill.BackfillResult done = backfill();
    assertThat(done.domains(Opened.NEW)).isEqualTo(2);
    assertThat(leftOut.count()).isEqualTo(4);
    assertThat(leftOut.lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("crawl_log:2: ").contains("bad host"),
            line -> assertThat(line).isEqualTo("crawl_log:3: crawled_at is \"yesterday\", no time"),
            line -> assertThat(line).isEqualTo("crawl_log:4: it names neither a URL nor a domain"),
            line -> assertThat(line).startsWith("provenance:1: "));
    assertThat(
            text("requests || ' ' || pages_discovered FROM domains WHERE domain = 'only.example'"))
        .isEqualTo("1 0");
    isSound();
  }

  @Test
  void a_time_in_the_future_is_now() throws SQLException {
    past.log("f.example", "https://f.example/", 200, 0, "2031-05-31T12:00:00Z");
    backfill();
    assertThat(number(home, "SELECT last_crawled_at FROM domains")).isEqualTo(NOON.toEpochMilli());
    isSound();
  }

  @Test
  void a_look_writes_nothing() throws SQLException {
    past.fill(500, 3);
    try (StagedHistory staged = StagedHistory.make();
        PastTables tables = PastTables.file(elsewhere.resolve("past.db"));
        StoredHistory store = StoredHistory.open(new DataDirectory(home.resolve("none")))) {
      tables.read(new PastRows(staged, Grouping.BY_HOST, leftOut, _ -> {}, NOON));
      Backfill.BackfillResult done = new Backfill(staged).look(store);
      assertThat(done.domains(Opened.NEW)).isEqualTo(staged.extent().domains()).isGreaterThan(10);
      assertThat(store.coverage("backfill").domains()).isZero();
    }
    assertThat(home.resolve("none")).doesNotExist();
  }

  @Test
  void a_directory_that_a_crawl_has_is_refused() {
    try (SqliteStore _ = Stores.open(home)) {
      assertThatThrownBy(() -> DirectoryHistory.open(new DataDirectory(home), Stores.SETTINGS))
          .isInstanceOf(DirectoryInUse.class);
      try (StoredHistory beside = StoredHistory.open(new DataDirectory(home))) {
        assertThat(beside.knows("a.example")).isFalse();
      }
    }
  }

  @Test
  void urls_that_wait_are_queued_and_wake_their_domain() {
    try (StagedHistory staged = StagedHistory.make();
        HistoryStore store = DirectoryHistory.open(new DataDirectory(home), Stores.SETTINGS)) {
      PastRows rows = new PastRows(staged, Grouping.BY_HOST, leftOut, _ -> {}, NOON);
      for (String url : List.of("https://g.example/a", "https://www.g.example/b")) {
        rows.listed("queue", 1, url, PastVisit::queued);
      }
      UrlsTaken taken = new Backfill(staged, "import_test", false).write(store, _ -> {}).urls();
      assertThat(taken).isEqualTo(new UrlsTaken(0, 2, 0, 0, 0));
    }
    isSound();
    try (SqliteStore store =
        Stores.begun(SqliteStore.open(new DataDirectory(home), Stores.SETTINGS))) {
      assertThat(store.claim(5, NOON)).hasSize(1);
    }
  }
}
