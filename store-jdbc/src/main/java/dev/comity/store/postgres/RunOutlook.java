package dev.comity.store.postgres;

import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.Wanted;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.connect.WorkerRows;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is left of a run: domains to claim, and pages and images of its budgets. */
record RunOutlook(RunRows runs) {
  private static final String OWN =
      "EXISTS (SELECT 1 FROM run_domains m WHERE m.run_id = c.id AND m.domain_id = d.id)";

  /** Without a run, all domains are taken. */
  private static final String OF_RUN =
      " AND EXISTS (SELECT 1 FROM (SELECT ?::bigint AS id) w LEFT JOIN crawl_runs c ON c.id = w.id"
          + " WHERE (c.id IS NULL OR ";

  /** A refresh of all goes on with domains that an earlier one left with pages to visit. */
  private static final String LEFT_BY_REFRESH =
      "c.confined = 2 AND EXISTS (SELECT 1 FROM crawl_runs r WHERE r.id = d.last_crawl_run_id"
          + " AND r.refresh = 1)";

  /** SQL: whether the run of this parameter has a domain {@code d}. */
  static final String TAKES = OF_RUN + "c.confined = 0 OR " + OWN + " OR " + LEFT_BY_REFRESH + "))";

  /** SQL: the same of a domain that is due. */
  static final String TAKES_DUE = OF_RUN + "c.confined <> 1 OR " + OWN + "))";

  /** SQL: the same of domains that the run asks for images alone. */
  private static final String TAKES_HOSTS =
      OF_RUN
          + "c.confined = 0 OR "
          + OWN
          + " OR "
          + LEFT_BY_REFRESH
          + """
           OR EXISTS (SELECT 1 FROM crawl_run_image_hosts h
              WHERE h.run_id = c.id AND h.domain_id = d.id) AND EXISTS (
                SELECT 1 FROM domain_frontier f
                WHERE f.domain_id = d.id AND f.state = 0 AND f.kind = 3)))
          """;

  /**
   * What a worker without a claim can expect, after a sweep of expired claims and arrivals.
   *
   * @param now by the worker's clock
   */
  Outlook outlook(PostgresSession tx, Instant now, Wanted wanted) {
    if (!runs.isOpen(tx)) {
      return new Outlook.Nothing();
    }
    Optional<Instant> next =
        next(tx, wanted).map(time -> now.plusMillis(Math.max(0, time - tx.now())));
    // A sweep passes over rows that others have locked, so that these may be claimable at once.
    long held =
        tx.sql.number("SELECT count(*) FROM domains WHERE claimed_by IS NOT NULL")
            + tx.sql.number(
                """
                SELECT count(DISTINCT d.id) FROM arrivals a JOIN domains d ON d.id = a.domain_id
                WHERE d.claimed_by IS NULL AND d.status = 'exhausted' AND d.reset_by_hand = 0
                """);
    if (held > 0) {
      return new Outlook.Others((int) held, next);
    }
    if (next.isPresent()) {
      return new Outlook.At(next.get());
    }
    return tx.sql.exists(
            """
            SELECT 1 FROM domains d WHERE status IN ('pending', 'active') AND paused = 1
              AND spent_run_id IS NULL AND damage IS NULL AND reset_by_hand = 0
              AND (status = 'active' OR frontier_elsewhere > 0 OR EXISTS (
                SELECT 1 FROM domain_frontier f WHERE f.domain_id = d.id AND f.state = 0))
            """
                + TAKES,
            runs.id())
        ? new Outlook.OnlyPaused()
        : new Outlook.Nothing();
  }

  /** When the next domain may be claimed. */
  private Optional<Long> next(PostgresSession tx, Wanted wanted) {
    boolean ready =
        tx.sql.exists(
            """
            SELECT 1 FROM domains d WHERE claimable_at = 0 AND claimed_by IS NULL
              AND damage IS NULL AND paused = 0
            """
                + with(wanted)
                + " LIMIT 1",
            runs.id());
    return ready
        ? Optional.of(tx.now())
        : tx.sql.first(
            "SELECT claimable_at FROM domains d WHERE claimable_at > 0 AND claimed_by IS NULL"
                + " AND paused = 0"
                + with(wanted)
                + " ORDER BY claimable_at LIMIT 1",
            row -> row.getLong(1),
            runs.id());
  }

  /**
   * SQL: which candidates the run of this parameter has, with such work. What is spent may be
   * claimed for its images alone.
   */
  static String with(Wanted wanted) {
    return switch (wanted) {
      case ANY -> TAKES_HOSTS;
      // Images alone are no work.
      case PAGES ->
          TAKES
              + """
               AND d.spent_run_id IS NULL
               AND (d.frontier_elsewhere > 0 OR NOT EXISTS (SELECT 1 FROM domain_frontier f
                   WHERE f.domain_id = d.id AND f.state = 0 AND f.kind = 3)
                 OR EXISTS (SELECT 1 FROM domain_frontier f
                   WHERE f.domain_id = d.id AND f.state = 0 AND f.kind <> 3))
              """;
      case IMAGES ->
          TAKES_HOSTS
              + " AND EXISTS (SELECT 1 FROM domain_frontier f WHERE f.domain_id = d.id"
              + " AND f.state = 0 AND f.kind = 3)";
    };
  }

  /** Whether another worker holds a domain with a lease that ends after this time. */
  static boolean isHeldByOthers(PostgresSession tx, String worker, long time) {
    return tx.sql.exists(
        """
        SELECT 1 FROM domains WHERE claimed_by IS NOT NULL AND claimed_by <> ?
          AND claim_expires_at > ? LIMIT 1
        """,
        worker,
        time);
  }

  /** Draws pages or images of the budget, or gives them back if negative. */
  Portion draw(PostgresSession tx, String worker, BudgetKind budget, long wanted) {
    long left =
        tx.sql
            .first(
                "SELECT %s - %s FROM crawl_runs WHERE id = ? FOR UPDATE"
                    .formatted(budget.most, budget.allotted),
                row -> row.getLong(1),
                runs.id())
            .orElse(Long.MAX_VALUE);
    int workers = (int) WorkerRows.live(tx);
    long granted = wanted < 0 ? wanted : Math.min(wanted, Portion.size(left, workers));
    for (String table : List.of("crawl_runs", "workers")) {
      tx.sql.update(
          "UPDATE %1$s SET %2$s = %2$s + ? WHERE id = ?".formatted(table, budget.allotted),
          granted,
          table.equals("workers") ? worker : (Object) runs.id());
    }
    boolean spent =
        left - granted <= 0 && granted == 0 && !isHeldByOthers(tx, worker, Long.MIN_VALUE);
    return new Portion(granted, spent);
  }

  /** What is drawn. */
  enum BudgetKind {
    PAGES("max_pages", "allotted"),
    IMAGES("max_images", "images_allotted");

    private final String most;
    private final String allotted;

    BudgetKind(String most, String allotted) {
      this.most = most;
      this.allotted = allotted;
    }
  }
}
