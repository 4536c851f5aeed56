package dev.comity.store.postgres.rows;

import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Census;
import dev.comity.core.port.store.Operations.LiveClaim;
import dev.comity.core.port.store.Reports;
import dev.comity.core.url.DomainName;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.connect.ReadSessions;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.TermsColumns;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** What people read of a database, also beside a crawl. */
public final class PostgresReports implements Reports, AutoCloseable {
  private final ReadSessions reading;

  /** A claim by its domain, worker, token, grant and end of lease. */
  public static LiveClaim claim(ResultRow row) {
    return new LiveClaim(
        new DomainName(row.getString(1)),
        row.getString(2),
        row.getLong(3),
        Instant.ofEpochMilli(row.getLong(4)),
        Instant.ofEpochMilli(row.getLong(5)));
  }

  public PostgresReports(PostgresDatabase database) {
    reading = new ReadSessions(database);
  }

  @Override
  public Census census(long run) {
    Map<DomainStatus, Long> domains = new EnumMap<>(DomainStatus.class);
    AtomicLong urls = new AtomicLong();
    AtomicLong spent = new AtomicLong();
    reading.read(
        sql -> {
          sql.each(
              """
              SELECT d.status, count(*),
                sum(CASE WHEN d.spent_run_id = r.id OR d.status NOT IN ('pending', 'active') THEN 0
                  ELSE d.frontier_size + d.frontier_elsewhere + coalesce((SELECT sum(a.discovered) FROM arrivals a
                    WHERE a.domain_id = d.id), 0) END),
                count(*) FILTER (WHERE d.spent_run_id = r.id AND d.status IN ('pending', 'active'))
              FROM domains d CROSS JOIN (SELECT ?::bigint AS id) r
              WHERE d.spent_run_id IS DISTINCT FROM r.id
                OR EXISTS (SELECT 1 FROM jobs j WHERE j.domain_id = d.id AND j.run_id = r.id)
              GROUP BY d.status
              """,
              row -> {
                domains.merge(StateColumns.status(row.getString(1)), row.getLong(2), Long::sum);
                urls.addAndGet(row.getLong(3));
                spent.addAndGet(row.getLong(4));
              },
              run);
          return true;
        });
    return new Census(urls.get(), spent.get(), domains);
  }

  @Override
  public Optional<DomainReport> domain(DomainName domain) {
    return reading.read(
        sql ->
            sql.first(
                "SELECT d.domain, d.claimed_by, d.claim_token, d.last_crawled_at,"
                    + " d.claim_expires_at, d.policy_state, d.status, d.reset_by_hand,"
                    + " d.frontier_size + d.frontier_elsewhere + coalesce((SELECT sum(a.discovered)"
                    + " FROM arrivals a WHERE a.domain_id = d.id), 0), d.pages_crawled,"
                    + " d.page_requests, d.total_error_count, d.images_stored + coalesce((SELECT"
                    + " sum(c.images_stored) FROM credits c WHERE c.domain_id = d.id), 0), "
                    + TermsColumns.NAMES
                    + " FROM domains d WHERE d.domain = ?",
                PostgresReports::report,
                domain.name()));
  }

  private static DomainReport report(ResultRow row) {
    Optional<LiveClaim> claim = row.optionalText(2).map(_ -> claim(row));
    DomainState state =
        Stored.state(row.getString(1), row.getString(6), row.getString(7), row.getBoolean(8))
            .value()
            .orElse(DomainState.FRESH);
    return new DomainReport(
        state,
        TermsColumns.read(row, 14),
        claim,
        row.getLong(9),
        row.getLong(10),
        row.getLong(11),
        row.getLong(12),
        row.getLong(13));
  }

  @Override
  public List<LoggedRequest> requests(DomainName domain, int limit) {
    return reading.read(
        sql ->
            sql.list(
                """
                SELECT coalesce(l.url, f.url), l.kind, l.claim_token, l.started_at, l.status
                FROM crawl_log l LEFT JOIN domain_frontier f
                  ON f.domain_id = l.domain_id AND f.id = l.url_id
                WHERE l.domain_id = (SELECT id FROM domains WHERE domain = ?)
                ORDER BY l.id DESC LIMIT ?
                """,
                PostgresReports::logged,
                domain.name(),
                limit));
  }

  private static LoggedRequest logged(ResultRow row) {
    OptionalLong status = row.optionalNumber(5);
    return new LoggedRequest(
        row.getString(1),
        Kind.valueOf(row.getString(2).toUpperCase(Locale.ROOT)),
        row.getLong(3),
        Instant.ofEpochMilli(row.getLong(4)),
        status.isPresent() ? OptionalInt.of((int) status.getAsLong()) : OptionalInt.empty());
  }

  @Override
  public void close() {
    reading.close();
  }
}
