package dev.comity.store.crawl;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.schedule.JobStreak;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Templates;
import dev.comity.store.sql.Transitions;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes what requests come to. Runs in the writer's thread. */
public final class Settlements {
  private static final int DONE = 1;
  private static final int FAILED = 2;
  private static final int DENIED = 3;
  private static final int SUPPRESSED = 5;

  private final Statements sql;
  private final Claims claims;
  private final Runs runs;
  private final FrontierWriter urls;
  private final DomainCache domains;
  private final CrawlLog log;

  public Settlements(
      Statements sql,
      Claims claims,
      Runs runs,
      FrontierWriter urls,
      DomainCache domains,
      CrawlLog log) {
    this.sql = sql;
    this.claims = claims;
    this.runs = runs;
    this.urls = urls;
    this.domains = domains;
    this.log = log;
  }

  /**
   * A settlement made ready by the thread that brings it.
   *
   * @param columns the state after it, as its row is to have it
   * @param movedTo other domains that a seed's redirect leads to
   * @param contentHash of the body, where one came
   */
  public record Settling(
      HeldDomain held,
      HeldDomain.Waiting waiting,
      Settlement settlement,
      DomainColumns columns,
      List<Arrival> found,
      Set<DomainName> movedTo,
      Optional<Body> contentHash,
      long now) {}

  /** Answers how many new URLs are skipped. Said again, nothing is written. */
  public int settle(Settling settling) throws SQLException {
    HeldDomain held = settling.held();
    Settlement settlement = settling.settlement();
    Fate fate = settlement.lasting();
    if (!moveUrl(settling)) {
      // Said again, or by one who has lost the claim and is to hear of it.
      requireHeld(held);
      return 0;
    }
    sql.update("DELETE FROM in_flight WHERE url_id = ?", settling.waiting().id());
    boolean finished = isFinal(fate);
    if (finished) {
      domains.of(held.name, settling.now()).unfinished--;
    }
    FrontierWriter.Added added =
        urls.add(
            settling.found(),
            OptionalLong.of(held.id),
            url -> referrerOf(url, settling),
            settling.now());
    for (DomainName domain : settling.movedTo()) {
      new MovedSeeds(sql).leadTo(runs.id(), domains.of(domain, settling.now()).id);
      domains.forget(domain);
    }
    if (settlement.endsMove()) {
      new MovedSeeds(sql).endOn(runs.id(), held.id);
    }
    boolean isNew = isNewPage(settling);
    if (settlement.attempt().isPresent() && settlement.fetched().isPresent()) {
      log(settling, settlement.attempt().get(), settlement.fetched().get());
    }
    for (TemplateStats stats : settlement.tallies()) {
      Templates.write(sql, held.id, stats);
    }
    job(held, settlement);
    Counts counts =
        new Counts(
            added,
            finished,
            settlement.attempt().isPresent() && settlement.fetched().isPresent(),
            isNew,
            Optional.of(settlement));
    update(held, settlement.state(), settling.columns(), counts, settling.now());
    return added.allSkipped();
  }

  /** Answers how many new URLs are skipped. */
  public int note(HeldDomain held, Note note, List<Arrival> found, long now) throws SQLException {
    requireHeld(held);
    FrontierWriter.Added added = urls.add(found, OptionalLong.of(held.id), once(urls::find), now);
    if (note.request().isPresent()) {
      Attempt attempt = note.request().get().attempt();
      Fetched fetched = note.request().get().fetched();
      log.noted(held, attempt, fetched, now);
    }
    if (note.robots().isPresent()) {
      keep(note.robots().get());
    }
    for (TemplateStats stats : note.tallies()) {
      Templates.write(sql, held.id, stats);
    }
    Counts counts = new Counts(added, false, note.request().isPresent(), false, Optional.empty());
    update(held, note.state(), DomainColumns.of(held, note.state(), now), counts, now);
    return added.allSkipped();
  }

