package dev.comity.store.postgres;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import dev.comity.store.KeptStore;
import dev.comity.store.postgres.connect.ReadSessions;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Templates;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads single values for a crawl, of domains that it holds or not. */
abstract class PostgresLookups implements KeptStore {
  final ReadSessions reading;
  final RunRows runs;

  PostgresLookups(ReadSessions reading, RunRows runs) {
    this.reading = reading;
    this.runs = runs;
  }

  /** What is thrown for a domain whose templates cannot be read; it is set aside if it is held. */
  abstract RuntimeException unreadable(DomainName domain, String reason);

  @Override
  public Optional<DomainState> state(DomainName domain) {
    return reading.read(sql -> Stored.stateOf(sql, domain));
  }

  @Override
  public void given(Collection<DomainName> domains, Consumer<GivenDomain> each) {
    List<String> names = domains.stream().map(DomainName::name).toList();
    reading
        .use(
            session ->
                session.sql.list(
                    """
                    SELECT d.domain, d.policy_state, d.status, d.reset_by_hand, d.paused, d.damage
                    FROM unnest(?::text[]) WITH ORDINALITY AS given (domain, place)
                    JOIN domains d ON d.domain = given.domain ORDER BY given.place
                    """,
                    PostgresLookups::given,
                    session.texts(names)))
        .forEach(each);
  }

  private static GivenDomain given(ResultRow row) {
    String name = row.getString(1);
    return new GivenDomain(
        new DomainName(name),
        Stored.state(name, row.getString(2), row.getString(3), row.getBoolean(4)).value(),
        row.getBoolean(5),
        row.optionalText(6));
  }

  @Override
  public long setAside() {
    return reading.read(
        sql ->
            sql.number(
                "SELECT coalesce(sum(d.urls_set_aside), 0) FROM domains d WHERE d.urls_set_aside >"
                    + " 0"
                    + RunOutlook.TAKES,
                runs.id()));
  }

  @Override
  public List<String> damaged(int limit) {
    return reading.read(
        sql ->
            sql.list(
                "SELECT domain FROM domains d WHERE damage IS NOT NULL"
                    + " AND spent_run_id IS DISTINCT FROM ?"
                    + RunOutlook.TAKES
                    + " ORDER BY domain LIMIT ?",
                row -> row.getString(1),
                runs.id(),
                runs.id(),
                limit));
  }

  @Override
  public List<TemplateStats> templates(DomainName domain) {
    return switch (reading.read(sql -> Templates.of(sql, domain.name()))) {
      case Stored.Sound(var templates) -> templates;
      case Stored.Damaged(var reason) -> throw unreadable(domain, reason);
    };
  }

  @Override
  public Optional<RobotsCopy> robots(Authority authority) {
    return copy(Kind.ROBOTS, authority);
  }

  @Override
  public Optional<RobotsCopy> tdmRep(Authority authority) {
    return copy(Kind.TDMREP, authority);
  }

  private Optional<RobotsCopy> copy(Kind kind, Authority authority) {
    return reading.read(
        sql ->
            sql.first(
                "SELECT fetched_at, allowed, body FROM robots_cache WHERE authority = ?",
                row ->
                    new RobotsCopy(
                        kind,
                        authority,
                        row.optionalBytes(3).map(Body::of),
                        row.getBoolean(2),
                        Instant.ofEpochMilli(row.getLong(1))),
                RobotsCopy.key(kind, authority)));
  }

  @Override
  public Optional<Instant> lastStart(DomainName domain) {
    return lastStart(
        "SELECT max(started_at) FROM crawl_log WHERE domain_id ="
            + " (SELECT id FROM domains WHERE domain = ?) HAVING count(*) > 0",
        domain.name());
  }

  @Override
  public Optional<Instant> lastStartOfSource(String source) {
    return lastStart(
        "SELECT last_start_at FROM sources WHERE name = ? AND last_start_at IS NOT NULL", source);
  }

  private Optional<Instant> lastStart(String query, String name) {
    return reading.read(sql -> sql.first(query, row -> Instant.ofEpochMilli(row.getLong(1)), name));
  }
}
