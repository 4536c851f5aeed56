package dev.comity.store.backfill;

import dev.comity.core.policy.DomainState;
import dev.comity.store.StoreSettings;
import dev.comity.store.crawl.FrontierCodes;
import dev.comity.store.order.Priorities;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.rows.DomainReadiness;
import dev.comity.store.postgres.rows.RefreshRows;
import dev.comity.store.postgres.rows.UrlHash;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Transitions;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A server that takes over what other programs crawled, while workers are at work. A transaction
 * holds one domain and at most one portion of its URLs, so that it never waits for another in a
 * circle. A domain that a worker holds is left out.
 */
public final class PostgresHistory implements HistoryStore {
  private static final String HOLDER = "backfill";

  private final PostgresSession tx;
  private final StoreSettings settings;
  private final Priorities priorities = new Priorities();
  private @Nullable OpenDomain open;
  private boolean began;

  /**
   * The domain that URLs are taken for.
   *
   * @param closed whether it is new and closed: what failed waits for the end of its cooldown
   */
  private record OpenDomain(long id, PastDomain past, boolean closed) {}

  private PostgresHistory(PostgresSession tx, StoreSettings settings) {
    this.tx = tx;
    this.settings = settings;
  }

  /** Opens a database, making its tables where there are none. */
  public static PostgresHistory open(PostgresDatabase database, StoreSettings settings) {
    database.migrate();
    try {
      PostgresSession session = new PostgresSession(database);
      // Losing the last moments costs a second backfill, which adds what is missing.
      session.sql.execute("SET synchronous_commit = off");
      return new PostgresHistory(session, settings);
    } catch (SQLException failed) {
      throw PostgresDatabase.unusable("the database cannot be opened", failed);
    }
  }

  @Override
  public boolean knows(String domain) {
    begin();
    boolean known = tx.sql.exists("SELECT 1 FROM domains WHERE domain = ?", domain);
    commit();
    return known;
  }

  /** The transaction goes on until the first portion of URLs is written, or the end. */
  @Override
  public Opened open(PastDomain past, String origin) {
    begin();
    boolean made =
        tx.sql.update(
                """
                INSERT INTO domains (domain, parent_domain, first_seen_at, updated_at, claimable_at)
                VALUES (?, ?, ?, ?, NULL) ON CONFLICT (domain) DO NOTHING
                """,
                past.name().name(),
                past.name().registrable().name(),
                tx.now(),
                tx.now())
            == 1;
    record Row(long id, boolean held, boolean damaged) {}
    Row row =
        tx.sql
            .first(
                """
                SELECT id, claimed_by IS NOT NULL, damage IS NOT NULL OR reset_by_hand = 1
                FROM domains WHERE domain = ? FOR NO KEY UPDATE
                """,
                found -> new Row(found.getLong(1), found.getBoolean(2), found.getBoolean(3)),
                past.name().name())
            .orElseThrow();
    if (row.held() || row.damaged()) {
      commit();
      return row.held() ? Opened.HELD : Opened.DAMAGED;
    }
    open = new OpenDomain(row.id(), past, made && past.closed().isPresent());
    if (made) {
      countSubdomain(past);
      make(row.id(), past, origin);
    }
    DomainReadiness.fold(tx, List.of(row.id()));
    count(row.id(), past);
    return made ? Opened.NEW : Opened.KNOWN;
  }

  private void countSubdomain(PastDomain past) {
    if (!past.name().name().equals(past.name().owner())) {
      tx.sql.update(
          """
          INSERT INTO subdomains (owner, known) VALUES (?, 1)
          ON CONFLICT (owner) DO UPDATE SET known = subdomains.known + 1
          """,
          past.name().owner());
    }
  }

  /** As if a claim had been held when the domain was last asked. */
  private void make(long id, PastDomain past, String origin) {
    DomainState state =
        settings
            .policy()
            .crawledBefore(
                past.last().orElse(Instant.ofEpochMilli(tx.now())), past.served(), past.closed());
    tx.sql.update(
        "UPDATE domains SET claim_token = 1, source = ?, " + StateColumns.SET + " WHERE id = ?",
        StateColumns.and(
            new @Nullable Object[] {origin}, StateColumns.values(state, tx.now(), id)));
    tx.sql.update(
        """
        INSERT INTO transitions (domain_id, token, from_status, to_status, door, reason, worker, at)
        VALUES (?, 1, 'pending', 'active', 'claim', ?, ?, ?)
        """,
        id,
        origin,
        HOLDER,
        tx.now());
    Transitions.write(
        tx.sql,
        id,
        new Transitions.StatusChange(
            "active", StateColumns.status(state.standing().status()), "holder", origin),
        tx.now());
  }

