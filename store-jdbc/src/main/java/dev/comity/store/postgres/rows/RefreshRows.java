package dev.comity.store.postgres.rows;

import dev.comity.core.port.store.PageHint;
import dev.comity.core.schedule.DomainRefresh;
import dev.comity.core.schedule.DueReason;
import dev.comity.core.schedule.PageVisits;
import dev.comity.core.schedule.RefreshPrice;
import dev.comity.core.trap.Traps;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.refresh.DueDomains;
import dev.comity.store.refresh.RefreshText;
import dev.comity.store.refresh.VisitColumns;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which pages are due and when domains are. The rows of the domains are locked by the caller. */
public final class RefreshRows {
  /**
   * SQL: which exhausted domains {@code d} are due. Followed by the run and the time. Best yield
   * first, then the oldest.
   */
  public static final String DUE =
      """
       FROM domains d WHERE d.status = 'exhausted' AND d.spent_run_id IS DISTINCT FROM ?
        AND d.next_crawl_after <= ? AND d.claimed_by IS NULL AND d.damage IS NULL AND d.paused = 0
      """;

  public static final String DUE_ORDER = " ORDER BY d.refresh_yield DESC, d.next_crawl_after";

  private RefreshRows() {}

  /** What is kept of a domain; before it was crawled to its end, it counts from its last crawl. */
  public static DomainRefresh of(PostgresSession tx, long domain, Instant at) {
    return new DueDomains(tx.sql).of(domain, at.toEpochMilli());
  }

  /** Whether pages of a domain may be made due that is claimed for something else. */
  public static boolean mayBegin(PostgresSession tx, long domain) {
    return new DueDomains(tx.sql).mayBegin(domain, tx.now());
  }

  /**
   * Puts pages that are due into the queue of a domain, as many as its budget allows; returns how
   * many more it allows.
   */
  public static long requeue(PostgresSession tx, long domain) {
    record Asked(double visits, long pages) {}
    Instant at = Instant.ofEpochMilli(tx.now());
    DomainRefresh before = of(tx, domain, at);
    Asked asked =
        tx.sql
            .first(
                """
                SELECT coalesce(sum(86400000.0
                    / greatest(due_at - visited_at::bigint * 1000, 3600000)), 0)::float8, count(*)
                FROM domain_frontier
                WHERE domain_id = ? AND state = 1 AND kind = 0 AND due_at IS NOT NULL
                  AND visited_at IS NOT NULL
                """,
                row -> new Asked(row.optionalReal(1).orElse(0.0), row.getLong(2)),
                domain)
            .orElseThrow();
    new DueDomains(tx.sql)
        .write(domain, before.begun(at, asked.visits(), RefreshPrice.budget(asked.pages())));
    long most = before.allowance(at, asked.pages());
    int moved =
        tx.sql.update(
            """
            UPDATE domain_frontier SET state = 0, due_at = NULL, due_why = NULL, tries_spent = 0,
              place = CASE WHEN place >= 32768 THEN place - 65536 ELSE place END
            WHERE domain_id = ? AND id IN (SELECT f.id FROM domain_frontier f
              WHERE f.domain_id = ? AND f.state = 1 AND f.due_at <= ? ORDER BY f.due_at LIMIT ?)
            """,
            domain,
            domain,
            tx.now(),
            most);
    queued(tx, domain, moved);
    return most - moved;
  }

  /** So many pages of a domain that were done are queued. */
  private static void queued(PostgresSession tx, long domain, int moved) {
    tx.sql.update(
        "UPDATE domains SET urls_done = urls_done - ?, frontier_size = frontier_size + ?,"
            + " version = version + 1 WHERE id = ?",
        moved,
        moved,
        domain);
  }

  /**
   * Sets when exhausted domains are due: with their first pages, and never at once again. Their
   * first ends are kept, see {@link DueDomains#schedule}.
   */
  public static void schedule(PostgresSession tx, Collection<Long> exhausted) {
    if (exhausted.isEmpty()) {
      return;
    }
    List<Long> ids = new ArrayList<>();
    List<Long> dates = new ArrayList<>();
    List<String> states = new ArrayList<>();
    tx.sql.each(
        """
        SELECT d.id, d.refresh_state, coalesce(d.last_crawled_at, ?), f.due_at
        FROM domains d CROSS JOIN LATERAL (SELECT p.due_at FROM domain_frontier p
          WHERE p.domain_id = d.id AND p.state = 1 AND p.due_at IS NOT NULL
          ORDER BY p.due_at LIMIT 1) f
        WHERE d.id = ANY (?)
        """,
        row -> {
          DomainRefresh known =
              RefreshText.read(
                  row.optionalText(2).orElse(null), Instant.ofEpochMilli(row.getLong(3)));
          ids.add(row.getLong(1));
          dates.add(known.next(Instant.ofEpochMilli(row.getLong(4))).toEpochMilli());
          states.add(RefreshText.of(known));
        },
        tx.now(),
        tx.longs(exhausted));
    if (!ids.isEmpty()) {
      tx.sql.update(
          """
          UPDATE domains d SET next_crawl_after = u.at, refresh_yield = coalesce(image_yield_rate, 0),
            refresh_state = coalesce(refresh_state, u.state), version = version + 1
          FROM unnest(?::bigint[], ?::bigint[], ?::text[]) AS u(id, at, state)
          WHERE d.id = u.id AND d.status = 'exhausted'
          """,
          tx.longs(ids),
          tx.longs(dates),
          tx.texts(states));
    }
  }

