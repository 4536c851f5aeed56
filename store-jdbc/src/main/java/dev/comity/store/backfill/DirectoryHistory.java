package dev.comity.store.backfill;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.DataDirectory;
import dev.comity.store.DirectoryInUse;
import dev.comity.store.StoreSettings;
import dev.comity.store.StoreUnusable;
import dev.comity.store.crawl.DomainRows;
import dev.comity.store.crawl.FrontierCodes;
import dev.comity.store.order.Priorities;
import dev.comity.store.refresh.DueDomains;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.UrlKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A data directory that takes over what other programs crawled. No crawl may have it meanwhile. A
 * request that is not in the directory's own log counts as pruned from it, so that counters and log
 * still agree. A page has a row of its own as any other has, in no run and with a number below 0.
 */
public final class DirectoryHistory implements HistoryStore {
  /** Rows between two commits. */
  private static final int BATCH = 5000;

  /** The worker that is said to have held a domain which another program crawled. */
  private static final String HOLDER = "backfill";

  private final DataDirectory.Hold hold;
  private final Statements sql;
  private final StoreSettings settings;
  private final Priorities priorities;
  private final DomainRows domains;
  private final UrlKey keys = new UrlKey();
  private final long now;
  private @Nullable OpenDomain open;
  private int uncommitted;

  /**
   * The domain that URLs are taken for.
   *
   * @param closed whether it is new and closed: what failed waits for the end of its cooldown
   */
  private record OpenDomain(
      long id, PastDomain past, boolean closed, Map<String, Integer> authorities) {}

  private DirectoryHistory(
      DataDirectory.Hold hold, Statements sql, StoreSettings settings, long now) {
    this.hold = hold;
    this.sql = sql;
    this.settings = settings;
    this.now = now;
    priorities = Priorities.asItIs(sql);
    domains = new DomainRows(sql, settings.policy(), priorities);
    sql.execute("BEGIN IMMEDIATE");
  }

  /**
   * Opens a directory, making it where there is none.
   *
   * @throws DirectoryInUse if a crawl has it
   * @throws StoreUnusable if it cannot be used as it is
   */
  public static DirectoryHistory open(DataDirectory directory, StoreSettings settings) {
    Schema.upgrade(directory);
    DataDirectory.Hold hold = directory.hold();
    try {
      return new DirectoryHistory(
          hold,
          new Statements(directory.writing()),
          settings,
          settings.clock().instant().toEpochMilli());
    } catch (RuntimeException failed) {
      hold.close();
      throw failed;
    }
  }

  @Override
  public boolean knows(String domain) {
    return sql.exists("SELECT 1 FROM domains WHERE domain = ?", domain);
  }

  @Override
  public Opened open(PastDomain past, String origin) {
    record Row(long id, boolean damaged) {}
    Optional<Row> known =
        sql.first(
            "SELECT id, damage IS NOT NULL OR reset_by_hand = 1 FROM domains WHERE domain = ?",
            row -> new Row(row.getLong(1), row.getBoolean(2)),
            past.name().name());
    if (known.isPresent() && known.get().damaged()) {
      return Opened.DAMAGED;
    }
    long id = known.isPresent() ? known.get().id() : domains.id(past.name(), now);
    open = new OpenDomain(id, past, known.isEmpty() && past.closed().isPresent(), new HashMap<>());
    if (known.isEmpty()) {
      begin(id, past, origin);
    }
    count(id, past);
    written(1);
    return known.isPresent() ? Opened.KNOWN : Opened.NEW;
  }

  /** As if a claim had been held when the domain was last asked. */
  private void begin(long id, PastDomain past, String origin) {
    DomainState state =
        settings
            .policy()
            .crawledBefore(
                past.last().orElse(Instant.ofEpochMilli(now)), past.served(), past.closed());
    DomainStatus status = state.standing().status();
    sql.update(
        "UPDATE domains SET claim_token = 1, source = ?, " + StateColumns.SET + " WHERE id = ?",
        StateColumns.and(new @Nullable Object[] {origin}, StateColumns.values(state, now, id)));
    sql.update(
        """
        INSERT INTO transitions (domain_id, token, from_status, to_status, door, reason, worker, at)
        VALUES (?1, 1, 'pending', 'active', 'claim', ?2, ?3, ?4),
          (?1, 1, 'active', ?5, 'holder', ?2, NULL, ?4)
        """,
        id,
        origin,
        HOLDER,
        now,
        StateColumns.status(status));
  }

