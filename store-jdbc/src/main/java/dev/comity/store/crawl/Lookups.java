package dev.comity.store.crawl;

import dev.comity.core.outcome.Body;
import dev.comity.core.policy.DomainState;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import dev.comity.store.sql.ReaderThread;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Templates;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a crawl wants to know of what was written, whether it holds the domain or not. */
public final class Lookups {
  private final ReaderThread reader;

  public Lookups(ReaderThread reader) {
    this.reader = reader;
  }

  /** When the next domain that rests may be claimed. */
  public Optional<Instant> nextClaimable(Instant now) {
    return reader.read(
        sql ->
            sql.first(
                """
                SELECT claimable_at FROM domains INDEXED BY domains_waiting
                WHERE claimable_at > 0 AND claimable_at > ? AND claimed_by IS NULL
                ORDER BY claimable_at LIMIT 1
                """,
                row -> Instant.ofEpochMilli(row.getLong(1)),
                now.toEpochMilli()));
  }

  public Optional<DomainState> state(DomainName domain) {
    return reader.read(sql -> state(sql, domain));
  }

  public static Optional<DomainState> state(Statements sql, DomainName domain) throws SQLException {
    return sql.first(
            "SELECT policy_state, status, reset_by_hand FROM domains WHERE domain = ?",
            row ->
                Stored.state(domain.name(), row.getString(1), row.getString(2), row.getBoolean(3)),
            domain.name())
        .flatMap(Stored::value);
  }

  /** Why a domain is set aside, where it is. */
  public Optional<String> damage(DomainName domain) {
    return reader.read(
        sql ->
            sql.first(
                "SELECT damage FROM domains WHERE domain = ? AND damage IS NOT NULL",
                row -> row.getString(1),
                domain.name()));
  }

  public Stored<List<TemplateStats>> templates(DomainName domain) {
    return reader.read(sql -> Templates.of(sql.connection(), domain.name()));
  }

  public Optional<RobotsCopy> robots(Authority authority) {
    return reader.read(
        sql ->
            sql.first(
                "SELECT fetched_at, allowed, body FROM robots_cache WHERE authority = ?",
                row ->
                    new RobotsCopy(
                        authority,
                        Optional.ofNullable(row.getBytes(3)).map(Body::of),
                        row.getBoolean(2),
                        Instant.ofEpochMilli(row.getLong(1))),
                authority.toString()));
  }

  public Optional<Instant> lastStart(DomainName domain) {
    return lastStart(
        "SELECT max(started_at) FROM crawl_log WHERE domain_id ="
            + " (SELECT id FROM domains WHERE domain = ?) HAVING count(*) > 0",
        domain.name());
  }

  public Optional<Instant> lastStartOfSource(String source) {
    return lastStart(
        "SELECT max(started_at) FROM crawl_log WHERE source_id ="
            + " (SELECT id FROM sources WHERE name = ?) HAVING count(*) > 0",
        source);
  }

  private Optional<Instant> lastStart(String query, String name) {
    return reader.read(sql -> sql.first(query, row -> Instant.ofEpochMilli(row.getLong(1)), name));
  }
}
