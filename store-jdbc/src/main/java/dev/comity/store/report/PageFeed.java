package dev.comity.store.report;

import dev.comity.store.SqlDialect;
import dev.comity.store.StoreLocation;
import dev.comity.store.sql.Statements;
import java.time.Instant;
import java.util.List;

/**
 * The pages of one run in the order in which they were settled, read beside the crawl. Pages of
 * runs that it continues come first. A page that is read here is durable. So an export continues
 * after the last number it has written, even after a kill.
 *
 * <p>In a data directory numbers of pages only grow. On a server several workers write, and
 * transactions end in another order than they began: there the order is that of transactions, and
 * none is read while an earlier one still runs. A page never comes before one that was read.
 */
public final class PageFeed implements AutoCloseable {
  private static final String OF_RUNS =
      """
      WITH RECURSIVE chain (id) AS (SELECT ? UNION ALL
        SELECT r.goes_on_from FROM crawl_runs r JOIN chain c ON r.id = c.id
        WHERE r.goes_on_from IS NOT NULL)
      """
          + StoreReader.PAGES
          + " WHERE p.run_id IN (SELECT id FROM chain) AND ";

  /** The transaction of the page of this number; 0 for none. */
  private static final String TRANSACTION =
      "coalesce((SELECT q.xid FROM pages q WHERE q.id = ?), '0'::xid8)";

  /** Nothing before this is still being written. */
  private static final String ENDED = " p.xid < pg_snapshot_xmin(pg_current_snapshot())";

  private static final int MOST = 1_000;

  private final Statements sql;
  private final long run;
  private final PageBatch batch = new PageBatch(MOST);

  private PageFeed(Statements sql, long run) {
    this.sql = sql;
    this.run = run;
  }

  /** The pages of that run. Used by one thread at a time. */
  public static PageFeed open(StoreLocation place, long run) {
    return new PageFeed(Statements.reading(place), run);
  }

  /** Whether others may settle pages of this run, too. */
  public boolean isShared() {
    return sql.dialect() == SqlDialect.POSTGRES;
  }

  /** The next pages after that number: no more than so many, and fewer where they are large. */
  public List<PageRecord> after(long id, int most) {
    int few = Math.min(most, batch.next());
    List<PageRecord> pages =
        isShared()
            ? sql.list(
                OF_RUNS
                    + ENDED
                    + " AND (p.xid, p.id) > ("
                    + TRANSACTION
                    + ", ?) ORDER BY p.xid, p.id LIMIT ?",
                PageRecord::read,
                run,
                id,
                id,
                few)
            : sql.list(OF_RUNS + "p.id > ? ORDER BY p.id LIMIT ?", PageRecord::read, run, id, few);
    batch.saw(pages);
    return pages;
  }

  /** Whether every page that is settled by now can be read here: true once all have ended. */
  public boolean isUpToDate() {
    return !isShared()
        || !sql.exists(
            "SELECT 1 FROM pages p WHERE p.run_id = ? AND NOT " + ENDED + " LIMIT 1", run);
  }

  /** Whether the run continues another one after its budget was spent. */
  public boolean goesOn() {
    return sql.number(
            "SELECT count(*) AS n FROM crawl_runs WHERE id = ? AND goes_on_from IS NOT NULL", run)
        > 0;
  }

  /** The number after which the run's own pages come. */
  public long beforeRun() {
    if (!isShared()) {
      return sql.number(
          "SELECT coalesce((SELECT min(id) - 1 FROM pages WHERE run_id = ?),"
              + " (SELECT max(id) FROM pages), 0) AS n",
          run);
    }
    return sql.number(
        """
        SELECT p.id FROM pages p WHERE (p.xid, p.id) <
          (SELECT q.xid, q.id FROM pages q WHERE q.run_id = ? ORDER BY q.xid, q.id LIMIT 1)
        ORDER BY p.xid DESC, p.id DESC LIMIT 1
        """,
        run);
  }

  /** Whether the run, or one it goes on from, has this page under this number. */
  public boolean has(long id, String url, Instant startedAt) {
    return sql.first(OF_RUNS + "p.id = ?", PageRecord::read, run, id)
        .filter(page -> page.url().equals(url) && page.startedAt().equals(startedAt))
        .isPresent();
  }

  /** The number of the newest page of any run; 0 where there is none. */
  public long newest() {
    return sql.number(
        isShared()
            ? "SELECT p.id FROM pages p WHERE " + ENDED + " ORDER BY p.xid DESC, p.id DESC LIMIT 1"
            : "SELECT coalesce(max(id), 0) AS n FROM pages");
  }

  @Override
  public void close() {
    sql.close();
  }
}
