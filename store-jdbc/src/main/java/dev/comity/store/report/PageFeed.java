package dev.comity.store.report;

import dev.comity.store.DataDirectory;
import dev.comity.store.sql.Statements;
import java.time.Instant;
import java.util.List;

/**
 * The pages of one run in the order in which they were settled, read beside the crawl. Pages of
 * runs that it continues come first. Numbers of pages only grow, and a page that is read here is
 * durable. So an export continues after the last number it has written, even after a kill.
 */
public final class PageFeed implements AutoCloseable {
  private static final String OF_RUNS =
      """
      WITH RECURSIVE chain (id) AS (SELECT ? UNION ALL
        SELECT r.goes_on_from FROM crawl_runs r JOIN chain c ON r.id = c.id
        WHERE r.goes_on_from IS NOT NULL)
      """
          + StoreReader.PAGES
          + " WHERE p.run_id IN (SELECT id FROM chain) AND p.id ";

  private static final int MOST = 1_000;

  private final Statements sql;
  private final long run;
  private final PageBatch batch = new PageBatch(MOST);

  private PageFeed(Statements sql, long run) {
    this.sql = sql;
    this.run = run;
  }

  /** The pages of that run. Used by one thread at a time. */
  public static PageFeed open(DataDirectory directory, long run) {
    return new PageFeed(new Statements(directory.reading()), run);
  }

  /** The next pages after that number: no more than so many, and fewer where they are large. */
  public List<PageRecord> after(long id, int most) {
    List<PageRecord> pages =
        sql.list(
            OF_RUNS + "> ? ORDER BY p.id LIMIT ?",
            PageRecord::read,
            run,
            id,
            Math.min(most, batch.next()));
    batch.saw(pages);
    return pages;
  }

  /** Whether the run continues another one after its budget was spent. */
  public boolean goesOn() {
    return sql.number(
            "SELECT count(*) AS n FROM crawl_runs WHERE id = ? AND goes_on_from IS NOT NULL", run)
        > 0;
  }

  /** The number after which the run's own pages come. */
  public long beforeRun() {
    return sql.number(
        "SELECT coalesce((SELECT min(id) - 1 FROM pages WHERE run_id = ?),"
            + " (SELECT max(id) FROM pages), 0) AS n",
        run);
  }

  /** Whether the run, or one it goes on from, has this page under this number. */
  public boolean has(long id, String url, Instant startedAt) {
    return sql.first(OF_RUNS + "= ?", PageRecord::read, run, id)
        .filter(page -> page.url().equals(url) && page.startedAt().equals(startedAt))
        .isPresent();
  }

  /** The number of the newest page of any run; 0 where there is none. */
  public long newest() {
    return sql.number("SELECT coalesce(max(id), 0) AS n FROM pages");
  }

  @Override
  public void close() {
    sql.close();
  }
}
