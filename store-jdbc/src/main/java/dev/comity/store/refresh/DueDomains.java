package dev.comity.store.refresh;

import dev.comity.core.schedule.DomainRefresh;
import dev.comity.core.schedule.RefreshPrice;
import dev.comity.store.sql.Statements;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes pages of exhausted domains due, and sets the domains' dates. Runs in the writer's thread.
 */
public record DueDomains(Statements sql) {
  /**
   * Which exhausted domains are due: those of the run's list, or all where it has none. Best yield
   * first, then the oldest. Followed by the run, the time, and a limit.
   */
  public static final String CANDIDATES =
      """
       FROM domains INDEXED BY domains_refresh
      WHERE status = 'exhausted' AND spent_run_id IS NOT ?1 AND next_crawl_after <= ?2
        AND claimed_by IS NULL AND damage IS NULL AND paused = 0
        AND (NOT EXISTS (SELECT 1 FROM reached) OR domain IN (SELECT domain FROM reached))
      ORDER BY coalesce(image_yield_rate, 0) DESC, next_crawl_after LIMIT ?3
      """;

  /** What is kept of a domain; before it was crawled to its end, it counts from its last crawl. */
  public DomainRefresh of(long domain, long now) {
    return sql.first(
            "SELECT refresh_state, coalesce(last_crawled_at, ?) FROM domains WHERE id = ?",
            row ->
                RefreshText.read(
                    row.optionalText(1).orElse(null), Instant.ofEpochMilli(row.getLong(2))),
            now,
            domain)
        .orElseGet(() -> DomainRefresh.first(Instant.ofEpochMilli(now)));
  }

  /** Writes what is kept of a domain. */
  public void write(long domain, DomainRefresh refresh) {
    sql.update(
        "UPDATE domains SET refresh_state = ?, version = version + 1 WHERE id = ?",
        RefreshText.of(refresh),
        domain);
  }

  /** Whether pages of a domain may be made due that is claimed for something else. */
  public boolean mayBegin(long domain, long now) {
    return of(domain, now).mayBegin(Instant.ofEpochMilli(now));
  }

  /**
   * Puts pages that are due into the queue of a domain, as many as its budget allows; returns how
   * many more it allows. The number of requests of a URL stays, because it numbers the log's rows.
   */
  public long requeue(long domain, long now) {
    Instant at = Instant.ofEpochMilli(now);
    DomainRefresh before = of(domain, now);
    record Asked(double visits, long pages) {}
    Asked asked =
        sql.first(
                """
                SELECT coalesce(sum(86400000.0 / max(due_at - visited_at * 1000, 3600000)), 0),
                  count(*)
                FROM domain_frontier
                WHERE domain_id = ? AND state = 1 AND kind = 0 AND due_at IS NOT NULL
                  AND visited_at IS NOT NULL
                """,
                row -> new Asked(row.optionalReal(1).orElse(0.0), row.getLong(2)),
                domain)
            .orElseThrow();
    long most = before.allowance(at, asked.pages());
    write(domain, before.begun(at, asked.visits(), RefreshPrice.budget(asked.pages())));
    return most
        - queue(
            domain,
            """
            SELECT id FROM domain_frontier INDEXED BY frontier_revisits
              WHERE domain_id = ? AND state = 1 AND due_at <= ? ORDER BY due_at LIMIT ?
            """,
            domain,
            now,
            most);
  }

  /** Queues pages of a domain that are done; the query selects their rows. Returns how many. */
  int queue(long domain, String query, @Nullable Object... values) {
    int moved =
        sql.update(
            """
            UPDATE domain_frontier SET state = 0, due_at = NULL, due_why = NULL, tries_spent = 0,
              place = CASE WHEN place >= 32768 THEN place - 65536 ELSE place END
            WHERE id IN (
            """
                + query
                + ")",
            values);
    sql.update(
        """
        UPDATE domains SET urls_done = urls_done - ?1, frontier_size = frontier_size + ?1,
          version = version + 1 WHERE id = ?2
        """,
        moved,
        domain);
    return moved;
  }

  /**
   * Sets when an exhausted domain is due: with its first page, and never at once again. Its first
   * end is kept: counted from its last crawl, a domain that gets URLs every hour would never be
   * due.
   */
  public void schedule(long domain, long now) {
    Optional<Long> due =
        sql.first(
            """
            SELECT due_at FROM domain_frontier INDEXED BY frontier_revisits
            WHERE domain_id = ? AND state = 1 AND due_at IS NOT NULL ORDER BY due_at LIMIT 1
            """,
            row -> row.getLong(1),
            domain);
    if (due.isPresent()) {
      DomainRefresh refresh = of(domain, now);
      sql.update(
          """
          UPDATE domains SET next_crawl_after = ?, refresh_state = coalesce(refresh_state, ?)
          WHERE id = ? AND status = 'exhausted'
          """,
          refresh.next(Instant.ofEpochMilli(due.get())).toEpochMilli(),
          RefreshText.of(refresh),
          domain);
    }
  }
}
