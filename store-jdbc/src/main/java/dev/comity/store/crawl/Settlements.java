package dev.comity.store.crawl;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.NotModified;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.schedule.JobStreak;
import dev.comity.core.schedule.RefreshDates;
import dev.comity.core.schedule.VisitResult;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.crawl.FrontierCodes.FateCode;
import dev.comity.store.crawl.FrontierWriter.Added;
import dev.comity.store.crawl.FrontierWriter.Arrival;
import dev.comity.store.crawl.FrontierWriter.Entered;
import dev.comity.store.crawl.HeldDomains.Held;
import dev.comity.store.crawl.ReadAhead.Waiting;
import dev.comity.store.image.ImageRows;
import dev.comity.store.source.SourceRows;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.InFlightRows;
import dev.comity.store.sql.RequestLog;
import dev.comity.store.sql.Sha256;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Templates;
import dev.comity.store.sql.Transitions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes what requests of one domain come to, in one transaction: the URLs' rows, new links, the
 * rows of log and page, the job and the domain's row. A page has the id of its log row. Runs in the
 * writer's thread.
 */
public final class Settlements implements GroupWriter.Follower {
  private final Statements sql;
  private final Runs runs;
  private final FrontierWriter urls;
  private final UrlFates fates;
  private final InFlightRows inFlight;
  private final RequestLog log;
  private long pagesInGroup;
  private long unkeptInGroup;
  private long imagesInGroup;
  private final DomainRows rows;
  private final ImageRows images;
  private final SourceRows sources;

  public Settlements(
      Statements sql,
      Runs runs,
      FrontierWriter urls,
      DomainRows rows,
      ImageRows images,
      RefreshDates dates) {
    this.sql = sql;
    this.runs = runs;
    this.urls = urls;
    fates = new UrlFates(sql, dates);
    inFlight = new InFlightRows(sql);
    log = new RequestLog(sql);
    this.rows = rows;
    this.images = images;
    sources = new SourceRows(sql, Duration.ZERO);
  }

  /**
   * A settlement, prepared by the thread that settles.
   *
   * @param movedTo other domains that a seed's redirect leads to
   * @param contentHash of the body, if there is one
   */
  public record Settling(
      Waiting waiting,
      Settlement settlement,
      List<Arrival> found,
      Set<DomainName> movedTo,
      Optional<Body> contentHash) {
    public static Settling of(
        DomainName domain,
        Waiting waiting,
        Settlement settlement,
        List<Arrival> found,
        Grouping grouping) {
      Optional<Body> hash = settlement.images().taken().map(ImageFacts::sha256);
      Set<DomainName> moved = MovedSeeds.targets(settlement, domain, grouping);
      return new Settling(
          waiting, settlement, found, moved, hash.isPresent() ? hash : hash(settlement));
    }

    private static Optional<Body> hash(Settlement settlement) {
      return settlement.fetched().map(Fetched::outcome).orElse(null) instanceof Success page
          ? Optional.of(Body.of(Sha256.of(page.body().bytes())))
          : Optional.empty();
    }

    FateCode ending() {
      return FateCode.of(settlement.lasting());
    }

    boolean isRequested() {
      return settlement.attempt().isPresent() && settlement.fetched().isPresent();
    }
  }

  /**
   * Settlements of one domain that are written together.
   *
   * @param update the state after the last one
   * @param found what all of them have found
   */
  public record Group(
      Held held,
      List<Settling> members,
      StateColumns.Update update,
      List<Arrival> found,
      long now) {
    /** Prepares a group; the domain's row may have its standing already. */
    public static Group of(Held held, List<Settling> members, long now) {
      DomainState last = members.getLast().settlement().state();
      boolean stands =
          members.stream().allMatch(member -> held.stands(member.settlement().state()));
      return new Group(
          held,
          members,
          StateColumns.Update.of(last, stands, now),
          FrontierWriter.together(members.stream().map(Settling::found)),
          now);
    }
  }

  /** Returns how many new URLs are skipped. A settlement that is repeated writes nothing. */
  public int settle(Group whole) {
    Held held = whole.held();
    held.requireClaim(sql);
    List<Settling> moved =
        whole.members().stream().filter(member -> fates.move(held, member)).toList();
    if (moved.isEmpty()) {
      return 0;
    }
    Group group =
        moved.size() == whole.members().size() ? whole : Group.of(held, moved, whole.now());
    long now = group.now();
    inFlight.delete(moved.stream().map(member -> member.waiting().id()).toList());
    int finished = (int) moved.stream().filter(member -> member.ending().isFinal()).count();
    urls.finished(held.name, finished, now);
    Added added =
        urls.add(group.found(), OptionalLong.of(held.id), url -> referrer(url, moved), now);
    Entered own = added.own();
    StateColumns.Counts counts =
        StateColumns.Counts.found(own.queued(), own.overCap(), own.skipped());
    JobStreak streak = held.streak;
    int pages = 0;
    int unkept = 0;
    Map<String, TemplateStats> templates = new LinkedHashMap<>();
    for (Settling member : moved) {
      Settlement settlement = member.settlement();
      followSeed(held, member, now);
      boolean newPage = isNewPage(member);
      if (member.isRequested()) {
        log(held, member, newPage, now);
      }
      long url = member.waiting().id();
      images.settled(runs.id(), held.id, held.name, url, settlement, now);
      imagesInGroup += settlement.isImage() ? 1 : 0;
      settlement.refusal().ifPresent(why -> log.refusal(url, held.id, why, now));
      counts =
          counts.and(
              StateColumns.Counts.of(
                  settlement, member.ending().isFinal(), member.isRequested(), newPage));
      settlement.tallies().forEach(stats -> templates.put(stats.template(), stats));
      streak = settlement.after(streak);
      pages += settlement.isPage() ? 1 : 0;
      unkept += settlement.isUnkept() ? 1 : 0;
    }
    images.wake(id -> rows.wake(id, now));
    templates.values().forEach(stats -> Templates.write(sql, held.id, stats));
    countPages(held, pages, unkept, streak);
    List<DomainState> states = moved.stream().map(member -> member.settlement().state()).toList();
    writeDomain(held, states, group.update(), counts, now);
    fates.written(held);
    return added.all().skipped();
  }

