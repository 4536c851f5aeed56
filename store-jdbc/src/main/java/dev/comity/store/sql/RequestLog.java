package dev.comity.store.sql;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.fetch.KeptPage;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.UsageRefusal;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The log of requests and the pages they brought. A page has the id of its log row. Runs in the
 * writer's thread.
 */
public final class RequestLog {
  /** A header longer than this is cut. */
  private static final int LONGEST_TEXT = 1024;

  private final Statements sql;
  private final @Nullable LongSupplier ids;
  private long lastId;

  public RequestLog(Statements sql) {
    this.sql = sql;
    ids = null;
    lastId = newestId();
  }

  /** Where other workers write as well, the database gives the ids. */
  public RequestLog(Statements sql, LongSupplier ids) {
    this.sql = sql;
    this.ids = ids;
  }

  /**
   * A request that was sent.
   *
   * @param url the URL's row in the frontier, if it has one
   * @param number how often the URL was asked, this time included
   * @param isRefresh whether a known page is visited again by a refresh
   */
  public record Asked(
      long run,
      long domain,
      long token,
      @Nullable Long url,
      @Nullable Long source,
      Attempt attempt,
      int number,
      boolean isRefresh) {}

  /**
   * Inserts the log row of a request.
   *
   * @param imagesFound how many images a new page shows
   */
  public void insert(
      Asked asked,
      Fetched fetched,
      Optional<Settlement> settled,
      int imagesFound,
      String fate,
      long now) {
    Attempt attempt = asked.attempt();
    FetchOutcome outcome = fetched.outcome();
    sql.update(
        """
        INSERT INTO crawl_log (id, run_id, domain_id, url_id, url, attempt, kind, type, source_id,
          claim_token, started_at, finished_at, first_byte_ms, delay_ms, status, outcome, fate,
          is_page, is_error, bytes, images_found, images_stored, error)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM sources WHERE id = ?), ?, ?, ?, ?, ?, ?, ?,
          ?, ?, ?, ?, ?, ?, ?)
        """,
        nextId(),
        asked.run(),
        asked.domain(),
        asked.url(),
        asked.url() == null ? attempt.url().toString() : null,
        asked.number(),
        StateColumns.lower(attempt.kind().name()),
        asked.isRefresh() ? "refresh" : "discovery",
        asked.source(),
        asked.token(),
        attempt.startedAt().toEpochMilli(),
        Math.max(now, attempt.startedAt().toEpochMilli()),
        firstByte(fetched),
        StateColumns.ceilMillis(attempt.delay()),
        outcome.status().isPresent() ? (Integer) outcome.status().getAsInt() : null,
        outcome.category().code(),
        fate,
        settled.filter(Settlement::isPage).isPresent() ? 1 : 0,
        settled.filter(Settlement::isError).isPresent() ? 1 : 0,
        fetched.bytes(),
        imagesFound,
        settled.filter(Settlement::isImage).isPresent() ? 1 : 0,
        fetched.note().or(() -> detail(outcome)).map(RequestLog::stored).orElse(null));
  }

  private long nextId() {
    lastId = ids == null ? lastId + 1 : ids.getAsLong();
    return lastId;
  }

  private static @Nullable Integer firstByte(Fetched fetched) {
    return fetched.firstByte().map(time -> (int) time.toMillis()).orElse(null);
  }

  private static Optional<String> detail(FetchOutcome outcome) {
    return switch (outcome) {
      case FetchOutcome.Unreachable lost -> Optional.of(lost.detail());
      case FetchOutcome.UsageRefused refused -> Optional.of(refused.refusal().toString());
      case FetchOutcome.PaymentRequired(int _, var price) -> price.map(it -> "its price is " + it);
      case FetchOutcome _ -> Optional.empty();
    };
  }

  /** Gives the page that was inserted last the content of its version before. */
  public void copyContent(long url) {
    sql.update(
        """
        UPDATE pages SET title = p.title, content_type = p.content_type,
          content_hash = p.content_hash, text = p.text, html = p.html, charset = p.charset,
          document = p.document, markdown = p.markdown, fields = p.fields, links = p.links,
          language = p.language, description = p.description, canonical = p.canonical,
          wishes = p.wishes
        FROM (SELECT * FROM pages WHERE url_id = ? AND id < ? ORDER BY id DESC LIMIT 1) p
        WHERE pages.id = ?
        """,
        url,
        lastId,
        lastId);
  }

