package dev.comity.store.crawl;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.core.schedule.JobStreak;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.crawl.FrontierCodes.FateCode;
import dev.comity.store.crawl.FrontierWriter.Added;
import dev.comity.store.crawl.FrontierWriter.Arrival;
import dev.comity.store.crawl.FrontierWriter.Entered;
import dev.comity.store.crawl.HeldDomains.Held;
import dev.comity.store.crawl.HeldDomains.Waiting;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Templates;
import dev.comity.store.sql.Transitions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes what one request comes to, in one transaction: the URL's row, new links, the rows of log
 * and page, the job and the domain's row. A page has the id of its log row. Runs in the writer's
 * thread.
 */
public final class Settlements implements GroupWriter.Follower {
  /** On a row of the frontier: its domain is still claimed with this token by this worker. */
  private static final String AND_HELD =
      """
       AND EXISTS (SELECT 1 FROM domains
        WHERE domains.id = domain_frontier.domain_id AND claim_token = ? AND claimed_by = ?)
      """;

  private static final String RETRY =
      updateOf("due_at = ?, asked = asked + ?, tries_spent = tries_spent + ?, place = place + ?");
  private static final String FINISH_LINKS =
      updateOf("state = ?, due_at = NULL, asked = asked + ?, kind = 0");
  private static final String FINISH =
      updateOf(
          "state = ?, due_at = NULL, asked = asked + ?, etag = ?, last_modified = ?,"
              + " content_hash = ?");

  private static String updateOf(String columns) {
    return "UPDATE domain_frontier SET "
        + columns
        + " WHERE id = ? AND state = 0 AND asked = ?"
        + AND_HELD;
  }

  /** A header longer than this is cut. */
  private static final int LONGEST_TEXT = 1024;

  private final Statements sql;
  private final Runs runs;
  private final FrontierWriter urls;
  private final boolean keepText;
  private long lastLogId;
  private long pagesInGroup;
  private long unkeptInGroup;

  public Settlements(Statements sql, Runs runs, FrontierWriter urls, boolean keepText) {
    this.sql = sql;
    this.runs = runs;
    this.urls = urls;
    this.keepText = keepText;
    lastLogId = newestLogId();
  }

  /**
   * A settlement, prepared by the thread that settles.
   *
   * @param movedTo other domains that a seed's redirect leads to
   * @param contentHash of the body, if there is one
   */
  public record Settling(
      Held held,
      Waiting waiting,
      Settlement settlement,
      StateColumns.Update update,
      List<Arrival> found,
      Set<DomainName> movedTo,
      Optional<Body> contentHash,
      long now) {
    FateCode ending() {
      return FateCode.of(settlement.lasting());
    }
  }

  /** Returns how many new URLs are skipped. A settlement that is repeated writes nothing. */
  public int settle(Settling settling) {
    Held held = settling.held();
    Settlement settlement = settling.settlement();
    long now = settling.now();
    if (!moveUrl(settling)) {
      held.requireClaim(sql);
      return 0;
    }
    sql.update("DELETE FROM in_flight WHERE url_id = ?", settling.waiting().id());
    boolean finished = settling.ending().isFinal();
    if (finished) {
      urls.finished(held.name, now);
    }
    Added added =
        urls.add(settling.found(), OptionalLong.of(held.id), url -> referrer(url, settling), now);
    followSeed(settling);
    boolean newPage = isNewPage(settling);
    boolean requested = settlement.attempt().isPresent() && settlement.fetched().isPresent();
    if (requested) {
      log(settling, settlement.attempt().get(), settlement.fetched().get());
    }
    for (TemplateStats stats : settlement.tallies()) {
      Templates.write(sql, held.id, stats);
    }
    countPage(held, settlement);
    Entered own = added.own();
    writeDomain(
        held,
        settlement.state(),
        settling.update(),
        new StateColumns.Counts(
            own.queued(),
            own.overCap(),
            own.skipped(),
            finished,
            requested,
            newPage,
            Optional.of(settlement)),
        now);
    return added.all().skipped();
  }

