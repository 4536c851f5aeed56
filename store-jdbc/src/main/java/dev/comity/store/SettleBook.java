package dev.comity.store;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.policy.Attempt;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.JobStreak;
import dev.comity.core.policy.Kind;
import dev.comity.core.port.ClaimLost;
import dev.comity.core.port.Note;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.port.RobotsCopy;
import dev.comity.core.port.Settlement;
import dev.comity.core.port.Settlement.PageContent;
import dev.comity.core.trap.Tally;
import dev.comity.core.url.CrawlUrl;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Writes what requests come to. Runs in the writer's thread. */
final class SettleBook implements GroupWriter.Follower {
  private static final int QUEUED = 0;
  private static final int DONE = 1;
  private static final int FAILED = 2;
  private static final int DENIED = 3;
  private static final int SUPPRESSED = 5;

  private final Statements sql;
  private final ClaimBook claims;
  private final RunBook runs;
  private final UrlBook urls;
  private final DomainBook domains;
  private final boolean keepText;
  private long lastLogId;

  SettleBook(
      Statements sql,
      ClaimBook claims,
      RunBook runs,
      UrlBook urls,
      DomainBook domains,
      boolean keepText)
      throws SQLException {
    this.sql = sql;
    this.claims = claims;
    this.runs = runs;
    this.urls = urls;
    this.domains = domains;
    this.keepText = keepText;
    lastLogId = newestLogId();
  }

  /**
   * A settlement made ready by the thread that brings it.
   *
   * @param columns the state after it, as its row is to have it
   * @param contentHash of the body, where one came
   */
  record Settling(
      HeldDomain held,
      HeldDomain.Waiting waiting,
      Settlement settlement,
      Columns columns,
      List<Arrival> found,
      Optional<Body> contentHash,
      long now) {}

  /**
   * What of a state is to be written.
   *
   * @param sql the statement
   * @param values one for each question mark
   */
  record Columns(String sql, List<@Nullable Object> values) {
    static Columns of(HeldDomain held, DomainState state, long now) {
      return held.stands(state)
          ? new Columns(PACE_AND_COUNTS, Arrays.asList(StateColumns.pace(state, now)))
          : new Columns(ALL_AND_COUNTS, Arrays.asList(StateColumns.of(state, now)));
    }
  }

  private static final String COUNTS =
      """
      , pages_discovered = pages_discovered + ?, urls_over_cap = urls_over_cap + ?,
      frontier_size = frontier_size + ?, frontier_updated_at = ?, requests = requests + ?,
      pages_crawled = pages_crawled + ?, total_error_count = total_error_count + ?,
      urls_done = urls_done + ?, urls_failed = urls_failed + ?, urls_denied = urls_denied + ?,
      urls_suppressed = urls_suppressed + ?,
      crawl_depth_reached = max(crawl_depth_reached, ?)
      WHERE id = ?
      """;

  private static final String PACE_AND_COUNTS =
      "UPDATE domains SET " + StateColumns.SET_PACE + COUNTS;
  private static final String ALL_AND_COUNTS = "UPDATE domains SET " + StateColumns.SET + COUNTS;

  /** Answers whether anything was written: said again, nothing is. */
  boolean settle(Settling settling) throws SQLException {
    HeldDomain held = settling.held();
    requireHeld(held);
    Settlement settlement = settling.settlement();
    Fate fate = settlement.fate();
    if (!moveUrl(settling)) {
      return false;
    }
    sql.update("DELETE FROM in_flight WHERE url_id = ?", settling.waiting().id());
    boolean finished = isFinal(fate);
    if (finished) {
      domains.of(held.name, settling.now()).unfinished--;
    }
    UrlBook.Added added =
        urls.add(
            settling.found(),
            OptionalLong.of(held.id),
            url -> referrerOf(url, settling),
            settling.now());
    if (settlement.attempt().isPresent() && settlement.fetched().isPresent()) {
      log(settling, settlement.attempt().get(), settlement.fetched().get());
    }
    for (Tally tally : settlement.tallies()) {
      Templates.write(sql, held.id, tally);
    }
    job(held, settlement);
    Counts counts =
        new Counts(
            added.own(),
            added.ownOverCap(),
            finished,
            settlement.attempt().isPresent() && settlement.fetched().isPresent(),
            Optional.of(settlement));
    update(held, settlement.state(), settling.columns(), counts, settling.now());
    return true;
  }

  void note(HeldDomain held, Note note, List<Arrival> found, long now) throws SQLException {
    requireHeld(held);
    UrlBook.Added added = urls.add(found, OptionalLong.of(held.id), once(urls::find), now);
    if (note.request().isPresent()) {
      Attempt attempt = note.request().get().attempt();
      Fetched fetched = note.request().get().fetched();
      insertLog(held, null, null, attempt, attempt.ordinal(), fetched, Optional.empty(), now);
    }
    if (note.robots().isPresent()) {
      keep(note.robots().get());
    }
    for (Tally tally : note.tallies()) {
      Templates.write(sql, held.id, tally);
    }
    Counts counts =
        new Counts(
            added.own(), added.ownOverCap(), false, note.request().isPresent(), Optional.empty());
    update(held, note.state(), Columns.of(held, note.state(), now), counts, now);
  }