  /** Inserts the page that the request logged last has brought. */
  public void page(Asked asked, Fetched fetched, Settlement settlement, Optional<Body> hash) {
    Optional<PageContent> content = settlement.page();
    Optional<PageContent> shown = content.filter(PageContent::mayKeep);
    Optional<KeptPage> kept = shown.flatMap(PageContent::kept);
    sql.update(
        """
        INSERT INTO pages (id, run_id, url_id, domain_id, status, title, content_type, content_hash,
          bytes, started_at, first_byte_ms, total_ms, location, text, html, charset, document,
          markdown, fields, links, language, description, canonical, headers, wishes)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (url_id, run_id) DO UPDATE SET id = excluded.id, status = excluded.status,
          title = excluded.title, content_type = excluded.content_type,
          content_hash = excluded.content_hash, bytes = excluded.bytes,
          started_at = excluded.started_at, first_byte_ms = excluded.first_byte_ms,
          total_ms = excluded.total_ms, location = excluded.location, text = excluded.text,
          html = excluded.html, charset = excluded.charset, document = excluded.document,
          markdown = excluded.markdown, fields = excluded.fields, links = excluded.links,
          language = excluded.language, description = excluded.description,
          canonical = excluded.canonical, headers = excluded.headers, wishes = excluded.wishes
        """,
        lastId,
        asked.run(),
        asked.url(),
        asked.domain(),
        fetched.outcome().status().orElse(0),
        shown.flatMap(PageContent::title).map(RequestLog::stored).orElse(null),
        content.flatMap(PageContent::contentType).map(RequestLog::stored).orElse(null),
        hash.map(Body::bytes).orElse(null),
        fetched.bytes(),
        asked.attempt().startedAt().toEpochMilli(),
        firstByte(fetched),
        (int) fetched.total().toMillis(),
        settlement.location().map(CrawlUrl::toString).orElse(null),
        kept.flatMap(KeptPage::text).map(RequestLog::whole).orElse(null),
        kept.flatMap(KeptPage::packed).map(Body::bytes).orElse(null),
        kept.flatMap(KeptPage::charset).orElse(null),
        kept.filter(KeptPage::document).isPresent() ? 1 : 0,
        kept.flatMap(KeptPage::markdown).map(RequestLog::whole).orElse(null),
        kept.flatMap(page -> KeptJson.fields(page.fields())).orElse(null),
        kept.flatMap(page -> KeptJson.links(page.links())).orElse(null),
        kept.flatMap(KeptPage::language).map(RequestLog::stored).orElse(null),
        kept.flatMap(KeptPage::description).map(RequestLog::stored).orElse(null),
        kept.flatMap(KeptPage::canonical).map(CrawlUrl::toString).orElse(null),
        kept.flatMap(page -> KeptJson.headers(page.headers())).orElse(null),
        content.flatMap(page -> page.reading().wishes().json()).orElse(null));
  }

  /** Keeps the wish that refuses a URL. */
  public void refusal(long url, long domain, UsageRefusal refusal, long now) {
    sql.update(
        """
        INSERT INTO refusals (url_id, domain_id, purpose, origin, words, at)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (url_id) DO UPDATE SET purpose = excluded.purpose, origin = excluded.origin,
          words = excluded.words, at = excluded.at
        """,
        url,
        domain,
        refusal.purpose().key(),
        refusal.wish().origin().code(),
        stored(refusal.wish().words()),
        now);
  }

  /** A whole text, without NUL. */
  private static String whole(String remote) {
    return remote.replace('\0', '\ufffd');
  }

  /** A remote text as it is stored: cut, and without NUL, which not every database stores. */
  public static String stored(String remote) {
    String clean = remote.replace('\0', '\ufffd');
    return clean.length() <= LONGEST_TEXT ? clean : clean.substring(0, LONGEST_TEXT);
  }

  /** A transaction was undone: ids are given again. */
  public void rolledBack() {
    lastId = newestId();
  }

  /** Pruning deletes old log rows; their pages stay and keep their ids. */
  private long newestId() {
    return sql.number(
        "SELECT max((SELECT coalesce(max(id), 0) FROM crawl_log),"
            + " (SELECT coalesce(max(id), 0) FROM pages))");
  }
}
