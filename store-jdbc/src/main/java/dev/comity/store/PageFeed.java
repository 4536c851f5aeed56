package dev.comity.store;

import java.sql.Connection;
import java.time.Instant;
import java.util.List;

/**
 * The pages of one run in the order they were settled in, read beside the crawl that settles them.
 * A page's number only grows, and what is read here is durable: so whoever writes pages down
 * somewhere else goes on after the last number it has, however it ended before.
 */
public final class PageFeed implements AutoCloseable {
  private static final String OF_RUN = Ledger.PAGES + " WHERE p.run_id = ? AND p.id ";

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
    return Query.of(OF_RUN + "> ? ORDER BY p.id LIMIT ?", run, id, most)
        .list(connection, PageRecord::read);
  }

  /** Whether the run has this page under this number. */
  public boolean has(long id, String url, Instant startedAt) {
    return Query.of(OF_RUN + "= ?", run, id)
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