  /** What is found together mostly has one referrer: a sitemap lists thousands. */
  private static UrlBook.Referrers once(UrlBook.Referrers referrers) {
    Map<CrawlUrl, Optional<Long>> known = new HashMap<>();
    return url -> {
      Optional<Long> id = known.get(url);
      if (id == null) {
        id = Optional.ofNullable(referrers.id(url));
        known.put(url, id);
      }
      return id.orElse(null);
    };
  }

  private void requireHeld(HeldDomain held) throws SQLException {
    if (!claims.holds(held.id, held.token)) {
      throw new ClaimLost(held.name, held.token);
    }
  }

  private @Nullable Long referrerOf(CrawlUrl url, Settling settling) throws SQLException {
    HeldDomain.Waiting page = settling.waiting();
    if (url.equals(page.entry().url())) {
      return page.id();
    }
    return page.entry().referrer().equals(Optional.of(url)) ? page.referrerId() : urls.find(url);
  }

  private static boolean isFinal(Fate fate) {
    return switch (fate) {
      case Fate.Done _, Fate.Failed _, Fate.Denied _, Fate.Suppressed _, Fate.Moved _ -> true;
      case Fate.Retry _, Fate.Returned _ -> false;
    };
  }

  /** Only from where it was when it was taken, so that the same settlement moves it once. */
  private boolean moveUrl(Settling settling) throws SQLException {
    long id = settling.waiting().id();
    int asked = settling.settlement().entry().asked();
    int more = settling.settlement().attempt().isPresent() ? 1 : 0;
    return switch (settling.settlement().fate()) {
      case Fate.Done _, Fate.Moved _ -> finish(settling, DONE, more);
      case Fate.Failed _ -> finish(settling, FAILED, more);
      case Fate.Denied _ -> finish(settling, DENIED, more);
      case Fate.Suppressed _ -> finish(settling, SUPPRESSED, more);
      case Fate.Returned _ ->
          sql.first(
                  "SELECT 1 FROM domain_frontier WHERE id = ? AND state = ? AND asked = ?",
                  _ -> true,
                  id,
                  QUEUED,
                  asked)
              .isPresent();
      case Fate.Retry(var due, var spends) ->
          sql.update(
                  """
                  UPDATE domain_frontier SET due_at = ?, asked = asked + ?,
                    tries_spent = tries_spent + ?, place = place + ?
                  WHERE id = ? AND state = 0 AND asked = ?
                  """,
                  StateColumns.ceilMillis(due),
                  more,
                  spends && more == 1 ? 1 : 0,
                  more == 1 && settling.waiting().place() < Arrival.TRIED / 2 ? Arrival.TRIED : 0,
                  id,
                  asked)
              == 1;
    };
  }

  private boolean finish(Settling settling, int state, int more) throws SQLException {
    Headers headers = headers(settling.settlement());
    return sql.update(
            """
            UPDATE domain_frontier SET state = ?, due_at = NULL, asked = asked + ?, etag = ?,
              last_modified = ?, content_hash = ?
            WHERE id = ? AND state = 0 AND asked = ?
            """,
            state,
            more,
            headers.first("etag").map(SettleBook::stored).orElse(null),
            headers.first("last-modified").map(SettleBook::stored).orElse(null),
            settling.contentHash().map(Body::bytes).orElse(null),
            settling.waiting().id(),
            settling.settlement().entry().asked())
        == 1;
  }

  private static Headers headers(Settlement settlement) {
    return settlement.fetched().map(Fetched::outcome).orElse(null) instanceof Success page
        ? page.headers()
        : Headers.NONE;
  }

  /** Not every database takes a NUL, and nobody wants a megabyte of a header. */
  private static String stored(String remote) {
    String clean = remote.replace('\0', '\ufffd');
    return clean.length() <= 1024 ? clean : clean.substring(0, 1024);
  }

  private void log(Settling settling, Attempt attempt, Fetched fetched) throws SQLException {
    HeldDomain.Waiting waiting = settling.waiting();
    Settlement settlement = settling.settlement();
    long id =
        insertLog(
            settling.held(),
            waiting.id(),
            waiting.sourceId(),
            attempt,
            settlement.entry().asked() + 1,
            fetched,
            Optional.of(settlement),
            settling.now());
    if (settlement.isPage() && settlement.fate() instanceof Fate.Done) {
      page(id, settling, attempt, fetched);
    }
  }

