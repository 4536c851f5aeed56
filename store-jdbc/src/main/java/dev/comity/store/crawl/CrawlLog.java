package dev.comity.store.crawl;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.StoreUnusable;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rows of requests, and of the pages some of them brought: a page has the number of its
 * request. Runs in the writer's thread.
 */
public final class CrawlLog implements GroupWriter.Follower {
  private final Statements sql;
  private final Runs runs;
  private final boolean keepText;
  private long lastId;

  public CrawlLog(Statements sql, Runs runs, boolean keepText) throws SQLException {
    this.sql = sql;
    this.runs = runs;
    this.keepText = keepText;
    lastId = newestId();
  }

  /** A request that was for a URL of the frontier; answers its number. */
  long settled(Settlements.Settling settling, Attempt attempt, Fetched fetched)
      throws SQLException {
    return insert(
        settling.held(),
        settling.waiting().id(),
        settling.waiting().sourceId(),
        attempt,
        settling.settlement().entry().asked() + 1,
        fetched,
        Optional.of(settling.settlement()),
        settling.now());
  }

  /** A request that was for no URL of the frontier. */
  void noted(HeldDomain held, Attempt attempt, Fetched fetched, long now) throws SQLException {
    insert(held, null, null, attempt, attempt.ordinal(), fetched, Optional.empty(), now);
  }

  private long insert(
      HeldDomain held,
      @Nullable Long urlId,
      @Nullable Long sourceId,
      Attempt attempt,
      int number,
      Fetched fetched,
      Optional<Settlement> settled,
      long now)
      throws SQLException {
    FetchOutcome outcome = fetched.outcome();
    long id = ++lastId;
    sql.update(
        """
        INSERT INTO crawl_log (id, run_id, domain_id, url_id, url, attempt, kind, source_id,
          claim_token, started_at, finished_at, first_byte_ms, delay_ms, status, outcome, fate,
          is_page, is_error, bytes, error)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        id,
        runs.id(),
        held.id,
        urlId,
        urlId == null ? attempt.url().toString() : null,
        number,
        StateColumns.lower(attempt.kind().name()),
        sourceId,
        held.token,
        attempt.startedAt().toEpochMilli(),
        Math.max(now, attempt.startedAt().toEpochMilli()),
        fetched.firstByte().isPresent()
            ? (Integer) (int) fetched.firstByte().get().toMillis()
            : null,
        StateColumns.ceilMillis(attempt.delay()),
        outcome.status().isPresent() ? (Integer) outcome.status().getAsInt() : null,
        outcome.category().code(),
        settled.map(Settlement::fate).map(CrawlLog::word).orElse("done"),
        settled.isPresent() && settled.get().isPage() ? 1 : 0,
        settled.isPresent() && settled.get().isError() ? 1 : 0,
        fetched.bytes(),
        fetched.note().or(() -> detail(outcome)).map(Settlements::stored).orElse(null));
    return id;
  }

  private static Optional<String> detail(FetchOutcome outcome) {
    return outcome instanceof FetchOutcome.Unreachable lost
        ? Optional.of(lost.detail())
        : Optional.empty();
  }

  private static String word(Fate fate) {
    return switch (fate) {
      case Fate.Done _ -> "done";
      case Fate.Failed _ -> "failed";
      case Fate.Denied _ -> "denied";
      case Fate.Moved _ -> "moved";
      case Fate.Suppressed _ -> "suppressed";
      case Fate.Skipped _ -> "skipped";
      case Fate.Retry _ -> "retry";
      case Fate.Returned _ -> "returned";
    };
  }

  /** The page that the request of this number brought. */
  void page(long id, Settlements.Settling settling, Attempt attempt, Fetched fetched)
      throws SQLException {
    Optional<PageContent> content = settling.settlement().page();
    Optional<PageContent> kept = content.filter(PageContent::mayKeep);
    sql.update(
        """
        INSERT INTO pages (id, run_id, url_id, domain_id, status, title, content_type, content_hash,
          bytes, started_at, first_byte_ms, total_ms, text, location)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (url_id, run_id) DO UPDATE SET id = excluded.id, status = excluded.status,
          title = excluded.title, content_type = excluded.content_type,
          content_hash = excluded.content_hash, bytes = excluded.bytes,
          started_at = excluded.started_at, first_byte_ms = excluded.first_byte_ms,
          total_ms = excluded.total_ms, text = excluded.text, location = excluded.location
        """,
        id,
        runs.id(),
        settling.waiting().id(),
        settling.held().id,
        fetched.outcome().status().orElse(0),
        kept.flatMap(PageContent::title).map(Settlements::stored).orElse(null),
        content.flatMap(PageContent::contentType).map(Settlements::stored).orElse(null),
        settling.contentHash().map(Body::bytes).orElse(null),
        fetched.bytes(),
        attempt.startedAt().toEpochMilli(),
        fetched.firstByte().isPresent()
            ? (Integer) (int) fetched.firstByte().get().toMillis()
            : null,
        (int) fetched.total().toMillis(),
        keepText ? kept.map(page -> page.text().replace('\0', '\ufffd')).orElse(null) : null,
        settling.settlement().location().map(CrawlUrl::toString).orElse(null));
  }

  private long newestId() throws SQLException {
    // Pages outlive the log's old rows, and have their numbers.
    return sql.number(
        "SELECT max((SELECT coalesce(max(id), 0) FROM crawl_log),"
            + " (SELECT coalesce(max(id), 0) FROM pages))");
  }

  @Override
  public void rolledBack() {
    try {
      lastId = newestId();
    } catch (SQLException failed) {
      throw new StoreUnusable("the database cannot be read: " + failed.getMessage(), failed);
    }
  }
}