  /** What is found together mostly has one referrer: a sitemap lists thousands. */
  public static FrontierWriter.Referrers once(FrontierWriter.Referrers referrers) {
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
      case Fate.Done _,
          Fate.Failed _,
          Fate.Denied _,
          Fate.Suppressed _,
          Fate.Skipped _,
          Fate.Moved _ ->
          true;
      case Fate.Retry _, Fate.Returned _ -> false;
    };
  }

  /**
   * Only from where it was when it was taken, so that the same settlement moves it once, and only
   * under the claim.
   */
  private boolean moveUrl(Settling settling) throws SQLException {
    long id = settling.waiting().id();
    long token = settling.held().token;
    int asked = settling.settlement().entry().asked();
    int more = settling.settlement().attempt().isPresent() ? 1 : 0;
    return switch (settling.settlement().lasting()) {
      case Fate.Done _, Fate.Moved _ -> finish(settling, DONE, more);
      case Fate.Failed _ -> finish(settling, FAILED, more);
      case Fate.Denied _ -> finish(settling, DENIED, more);
      case Fate.Suppressed _ -> finish(settling, SUPPRESSED, more);
      case Fate.Skipped _ -> finish(settling, Arrival.SKIPPED, more);
      case Fate.Returned _ ->
          sql.first(
                  "SELECT 1 FROM domain_frontier WHERE id = ? AND state = 0 AND asked = ?"
                      + Claims.AND_HELD,
                  _ -> true,
                  id,
                  asked,
                  token,
                  claims.worker())
              .isPresent();
      case Fate.Retry(var due, var spends) ->
          sql.update(
                  """
                  UPDATE domain_frontier SET due_at = ?, asked = asked + ?,
                    tries_spent = tries_spent + ?, place = place + ?
                  WHERE id = ? AND state = 0 AND asked = ?
                  """
                      + Claims.AND_HELD,
                  StateColumns.ceilMillis(due),
                  more,
                  spends && more == 1 ? 1 : 0,
                  more == 1 && settling.waiting().place() < Arrival.TRIED / 2 ? Arrival.TRIED : 0,
                  id,
                  asked,
                  token,
                  claims.worker())
              == 1;
    };
  }

  private boolean finish(Settling settling, int state, int more) throws SQLException {
    if (settling.settlement().entry().kind() == Kind.LINKS) {
      return sql.update(
              """
              UPDATE domain_frontier SET state = ?, due_at = NULL, asked = asked + ?, kind = 0
              WHERE id = ? AND state = 0 AND asked = ?
              """
                  + Claims.AND_HELD,
              state,
              more,
              settling.waiting().id(),
              settling.settlement().entry().asked(),
              settling.held().token,
              claims.worker())
          == 1;
    }
    Headers headers = headers(settling.settlement());
    return sql.update(
            """
            UPDATE domain_frontier SET state = ?, due_at = NULL, asked = asked + ?, etag = ?,
              last_modified = ?, content_hash = ?
            WHERE id = ? AND state = 0 AND asked = ?
            """
                + Claims.AND_HELD,
            state,
            more,
            headers.first("etag").map(Settlements::stored).orElse(null),
            headers.first("last-modified").map(Settlements::stored).orElse(null),
            settling.contentHash().map(Body::bytes).orElse(null),
            settling.waiting().id(),
            settling.settlement().entry().asked(),
            settling.held().token,
            claims.worker())
        == 1;
  }

  private static Headers headers(Settlement settlement) {
    return settlement.fetched().map(Fetched::outcome).orElse(null) instanceof Success page
        ? page.headers()
        : Headers.NONE;
  }

  /** Not every database takes a NUL, and nobody wants a megabyte of a header. */
  static String stored(String remote) {
    String clean = remote.replace('\0', '\ufffd');
    return clean.length() <= 1024 ? clean : clean.substring(0, 1024);
  }

  private void log(Settling settling, Attempt attempt, Fetched fetched) throws SQLException {
    long id = log.settled(settling, attempt, fetched);
    Settlement settlement = settling.settlement();
    if (settlement.isPage()) {
      log.page(id, settling, attempt, fetched);
    }
  }

  /** Whether this is the first time that the URL is a page, in whatever run. */
  private boolean isNewPage(Settling settling) throws SQLException {
    return settling.settlement().isPage()
        && (settling.settlement().entry().asked() == 0
            || sql.first(
                    "SELECT 1 FROM pages WHERE url_id = ? LIMIT 1",
                    _ -> true,
                    settling.waiting().id())
                .isEmpty());
  }

  private void job(HeldDomain held, Settlement settlement) throws SQLException {
    JobStreak streak = settlement.after(held.streak);
    runs.settled(settlement);
    if (settlement.isPage() || settlement.isUnkept() || !streak.equals(held.streak)) {
      sql.update(
          "UPDATE jobs SET pages = pages + ?, unkept = unkept + ?, failed_in_row = ?"
              + " WHERE run_id = ? AND domain_id = ?",
          settlement.isPage() ? 1 : 0,
          settlement.isUnkept() ? 1 : 0,
          streak.failed(),
          runs.id(),
          held.id);
    }
  }

  private void update(
      HeldDomain held, DomainState state, DomainColumns columns, Counts counts, long now)
      throws SQLException {
    Transitions.byHolder(sql, held.id, held.status, state.standing(), now);
    sql.update(columns.sql(), columns.with(counts, held.id, now));
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
}