  private long insertLog(
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
    long id = ++lastLogId;
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
        now,
        fetched.firstByte().isPresent()
            ? (Integer) (int) fetched.firstByte().get().toMillis()
            : null,
        StateColumns.ceilMillis(attempt.delay()),
        outcome.status().isPresent() ? (Integer) outcome.status().getAsInt() : null,
        outcome.category().code(),
        settled.map(Settlement::fate).map(SettleBook::word).orElse("done"),
        settled.isPresent() && settled.get().isPage() ? 1 : 0,
        settled.isPresent() && settled.get().isError() ? 1 : 0,
        fetched.bytes(),
        fetched.note().or(() -> detail(outcome)).map(SettleBook::stored).orElse(null));
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
      case Fate.Retry _ -> "retry";
      case Fate.Returned _ -> "returned";
    };
  }

  private void page(long id, Settling settling, Attempt attempt, Fetched fetched)
      throws SQLException {
    Optional<PageContent> content = settling.settlement().page();
    Optional<PageContent> kept = content.filter(PageContent::mayKeep);
    sql.update(
        """
        INSERT INTO pages (id, run_id, url_id, domain_id, status, title, content_type, content_hash,
          bytes, started_at, first_byte_ms, total_ms, text)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (url_id, run_id) DO UPDATE SET id = excluded.id, status = excluded.status,
          title = excluded.title, content_type = excluded.content_type,
          content_hash = excluded.content_hash, bytes = excluded.bytes,
          started_at = excluded.started_at, first_byte_ms = excluded.first_byte_ms,
          total_ms = excluded.total_ms, text = excluded.text
        """,
        id,
        runs.id(),
        settling.waiting().id(),
        settling.held().id,
        fetched.outcome().status().orElse(0),
        kept.flatMap(PageContent::title).map(SettleBook::stored).orElse(null),
        content.flatMap(PageContent::contentType).map(SettleBook::stored).orElse(null),
        settling.contentHash().map(Body::bytes).orElse(null),
        fetched.bytes(),
        attempt.startedAt().toEpochMilli(),
        fetched.firstByte().isPresent()
            ? (Integer) (int) fetched.firstByte().get().toMillis()
            : null,
        (int) fetched.total().toMillis(),
        keepText ? kept.map(page -> page.text().replace('\0', '\ufffd')).orElse(null) : null);
  }

  private void job(HeldDomain held, Settlement settlement) throws SQLException {
    JobStreak streak = settlement.after(held.streak);
    if (settlement.isPage()) {
      runs.page();
    }
    if (settlement.isPage() || !streak.equals(held.streak)) {
      sql.update(
          "UPDATE jobs SET pages = pages + ?, failed_in_row = ? WHERE run_id = ? AND domain_id = ?",
          settlement.isPage() ? 1 : 0,
          streak.failed(),
          runs.id(),
          held.id);
    }
  }

  /** What one write adds to a domain's counters. */
  private record Counts(
      int discovered,
      int overCap,
      boolean finished,
      boolean requested,
      Optional<Settlement> settled) {
    int is(Class<? extends Fate> kind) {
      return kind.isInstance(settled.map(Settlement::fate).orElse(null)) ? 1 : 0;
    }

    int pages() {
      return settled.isPresent() && settled.get().isPage() ? 1 : 0;
    }

    /** How many links deep a page was found; how deep a sitemap is says nothing of that. */
    int depth() {
      return settled
          .map(Settlement::entry)
          .filter(entry -> entry.kind() == Kind.PAGE)
          .map(QueuedUrl::depth)
          .orElse(0);
    }

    /** An error is counted where the log has one. */
    int errors() {
      return requested && settled.isPresent() && settled.get().isError() ? 1 : 0;
    }
  }

  private void update(HeldDomain held, DomainState state, Columns columns, Counts counts, long now)
      throws SQLException {
    Transitions.byHolder(sql, held.id, held.status, state.standing(), now);
    sql.update(
        columns.sql(),
        StateColumns.and(
            columns.values().toArray(),
            counts.discovered() + counts.overCap(),
            counts.overCap(),
            counts.discovered() - (counts.finished() ? 1 : 0),
            now,
            counts.requested() ? 1 : 0,
            counts.pages(),
            counts.errors(),
            counts.is(Fate.Done.class) + counts.is(Fate.Moved.class),
            counts.is(Fate.Failed.class),
            counts.is(Fate.Denied.class),
            counts.is(Fate.Suppressed.class),
            counts.depth(),
            held.id));
  }

  private void keep(RobotsCopy copy) throws SQLException {
    sql.update(
        """
        INSERT INTO robots_cache (authority, fetched_at, allowed, body) VALUES (?, ?, ?, ?)
        ON CONFLICT (authority) DO UPDATE SET fetched_at = excluded.fetched_at,
          allowed = excluded.allowed, body = excluded.body
        """,
        copy.authority().toString(),
        copy.fetchedAt().toEpochMilli(),
        copy.allowed() ? 1 : 0,
        copy.file().isPresent() ? copy.file().get().bytes() : null);
  }

  private long newestLogId() throws SQLException {
    // Pages outlive the log's old rows, and have their numbers.
    return sql.number(
        "SELECT max((SELECT coalesce(max(id), 0) FROM crawl_log),"
            + " (SELECT coalesce(max(id), 0) FROM pages))");
  }

  @Override
  public void rolledBack() {
    try {
      lastLogId = newestLogId();
    } catch (SQLException failed) {
      throw new StoreUnusable("the database cannot be read: " + failed.getMessage(), failed);
    }
  }
}