  /** Counters only grow, and what is not in our log counts as pruned from it. */
  private void count(long id, PastDomain past) {
    tx.sql.update(
        """
        UPDATE domains SET
          pruned_requests = pruned_requests + greatest(0, p.requests - domains.requests),
          requests = greatest(domains.requests, p.requests),
          pruned_page_requests = pruned_page_requests + greatest(0, p.requests - page_requests),
          page_requests = greatest(page_requests, p.requests),
          pruned_errors = pruned_errors + greatest(0, p.errors - total_error_count),
          total_error_count = greatest(total_error_count, p.errors),
          images_found = greatest(images_found, p.found),
          images_stored = greatest(images_stored, p.stored),
          first_seen_at = least(first_seen_at, p.first),
          last_crawled_at = greatest(last_crawled_at, p.last),
          updated_at = p.at, version = version + 1
        FROM (SELECT ?::bigint AS requests, ?::bigint AS errors, ?::bigint AS found,
          ?::bigint AS stored, ?::bigint AS first, ?::bigint AS last, ?::bigint AS at) p
        WHERE id = ?
        """,
        past.requests(),
        past.errors(),
        past.imagesFound(),
        past.imagesStored(),
        past.first().map(Instant::toEpochMilli).orElse(tx.now()),
        past.last().map(Instant::toEpochMilli).orElse(null),
        tx.now(),
        id);
  }

  @Override
  public UrlsTaken take(List<PastUrl> urls) {
    OpenDomain domain = opened();
    if (!began) {
      begin();
      if (!tx.sql.exists(
          "SELECT 1 FROM domains WHERE id = ? AND claimed_by IS NULL FOR NO KEY UPDATE",
          domain.id())) {
        // A worker took it meanwhile; the next backfill adds these.
        commit();
        return UrlsTaken.NONE;
      }
    }
    UrlsTaken taken = insert(domain, urls);
    tx.sql.update(
        """
        UPDATE domains SET pages_discovered = pages_discovered + ?,
          pages_crawled = pages_crawled + ?, urls_done = urls_done + ?,
          urls_failed = urls_failed + ?, frontier_size = frontier_size + ?,
          frontier_updated_at = ?, version = version + 1 WHERE id = ?
        """,
        taken.pages() + taken.failed() + taken.queued(),
        taken.pages(),
        taken.pages(),
        taken.failed(),
        taken.queued(),
        tx.now(),
        domain.id());
    RefreshRows.schedule(tx, List.of(domain.id()));
    if (taken.queued() > 0 && !domain.closed()) {
      wake(domain.id());
    }
    priorities.recalculate(tx.sql, domain.id(), tx.now());
    commit();
    return taken;
  }

  private UrlsTaken insert(OpenDomain domain, List<PastUrl> urls) {
    long room =
        settings.limits().maxUnfinished()
            - tx.sql.number("SELECT frontier_size FROM domains WHERE id = ?", domain.id());
    Map<UUID, PastUrl> wanted = new TreeMap<>();
    long noRoom = 0;
    long waiting = 0;
    for (PastUrl url : urls) {
      boolean waits = waits(domain, url);
      if (waits && waiting >= room) {
        noRoom++;
      } else {
        waiting += waits ? 1 : 0;
        wanted.put(UrlHash.of(url.url()), url);
      }
    }
    Map<Long, PastUrl> entered = enter(domain, wanted);
    long pages = entered.values().stream().filter(url -> url.page().isPresent()).count();
    long queued = entered.values().stream().filter(url -> waits(domain, url)).count();
    pages(domain, entered);
    return new UrlsTaken(
        pages, queued, entered.size() - pages - queued, wanted.size() - entered.size(), noRoom);
  }

  private static boolean waits(OpenDomain domain, PastUrl url) {
    return url.page().isEmpty() && (url.requests() == 0 || domain.closed());
  }