  /**
   * Changes the URL's row, if it is as it was when the URL was taken and the claim still holds. So
   * a repeated settlement changes nothing.
   */
  private boolean moveUrl(Settling settling) {
    int asked = settling.settlement().attempt().isPresent() ? 1 : 0;
    return switch (settling.settlement().lasting()) {
      case Fate.Returned _ ->
          sql.exists(
              "SELECT 1 FROM domain_frontier WHERE id = ? AND state = 0 AND asked = ?" + AND_HELD,
              settling.waiting().id(),
              settling.settlement().entry().asked(),
              settling.held().token,
              settling.held().worker);
      case Fate.Retry(var due, var spends) ->
          update(
              settling,
              RETRY,
              StateColumns.ceilMillis(due),
              asked,
              spends ? asked : 0,
              settling.waiting().place() < FrontierCodes.TRIED / 2
                  ? asked * FrontierCodes.TRIED
                  : 0);
      case Fate _ when settling.settlement().entry().kind() == Kind.LINKS ->
          update(settling, FINISH_LINKS, settling.ending().state, asked);
      case Fate _ -> {
        Headers headers = headers(settling.settlement());
        yield update(
            settling,
            FINISH,
            settling.ending().state,
            asked,
            headers.first("etag").map(Settlements::stored).orElse(null),
            headers.first("last-modified").map(Settlements::stored).orElse(null),
            settling.contentHash().map(Body::bytes).orElse(null));
      }
    };
  }

  private boolean update(Settling settling, String statement, @Nullable Object... values) {
    return sql.update(
            statement,
            StateColumns.and(
                values,
                settling.waiting().id(),
                settling.settlement().entry().asked(),
                settling.held().token,
                settling.held().worker))
        == 1;
  }

  private static Headers headers(Settlement settlement) {
    return settlement.fetched().map(Fetched::outcome).orElse(null) instanceof Success page
        ? page.headers()
        : Headers.NONE;
  }

  /** Not every database stores a NUL. */
  private static String stored(String remote) {
    String clean = remote.replace('\0', '\ufffd');
    return clean.length() <= LONGEST_TEXT ? clean : clean.substring(0, LONGEST_TEXT);
  }

  private @Nullable Long referrer(CrawlUrl url, Settling settling) {
    Waiting page = settling.waiting();
    if (url.equals(page.entry().url())) {
      return page.id();
    }
    return page.entry().referrer().equals(Optional.of(url)) ? page.referrerId() : urls.find(url);
  }

  /** Redirects of a seed may lead the run to other domains. */
  private void followSeed(Settling settling) {
    MovedSeeds moved = new MovedSeeds(sql);
    for (DomainName domain : settling.movedTo()) {
      moved.leadTo(runs.id(), urls.idOf(domain, settling.now()));
      urls.forget(domain);
    }
    if (settling.settlement().endsMove()) {
      moved.endOn(runs.id(), settling.held().id);
    }
  }

  /** Whether the URL is a page for the first time, in any run. */
  private boolean isNewPage(Settling settling) {
    return settling.settlement().isPage()
        && (settling.settlement().entry().asked() == 0
            || !sql.exists(
                "SELECT 1 FROM pages WHERE url_id = ? LIMIT 1", settling.waiting().id()));
  }

  private void log(Settling settling, Attempt attempt, Fetched fetched) {
    Settlement settlement = settling.settlement();
    log(
        settling.held(),
        Optional.of(settling.waiting()),
        attempt,
        settlement.entry().asked() + 1,
        fetched,
        Optional.of(settlement),
        settling.now());
    if (settlement.isPage()) {
      page(settling, attempt, fetched);
    }
  }

