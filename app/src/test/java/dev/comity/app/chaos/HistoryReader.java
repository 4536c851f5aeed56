package dev.comity.app.chaos;

import dev.comity.app.chaos.ChaosHistory.Change;
import dev.comity.app.chaos.ChaosHistory.DomainRow;
import dev.comity.app.chaos.ChaosHistory.Lease;
import dev.comity.app.chaos.ChaosHistory.Logged;
import dev.comity.app.chaos.ChaosHistory.RunRow;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads what the database tells of a fleet. Triggers of its own keep what the tables forget: every
 * change of a claim, every end of a run, and when each row of the log was written.
 */
final class HistoryReader implements AutoCloseable {
  private static final String WATCH =
      """
      CREATE TABLE chaos_leases (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        domain TEXT NOT NULL, token BIGINT NOT NULL, worker TEXT, until BIGINT, at BIGINT NOT NULL);
      CREATE TABLE chaos_runs (run_id BIGINT NOT NULL, status TEXT NOT NULL, at BIGINT NOT NULL);
      CREATE FUNCTION chaos_millis() RETURNS BIGINT LANGUAGE sql VOLATILE AS
        $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT $$;
      ALTER TABLE crawl_log ADD COLUMN chaos_at BIGINT NOT NULL DEFAULT chaos_millis();
      CREATE FUNCTION chaos_lease() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO chaos_leases (domain, token, worker, until, at) VALUES (NEW.domain,
          NEW.claim_token, NEW.claimed_by, NEW.claim_expires_at, chaos_millis());
        RETURN NULL;
      END $$;
      CREATE TRIGGER chaos_lease AFTER UPDATE ON domains FOR EACH ROW
        WHEN ((OLD.claim_token, OLD.claimed_by, OLD.claim_expires_at)
          IS DISTINCT FROM (NEW.claim_token, NEW.claimed_by, NEW.claim_expires_at))
        EXECUTE FUNCTION chaos_lease();
      CREATE FUNCTION chaos_run() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO chaos_runs VALUES (NEW.id, NEW.status, chaos_millis());
        RETURN NULL;
      END $$;
      CREATE TRIGGER chaos_run AFTER UPDATE ON crawl_runs FOR EACH ROW
        WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION chaos_run();
      """;

  private static final List<String> STATES =
      List.of("done", "failed", "denied", "set_aside", "suppressed", "skipped");

  /** Reads one row. */
  private interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private final Connection connection;

  HistoryReader(String url) throws SQLException {
    connection = DriverManager.getConnection(url);
  }