  /** Counters only grow, and what is not in our log counts as pruned from it. */
  private void count(long id, PastDomain past) {
    sql.update(
        """
        UPDATE domains SET
          pruned_requests = pruned_requests + max(0, ?1 - requests),
          requests = max(requests, ?1),
          pruned_page_requests = pruned_page_requests + max(0, ?1 - page_requests),
          page_requests = max(page_requests, ?1),
          pruned_errors = pruned_errors + max(0, ?2 - total_error_count),
          total_error_count = max(total_error_count, ?2),
          images_found = max(images_found, ?3),
          images_stored = max(images_stored, ?4 - (SELECT coalesce(sum(c.images_stored), 0)
            FROM credits c WHERE c.domain_id = domains.id)),
          first_seen_at = min(first_seen_at, ?5),
          last_crawled_at = nullif(max(coalesce(last_crawled_at, 0), ?6), 0),
          updated_at = ?7, version = version + 1
        WHERE id = ?8
        """,
        past.requests(),
        past.errors(),
        past.imagesFound(),
        past.imagesStored(),
        past.first().map(Instant::toEpochMilli).orElse(now),
        past.last().map(Instant::toEpochMilli).orElse(0L),
        now,
        id);
  }

  @Override
  public UrlsTaken take(List<PastUrl> urls) {
    OpenDomain domain = opened();
    long room =
        settings.limits().maxUnfinished()
            - sql.number("SELECT frontier_size FROM domains WHERE id = ?", domain.id());
    UrlsTaken taken = UrlsTaken.NONE;
    for (PastUrl url : urls) {
      taken = taken.and(take(domain, url, room - taken.queued()));
    }
    sql.update(
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
        now,
        domain.id());
    new DueDomains(sql).schedule(domain.id(), now);
    if (taken.queued() > 0) {
      domains.wake(domain.id(), now);
    }
    written(urls.size());
    return taken;
  }

  private UrlsTaken take(OpenDomain domain, PastUrl url, long room) {
    boolean waits = url.page().isEmpty() && (url.requests() == 0 || domain.closed());
    if (waits && room <= 0) {
      return new UrlsTaken(0, 0, 0, 0, 1);
    }
    int state = url.page().isPresent() ? 1 : waits ? 0 : 2;
    OptionalLong id = insert(domain, url, state);
    if (id.isEmpty()) {
      return new UrlsTaken(0, 0, 0, 1, 0);
    }
    url.page().ifPresent(page -> insertPage(domain, page, id.getAsLong()));
    return new UrlsTaken(state == 1 ? 1 : 0, waits ? 1 : 0, state == 2 ? 1 : 0, 0, 0);
  }

  /** Empty for a URL that is known. */
  private OptionalLong insert(OpenDomain domain, PastUrl past, int state) {
    CrawlUrl url = past.url();
    String text = url.toString();
    String target = url.target();
    String name = text.substring(0, text.length() - target.length());
    int authority =
        domain
            .authorities()
            .computeIfAbsent(name, missing -> domains.authority(domain.id(), missing));
    boolean start = domain.past().start().equals(Optional.of(text));
    int depth = start ? 0 : 1;
    PastDates dates = PastDates.of(past, now);
    for (long key = keys.applyAsLong(url); ; key++) {
      Optional<Long> id =
          sql.first(
              """
              INSERT INTO domain_frontier (domain_id, authority_no, target, url_key, state, place,
                depth, asked, discovered_at, due_at, visited_at, missing_since)
              VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
              ON CONFLICT (domain_id, url_key) DO NOTHING RETURNING id
              """,
              row -> row.getLong(1),
              domain.id(),
              authority,
              target,
              key,
              state,
              state == 0 && past.requests() > 0 ? depth + FrontierCodes.TRIED : depth,
              depth,
              past.requests(),
              dates.discovered(),
              dates.due(),
              dates.visited(),
              dates.missing());
      if (id.isPresent()) {
        return OptionalLong.of(id.get());
      }
      if (sql.exists(
          "SELECT 1 FROM domain_frontier WHERE domain_id = ? AND url_key = ? AND target = ?"
              + " AND authority_no = ?",
          domain.id(),
          key,
          target,
          authority)) {
        return OptionalLong.empty();
      }
    }
  }

  private void insertPage(OpenDomain domain, PastUrl.PastPage page, long url) {
    sql.update(
        "INSERT INTO pages (id, run_id, url_id, domain_id, status, bytes, started_at, total_ms)"
            + " VALUES (?, 0, ?, ?, ?, 0, ?, 0)",
        -url,
        url,
        domain.id(),
        page.status(),
        PastDates.at(page, now).toEpochMilli());
  }

  private OpenDomain opened() {
    if (open == null) {
      throw new IllegalStateException("no domain is open");
    }
    return open;
  }

  @Override
  public void end() {
    priorities.recalculate(sql, opened().id(), now);
    open = null;
  }

  private void written(int rows) {
    uncommitted += rows;
    if (uncommitted >= BATCH) {
      commit();
    }
  }

  @Override
  public void commit() {
    uncommitted = 0;
    sql.execute("COMMIT");
    sql.execute("BEGIN IMMEDIATE");
  }

  @Override
  public void close() {
    try (hold) {
      sql.rollBack();
      sql.close();
    }
  }
}