  /** New URLs by their numbers. */
  private Map<Long, PastUrl> enter(OpenDomain domain, Map<UUID, PastUrl> wanted) {
    List<List<@Nullable Object>> columns = new ArrayList<>();
    for (int column = 0; column < 8; column++) {
      columns.add(new ArrayList<>());
    }
    for (PastUrl url : wanted.values()) {
      int state = url.page().isPresent() ? 1 : waits(domain, url) ? 0 : 2;
      int depth = domain.past().start().equals(Optional.of(url.url().toString())) ? 0 : 1;
      PastDates dates = PastDates.of(url, tx.now());
      List<@Nullable Object> row =
          Arrays.asList(
              (long) state,
              (long) (state == 0 && url.requests() > 0 ? depth + FrontierCodes.TRIED : depth),
              (long) depth,
              (long) url.requests(),
              dates.discovered(),
              dates.due(),
              dates.visited(),
              dates.missing());
      for (int column = 0; column < row.size(); column++) {
        columns.get(column).add(row.get(column));
      }
    }
    Map<Long, PastUrl> entered = new TreeMap<>();
    tx.sql.each(
        """
        INSERT INTO domain_frontier (id, domain_id, url_hash, url, state, place, depth, asked,
          discovered_at, due_at, visited_at, missing_since)
        SELECT nextval('url_ids'), ?, u.hash, u.url, u.state, u.place, u.depth, u.asked,
          u.discovered, u.due, u.visited, u.missing
        FROM unnest(?::uuid[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[],
            ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
          AS u(hash, url, state, place, depth, asked, discovered, due, visited, missing)
        ORDER BY u.hash ON CONFLICT (domain_id, url_hash) DO NOTHING RETURNING id, url_hash
        """,
        row -> {
          PastUrl url = wanted.get(UUID.fromString(row.getString(2)));
          if (url != null) {
            entered.put(row.getLong(1), url);
          }
        },
        domain.id(),
        tx.hashes(List.copyOf(wanted.keySet())),
        tx.texts(wanted.values().stream().map(url -> url.url().toString()).toList()),
        tx.numbers(columns.get(0)),
        tx.numbers(columns.get(1)),
        tx.numbers(columns.get(2)),
        tx.numbers(columns.get(3)),
        tx.numbers(columns.get(4)),
        tx.numbers(columns.get(5)),
        tx.numbers(columns.get(6)),
        tx.numbers(columns.get(7)));
    return entered;
  }

  private void pages(OpenDomain domain, Map<Long, PastUrl> entered) {
    List<Long> ids = new ArrayList<>();
    List<Long> statuses = new ArrayList<>();
    List<Long> times = new ArrayList<>();
    entered.forEach(
        (id, url) ->
            url.page()
                .ifPresent(
                    page -> {
                      ids.add(id);
                      statuses.add((long) page.status());
                      times.add(PastDates.at(page, tx.now()).toEpochMilli());
                    }));
    tx.sql.update(
        """
        INSERT INTO pages (id, run_id, url_id, domain_id, status, bytes, started_at, total_ms)
        SELECT -u.id, 0, u.id, ?, u.status, 0, u.at, 0
        FROM unnest(?::bigint[], ?::bigint[], ?::bigint[]) AS u(id, status, at)
        """,
        domain.id(),
        tx.longs(ids),
        tx.longs(statuses),
        tx.longs(times));
  }

  /** An exhausted domain with URLs that wait is pending; any other is claimable. */
  private void wake(long id) {
    Optional<DomainState> exhausted =
        tx.sql
            .first(
                "SELECT domain, policy_state FROM domains WHERE id = ? AND status = 'exhausted'",
                row -> Stored.state(row.getString(1), row.getString(2), "exhausted", false),
                id)
            .flatMap(Stored::value);
    if (exhausted.isPresent()) {
      Transitions.write(tx.sql, id, Transitions.StatusChange.ARRIVAL, tx.now());
      tx.sql.update(
          "UPDATE domains SET " + StateColumns.SET + " WHERE id = ?",
          StateColumns.values(settings.policy().arrival(exhausted.get()), tx.now(), id));
    }
    DomainReadiness.set(tx, List.of(id));
  }

  @Override
  public void end() {
    if (began) {
      // It had no URLs.
      priorities.recalculate(tx.sql, opened().id(), tx.now());
      commit();
    }
    open = null;
  }

  private OpenDomain opened() {
    if (open == null) {
      throw new IllegalStateException("no domain is open");
    }
    return open;
  }

  private void begin() {
    try {
      tx.begin();
      tx.at(tx.sql.number("SELECT comity_millis()"));
      began = true;
    } catch (SQLException failed) {
      throw PostgresDatabase.unusable("no transaction can begin", failed);
    }
  }

  @Override
  public void commit() {
    try {
      if (began) {
        tx.commit();
      }
      began = false;
    } catch (SQLException failed) {
      throw PostgresDatabase.unusable("the domain cannot be written", failed);
    }
  }

  @Override
  public void close() {
    tx.close();
  }
}
