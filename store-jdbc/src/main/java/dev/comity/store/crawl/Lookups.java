package dev.comity.store.crawl;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import dev.comity.store.KeptStore.GivenDomain;
import dev.comity.store.StoreDamaged;
import dev.comity.store.sql.ReaderThread;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Templates;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Reads single values for a crawl, of domains that it holds or not. */
public final class Lookups {
  /** Reads the paused domains and no others. */
  static final String PAUSED_WORK =
      """
      SELECT 1 FROM domains INDEXED BY domains_paused
      WHERE status IN ('pending', 'active') AND paused = 1 AND spent_run_id IS NULL
        AND damage IS NULL AND reset_by_hand = 0 AND (status = 'active' OR frontier_elsewhere > 0
          OR EXISTS (SELECT 1 FROM domain_frontier WHERE domain_id = domains.id AND state = 0))
      """;

  private final ReaderThread reader;

  public Lookups(ReaderThread reader) {
    this.reader = reader;
  }

  /** Which candidates have such work. What is spent may be claimed for its images alone. */
  static String with(Wanted wanted) {
    return switch (wanted) {
      case ANY -> "";
      // Images alone are no work. Where no domain has images, the list is empty.
      case PAGES ->
          """
           AND spent_run_id IS NULL
           AND (frontier_elsewhere > 0 OR id NOT IN (SELECT domain_id FROM domain_frontier WHERE state = 0 AND kind = 3)
             OR EXISTS (SELECT 1 FROM domain_frontier f
               WHERE f.domain_id = domains.id AND f.state = 0 AND f.kind <> 3))
          """;
      case IMAGES ->
          " AND id IN (SELECT domain_id FROM domain_frontier WHERE state = 0 AND kind = 3)";
    };
  }

  /**
   * What a worker without a claim can expect, after expired claims were ended.
   *
   * @param now by the worker's clock
   * @param at by the store's
   */
  static Outlook outlook(Statements sql, Instant now, long at, Wanted wanted) {
    Optional<Instant> next =
        next(sql, at, wanted).map(time -> now.plusMillis(Math.max(0, time.toEpochMilli() - at)));
    long held =
        sql.number(
            """
            SELECT count(*) FROM domains INDEXED BY domains_claims
            WHERE claimed_by IS NOT NULL AND claim_expires_at > ?
            """,
            at);
    if (held > 0) {
      return new Outlook.Others((int) held, next);
    }
    if (next.isPresent()) {
      return new Outlook.At(next.get());
    }
    return isPaused(sql) ? new Outlook.OnlyPaused() : new Outlook.Nothing();
  }

  /** Whether a domain has work and is paused. */
  private static boolean isPaused(Statements sql) {
    return sql.exists(PAUSED_WORK);
  }

  /** When the next domain may be claimed. */
  private static Optional<Instant> next(Statements sql, long at, Wanted wanted) {
    return sql.exists(
            """
            SELECT 1 FROM domains INDEXED BY domains_candidates
            WHERE claimable_at = 0 AND claimed_by IS NULL AND damage IS NULL AND paused = 0
            """
                + with(wanted))
        ? Optional.of(Instant.ofEpochMilli(at))
        : sql.first(
            """
            SELECT claimable_at FROM domains INDEXED BY domains_waiting
            WHERE claimable_at > 0 AND claimed_by IS NULL AND paused = 0
            """
                + with(wanted)
                + " ORDER BY claimable_at LIMIT 1",
            row -> Instant.ofEpochMilli(row.getLong(1)));
  }

  public Optional<DomainState> state(DomainName domain) {
    return reader.read(sql -> state(sql, domain));
  }

  public static Optional<DomainState> state(Statements sql, DomainName domain) {
    return Stored.stateOf(sql, domain);
  }

  private static final int BATCH = 1_000;

  private static GivenDomain given(ResultRow row) {
    String name = row.getString(1);
    return new GivenDomain(
        new DomainName(name),
        Stored.state(name, row.getString(2), row.getString(3), row.getBoolean(4)).value(),
        row.getBoolean(5),
        row.optionalText(6));
  }

  /** Reads what is stored of each of these domains, some at a time. */
  public void given(Collection<DomainName> domains, Consumer<GivenDomain> each) {
    List<DomainName> all = List.copyOf(domains);
    for (int from = 0; from < all.size(); from += BATCH) {
      String names =
          all.subList(from, Math.min(all.size(), from + BATCH)).stream()
              .map(domain -> '"' + domain.name() + '"')
              .collect(Collectors.joining(",", "[", "]"));
      reader
          .read(
              sql ->
                  sql.list(
                      """
                      SELECT domain, policy_state, status, reset_by_hand, paused, damage
                      FROM json_each(?) AS given JOIN domains ON domain = given.value
                      ORDER BY given.key
                      """,
                      Lookups::given,
                      names))
          .forEach(each);
    }
  }

  /** A domain with templates that cannot be read is set aside, if it is held. */
  public List<TemplateStats> templates(DomainName domain, HeldDomains held) {
    return switch (reader.read(sql -> Templates.of(sql, domain.name()))) {
      case Stored.Sound(var templates) -> templates;
      case Stored.Damaged(var reason) ->
          throw held.find(domain)
              .map(claimed -> (RuntimeException) held.setAside(claimed, reason))
              .orElseGet(() -> new StoreDamaged(reason, StoreDamaged.RESET, domain.name()));
    };
  }

  /** The last copy of an authority's robots.txt or tdmrep.json. */
  public Optional<RobotsCopy> copy(Kind kind, Authority authority) {
    return reader.read(
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

  public Optional<Instant> lastStart(DomainName domain) {
    return lastStart(
        "SELECT max(started_at) FROM crawl_log WHERE domain_id ="
            + " (SELECT id FROM domains WHERE domain = ?) HAVING count(*) > 0",
        domain.name());
  }

  public Optional<Instant> lastStartOfSource(String source) {
    return lastStart(
        "SELECT last_start_at FROM sources WHERE name = ? AND last_start_at IS NOT NULL", source);
  }

  private Optional<Instant> lastStart(String query, String name) {
    return reader.read(sql -> sql.first(query, row -> Instant.ofEpochMilli(row.getLong(1)), name));
  }

  /** Domains that are set aside and not kept from this run. */
  public List<String> damaged(long run, int limit) {
    return reader.read(
        sql ->
            sql.list(
                """
                SELECT domain FROM domains INDEXED BY domains_damaged
                WHERE damage IS NOT NULL AND spent_run_id IS NOT ? ORDER BY domain LIMIT ?
                """,
                row -> row.getString(1),
                run,
                limit));
  }

  /** How many URLs of the run's domains are set aside, since processes died while asking them. */
  public long urlsSetAside(long run) {
    return reader.read(
        sql ->
            sql.number(
                """
                SELECT coalesce(sum(d.urls_set_aside), 0) FROM domains d
                WHERE d.urls_set_aside > 0 AND (d.spent_run_id IS NOT ?1
                  OR EXISTS (SELECT 1 FROM jobs j WHERE j.domain_id = d.id AND j.run_id = ?1))
                """,
                run));
  }
}
