package dev.comity.store.report;

import dev.comity.store.DataDirectory;
import dev.comity.store.sql.Query;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;

/**
 * The pages of one run in the order they were settled in, read beside the crawl that settles them.
 * Those of the runs it goes on from, since their budgets were spent, come before. A page's number
 * only grows, and what is read here is durable: so whoever writes pages down somewhere else goes on
 * after the last number it has, however it ended before.
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

  private final Connection connection;
  private final long run;

  private PageFeed(Connection connection, long run) {
    this.connection = connection;
    this.run = run;
  }

  /** The pages of that run. Used by one thread at a time. */
  public static PageFeed open(DataDirectory directory, long run) {
    return new PageFeed(directory.reading(), run);
  }

  /** The next pages after that number, no more than so many. */
  public List<PageRecord> after(long id, int most) {
    return Query.of(OF_RUNS + "> ? ORDER BY p.id LIMIT ?", run, id, most)
        .list(connection, PageRecord::read);
  }

  /** Whether the run goes on from another one, whose budget was spent. */
  public boolean goesOn() {
    return Query.of(
                "SELECT count(*) AS n FROM crawl_runs WHERE id = ? AND goes_on_from IS NOT NULL",
                run)
            .number(connection)
        > 0;
  }

  /** The number after which the run's own pages come. */
  public long beforeRun() {
    return Query.of(
            "SELECT coalesce((SELECT min(id) - 1 FROM pages WHERE run_id = ?),"
                + " (SELECT max(id) FROM pages), 0) AS n",
            run)
        .number(connection);
  }

  /** Whether the run, or one it goes on from, has this page under this number. */
  public boolean has(long id, String url, Instant startedAt) {
    return Query.of(OF_RUNS + "= ?", run, id)
        .first(connection, PageRecord::read)
        .filter(page -> page.url().equals(url) && page.startedAt().equals(startedAt))
        .isPresent();
  }

  /** The number of the newest page of any run; 0 where there is none. */
  public long newest() {
    return Query.of("SELECT coalesce(max(id), 0) AS n FROM pages").number(connection);
  }

  @Override
  public void close() {
    Query.close(connection);
  }
}