  /**
   * Inserts the log row of a request.
   *
   * @param waiting the URL's row in the frontier, if it has one
   */
  void log(
      Held held,
      Optional<Waiting> waiting,
      Attempt attempt,
      int number,
      Fetched fetched,
      Optional<Settlement> settled,
      long now) {
    FetchOutcome outcome = fetched.outcome();
    sql.update(
        """
        INSERT INTO crawl_log (id, run_id, domain_id, url_id, url, attempt, kind, source_id,
          claim_token, started_at, finished_at, first_byte_ms, delay_ms, status, outcome, fate,
          is_page, is_error, bytes, error)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        ++lastLogId,
        runs.id(),
        held.id,
        waiting.map(Waiting::id).orElse(null),
        waiting.isPresent() ? null : attempt.url().toString(),
        number,
        StateColumns.lower(attempt.kind().name()),
        waiting.map(Waiting::sourceId).orElse(null),
        held.token,
        attempt.startedAt().toEpochMilli(),
        Math.max(now, attempt.startedAt().toEpochMilli()),
        firstByte(fetched),
        StateColumns.ceilMillis(attempt.delay()),
        outcome.status().isPresent() ? (Integer) outcome.status().getAsInt() : null,
        outcome.category().code(),
        settled.map(Settlement::fate).map(FateCode::of).orElse(FateCode.DONE).word(),
        settled.filter(Settlement::isPage).isPresent() ? 1 : 0,
        settled.filter(Settlement::isError).isPresent() ? 1 : 0,
        fetched.bytes(),
        fetched.note().or(() -> detail(outcome)).map(Settlements::stored).orElse(null));
  }

  private static @Nullable Integer firstByte(Fetched fetched) {
    return fetched.firstByte().map(time -> (int) time.toMillis()).orElse(null);
  }

  private static Optional<String> detail(FetchOutcome outcome) {
    return outcome instanceof FetchOutcome.Unreachable lost
        ? Optional.of(lost.detail())
        : Optional.empty();
  }

  /** Inserts the page that the request logged last has brought. */
  private void page(Settling settling, Attempt attempt, Fetched fetched) {
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
        lastLogId,
        runs.id(),
        settling.waiting().id(),
        settling.held().id,
        fetched.outcome().status().orElse(0),
        kept.flatMap(PageContent::title).map(Settlements::stored).orElse(null),
        content.flatMap(PageContent::contentType).map(Settlements::stored).orElse(null),
        settling.contentHash().map(Body::bytes).orElse(null),
        fetched.bytes(),
        attempt.startedAt().toEpochMilli(),
        firstByte(fetched),
        (int) fetched.total().toMillis(),
        keepText ? kept.map(page -> page.text().replace('\0', '\ufffd')).orElse(null) : null,
        settling.settlement().location().map(CrawlUrl::toString).orElse(null));
  }

  /** Counts the page for its job, and for its run when the group is committed. */
  private void countPage(Held held, Settlement settlement) {
    JobStreak streak = settlement.after(held.streak);
    int page = settlement.isPage() ? 1 : 0;
    int unkept = settlement.isUnkept() ? 1 : 0;
    pagesInGroup += page;
    unkeptInGroup += unkept;
    if (page + unkept > 0 || !streak.equals(held.streak)) {
      sql.update(
          "UPDATE jobs SET pages = pages + ?, unkept = unkept + ?, failed_in_row = ?"
              + " WHERE run_id = ? AND domain_id = ?",
          page,
          unkept,
          streak.failed(),
          runs.id(),
          held.id);
    }
  }

  /** Writes the domain's row, and a transition if its status changes. */
  void writeDomain(
      Held held,
      DomainState state,
      StateColumns.Update update,
      StateColumns.Counts counts,
      long now) {
    if (state.standing().status() != held.status) {
      Transitions.byHolder(sql, held.id, held.status, state.standing(), now);
    }
    update.write(sql, held.id, counts, now);
  }

  @Override
  public void beforeCommit() {
    if (pagesInGroup > 0 || unkeptInGroup > 0) {
      sql.update(
          "UPDATE crawl_runs SET pages = pages + ?, unkept = unkept + ? WHERE id = ?",
          pagesInGroup,
          unkeptInGroup,
          runs.id());
      pagesInGroup = 0;
      unkeptInGroup = 0;
    }
  }

  @Override
  public void rolledBack() {
    pagesInGroup = 0;
    unkeptInGroup = 0;
    lastLogId = newestLogId();
  }

  @Override
  public void overtaken() {
    lastLogId = newestLogId();
  }

  /** Pruning deletes old log rows; their pages stay and keep their ids. */
  private long newestLogId() {
    return sql.number(
        "SELECT max((SELECT coalesce(max(id), 0) FROM crawl_log),"
            + " (SELECT coalesce(max(id), 0) FROM pages))");
  }
}