  private @Nullable Long referrer(CrawlUrl url, List<Settling> group) {
    for (Settling member : group) {
      Waiting page = member.waiting();
      if (url.equals(page.entry().url())) {
        return page.id();
      }
      if (page.entry().referrer().equals(Optional.of(url))) {
        return page.referrerId();
      }
    }
    return urls.find(url);
  }

  /** Redirects of a seed may lead the run to other domains. */
  private void followSeed(Held held, Settling settling, long now) {
    MovedSeeds moved = new MovedSeeds(sql);
    for (DomainName domain : settling.movedTo()) {
      moved.leadTo(runs.id(), urls.idOf(domain, now));
      urls.forget(domain);
    }
    if (settling.settlement().endsMove()) {
      moved.endOn(runs.id(), held.id);
    }
  }

  /** Whether the URL is a page for the first time, in any run. */
  private boolean isNewPage(Settling settling) {
    return settling.settlement().isPage()
        && (settling.settlement().entry().asked() == 0
            || !sql.exists(
                "SELECT 1 FROM pages WHERE url_id = ? LIMIT 1", settling.waiting().id()));
  }

  private void log(Held held, Settling settling, boolean newPage, long now) {
    Settlement settlement = settling.settlement();
    RequestLog.Asked asked =
        new RequestLog.Asked(
            runs.id(),
            held.id,
            held.token,
            settling.waiting().id(),
            settling.waiting().sourceId(),
            settlement.attempt().orElseThrow(),
            settlement.entry().asked() + 1,
            runs.isRefresh() && settlement.entry().isRevisit());
    Fetched fetched = settlement.fetched().orElseThrow();
    int found = newPage ? settlement.images().found() : 0;
    String fate = FateCode.of(settlement.fate()).word();
    log.insert(asked, fetched, Optional.of(settlement), found, fate, now);
    if (asked.source() != null) {
      sources.started(asked.source(), asked.attempt().startedAt().toEpochMilli());
    }
    if (settlement.isPage() && !(runs.isRefresh() && isSame(settlement))) {
      log.page(asked, fetched, settlement, settling.contentHash());
      if (fetched.outcome() instanceof NotModified) {
        log.copyContent(settling.waiting().id());
      }
    } else if (settlement.isPage()) {
      images.seenAgain(settling.waiting().id(), now);
    }
  }

  /** Whether a page is as it was: then a refresh keeps no further version of it. */
  public static boolean isSame(Settlement settlement) {
    return settlement.visited().filter(VisitResult::isUnchanged).isPresent();
  }

  /** Logs a request that settles no URL of the frontier. */
  void log(Held held, Note.Exchange request, long now) {
    Attempt attempt = request.attempt();
    log.insert(
        new RequestLog.Asked(
            runs.id(), held.id, held.token, null, null, attempt, attempt.ordinal(), false),
        request.fetched(),
        Optional.empty(),
        0,
        FateCode.DONE.word(),
        now);
  }

  /** Whether this holder's request, which settled no URL of the frontier, is in the log. */
  boolean isLogged(Held held, Note.Exchange request) {
    return sql.exists(
        """
        SELECT 1 FROM crawl_log WHERE domain_id = ? AND started_at = ? AND claim_token = ?
          AND url = ? AND kind = ?
        """,
        held.id,
        request.attempt().startedAt().toEpochMilli(),
        held.token,
        request.attempt().url().toString(),
        StateColumns.lower(request.attempt().kind().name()));
  }

  /** Counts pages for their job, and for its run when the transaction is committed. */
  private void countPages(Held held, int pages, int unkept, JobStreak streak) {
    pagesInGroup += pages;
    unkeptInGroup += unkept;
    if (pages + unkept > 0 || !streak.equals(held.streak)) {
      sql.update(
          "UPDATE jobs SET pages = pages + ?, unkept = unkept + ?, failed_in_row = ?"
              + " WHERE run_id = ? AND domain_id = ?",
          pages,
          unkept,
          streak.failed(),
          runs.id(),
          held.id);
    }
  }

  /**
   * Writes the domain's row, and a transition for every change of its status.
   *
   * @param states the states that the domain went through
   * @param update the last of them
   */
  void writeDomain(
      Held held,
      List<DomainState> states,
      StateColumns.Update update,
      StateColumns.Counts counts,
      long now) {
    DomainStatus status = held.status;
    for (DomainState state : states) {
      if (state.standing().status() != status) {
        Transitions.byHolder(sql, held.id, status, state.standing(), now);
        status = state.standing().status();
      }
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
    if (imagesInGroup > 0) {
      runs.countImages(imagesInGroup);
      imagesInGroup = 0;
    }
  }

  @Override
  public void rolledBack() {
    pagesInGroup = 0;
    unkeptInGroup = 0;
    imagesInGroup = 0;
    images.rolledBack();
    log.rolledBack();
  }

  @Override
  public void overtaken() {
    log.rolledBack();
  }
}