  private record KnownPage(long id, PageVisits visits) {}

  /**
   * Makes pages of a domain due of which its site says that they changed, as far as trusted.
   * Returns how many are queued at once.
   *
   * @param most how many may be; the others wait for the next refresh
   */
  public static int hint(PostgresSession tx, long domain, List<PageHint> hints, long most) {
    Map<CrawlUrl, KnownPage> known = known(tx, domain, hints);
    if (known.isEmpty()) {
      return 0;
    }
    List<Long> now = new ArrayList<>();
    DomainRefresh refresh = of(tx, domain, Instant.ofEpochMilli(tx.now()));
    long outstanding =
        tx.sql.number(
            "SELECT count(*) FROM domain_frontier WHERE domain_id = ? AND hint = 1", domain);
    List<Long> ids = new ArrayList<>();
    List<Integer> heeds = new ArrayList<>();
    for (PageHint hint : hints) {
      @Nullable KnownPage page = known.remove(hint.url());
      if (page == null) {
        continue;
      }
      PageVisits.Hint heeded =
          refresh.heeds(page.visits(), Traps.templateOf(hint.url()), hint.modified(), outstanding);
      if (heeded != page.visits().hint()) {
        boolean followed = heeded == PageVisits.Hint.FOLLOWED;
        outstanding += followed ? 1 : 0;
        ids.add(page.id());
        heeds.add(followed ? 1 : 2);
        if (followed && now.size() < most) {
          now.add(page.id());
        }
      }
    }
    if (!ids.isEmpty()) {
      tx.sql.update(
          """
          UPDATE domain_frontier f SET hint = u.hint,
            due_at = CASE WHEN u.hint = 1 THEN least(f.due_at, ?) ELSE f.due_at END,
            due_why = CASE WHEN u.hint = 1 THEN ? ELSE f.due_why END
          FROM unnest(?::bigint[], ?::int[]) AS u(id, hint)
          WHERE f.domain_id = ? AND f.id = u.id
          """,
          tx.now(),
          DueReason.HINT.number(),
          tx.longs(ids),
          tx.numbers(heeds),
          domain);
    }
    if (!now.isEmpty()) {
      queued(
          tx,
          domain,
          tx.sql.update(
              """
              UPDATE domain_frontier SET state = 0, due_at = NULL, due_why = NULL, tries_spent = 0,
                place = CASE WHEN place >= 32768 THEN place - 65536 ELSE place END
              WHERE domain_id = ? AND id = ANY (?) AND state = 1
              """,
              domain,
              tx.longs(now)));
    }
    return now.size();
  }

  /** Pages of a domain that are done and have a date. */
  private static Map<CrawlUrl, KnownPage> known(
      PostgresSession tx, long domain, List<PageHint> hints) {
    Map<UUID, CrawlUrl> urls = new HashMap<>();
    hints.forEach(hint -> urls.put(UrlHash.of(hint.url()), hint.url()));
    Map<CrawlUrl, KnownPage> known = new HashMap<>();
    tx.sql.each(
        """
        SELECT f.visited_at, f.fingerprint, f.changes, f.missing_since, f.etag, f.last_modified,
          f.hint, f.id, f.url_hash
        FROM domain_frontier f WHERE f.domain_id = ? AND f.url_hash = ANY (?) AND f.state = 1
          AND f.due_at IS NOT NULL
        """,
        row -> {
          Optional<PageVisits> visits = VisitColumns.read(row, 1);
          CrawlUrl url = urls.get(UUID.fromString(row.getString(9)));
          if (visits.isPresent() && url != null) {
            known.put(url, new KnownPage(row.getLong(8), visits.get()));
          }
        },
        domain,
        tx.hashes(List.copyOf(urls.keySet())));
    return known;
  }
}