  /** Adds the triggers to tables that are there already. */
  static void watch(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(WATCH);
    }
  }

  private <T> List<T> list(String query, RowReader<T> reader) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<T> list = new ArrayList<>();
      while (rows.next()) {
        list.add(reader.read(rows));
      }
      return list;
    }
  }

  long number(String query) throws SQLException {
    return list(query, row -> row.getLong(1)).getFirst();
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return Instant.ofEpochMilli(row.getLong(column));
  }

  Set<List<String>> matrix() throws SQLException {
    return new HashSet<>(
        list(
            "SELECT from_status, to_status, door FROM status_changes",
            row -> List.of(row.getString(1), row.getString(2), row.getString(3))));
  }

  List<Lease> leases() throws SQLException {
    return list(
        "SELECT domain, token, coalesce(worker, '') AS worker, coalesce(until, at) AS until, at"
            + " FROM chaos_leases ORDER BY seq",
        row ->
            new Lease(
                row.getString("domain"),
                row.getLong("token"),
                row.getString("worker"),
                time(row, "until"),
                time(row, "at")));
  }

  List<Logged> log() throws SQLException {
    return list(
        """
        SELECT d.domain, coalesce(l.url, f.url) AS url, l.claim_token, l.started_at, l.chaos_at,
          l.delay_ms, coalesce(l.status, 0) AS status, l.fate, l.kind
        FROM crawl_log l JOIN domains d ON d.id = l.domain_id
        LEFT JOIN domain_frontier f ON f.domain_id = l.domain_id AND f.id = l.url_id
        ORDER BY l.id
        """,
        row ->
            new Logged(
                row.getString("domain"),
                row.getString("url"),
                row.getLong("claim_token"),
                time(row, "started_at"),
                time(row, "chaos_at"),
                Duration.ofMillis(row.getLong("delay_ms")),
                row.getInt("status"),
                row.getString("fate"),
                row.getString("kind").equals("page")));
  }

  List<Change> changes() throws SQLException {
    return list(
        "SELECT d.domain, t.from_status, t.to_status, t.door, t.at FROM transitions t"
            + " JOIN domains d ON d.id = t.domain_id ORDER BY t.id",
        row ->
            new Change(
                row.getString("domain"),
                row.getString("from_status"),
                row.getString("to_status"),
                row.getString("door"),
                time(row, "at")));
  }

  RunRow run() throws SQLException {
    return list(
            """
            SELECT r.status, r.pages + coalesce((SELECT sum(l.pages) FROM lanes l
                WHERE l.run_id = r.id), 0) AS pages,
              (SELECT count(*) FROM chaos_runs c WHERE c.run_id = r.id) AS endings
            FROM crawl_runs r ORDER BY r.id DESC LIMIT 1
            """,
            row ->
                new RunRow(row.getString("status"), row.getLong("pages"), row.getLong("endings")))
        .getFirst();
  }

  List<DomainRow> domains() throws SQLException {
    Map<Long, Map<String, Long>> kept = new HashMap<>();
    list(
        """
        SELECT domain_id, CASE WHEN state IN ('queued', 'deferred') THEN 'queued' ELSE state END
          AS state, count(*) AS n FROM urls GROUP BY 1, 2
        """,
        row ->
            kept.computeIfAbsent(row.getLong("domain_id"), _ -> new HashMap<>())
                .put(row.getString("state"), row.getLong("n")));
    return list(
        """
        SELECT d.*, coalesce(a.discovered, 0) AS a_discovered, coalesce(a.over_cap, 0) AS a_cap,
          coalesce(a.skipped, 0) AS a_skipped,
          (SELECT count(*) FROM in_flight i WHERE i.domain_id = d.id) AS flying,
          (SELECT count(DISTINCT p.url_id) FROM pages p WHERE p.domain_id = d.id) AS kept_pages,
          (SELECT coalesce(max(j.pages), 0) FROM jobs j WHERE j.domain_id = d.id) AS job_pages
        FROM domains d LEFT JOIN (SELECT domain_id, sum(discovered) AS discovered,
          sum(over_cap) AS over_cap, sum(skipped) AS skipped FROM arrivals GROUP BY 1) a
          ON a.domain_id = d.id
        """,
        row -> domain(row, kept.getOrDefault(row.getLong("id"), Map.of())));
  }

  private static DomainRow domain(ResultSet row, Map<String, Long> kept) throws SQLException {
    Map<String, Long> counted = new HashMap<>();
    for (String state : STATES) {
      long late = state.equals("skipped") ? row.getLong("a_skipped") : 0;
      counted.put(state, row.getLong("urls_" + state) + late);
    }
    long arrived = row.getLong("a_discovered");
    counted.put(
        "queued", row.getLong("frontier_size") + row.getLong("frontier_elsewhere") + arrived);
    long refused = row.getLong("refused_delay_ms");
    return new DomainRow(
        row.getString("domain"),
        row.getString("claimed_by") != null,
        row.getLong("flying"),
        row.getLong("pages_discovered") + arrived + row.getLong("a_cap") + row.getLong("a_skipped"),
        row.getLong("urls_over_cap") + row.getLong("a_cap"),
        kept,
        counted,
        row.getLong("requests"),
        row.getLong("pages_crawled"),
        row.getLong("kept_pages"),
        row.getLong("job_pages"),
        refused == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(refused)),
        Duration.ofMillis(row.getLong("adaptive_delay_ms")));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
