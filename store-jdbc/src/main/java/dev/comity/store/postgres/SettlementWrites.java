package dev.comity.store.postgres;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.NotModified;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.schedule.JobStreak;
import dev.comity.core.trap.TemplateStats;
import dev.comity.store.crawl.FrontierCodes.FateCode;
import dev.comity.store.crawl.Settlements;
import dev.comity.store.crawl.Settlements.Settling;
import dev.comity.store.postgres.FrontierInserts.Added;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.rows.SightedImages.ImageNews;
import dev.comity.store.postgres.rows.SourcePaces;
import dev.comity.store.refresh.DueDomains;
import dev.comity.store.sql.RequestLog;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Templates;
import dev.comity.store.sql.Transitions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes what settlements and notes of one domain say, beside the rows of their URLs. */
record SettlementWrites(RunRows runs) {
  /** What the group adds to the counts of its run, and what it says of images. */
  static final class RunCounts {
    long pages;
    long unkept;
    long images;
    final List<ImageNews> news = new ArrayList<>();
    final List<Long> unchanged = new ArrayList<>();
  }

  void settle(
      PostgresSession tx,
      FlushPiece.SettledPiece piece,
      Set<Long> moved,
      Set<Long> knownPages,
      @Nullable Added found,
      RequestLog log,
      RunCounts run) {
    HeldDomain held = piece.domain();
    List<Settling> members =
        piece.members().stream().filter(one -> moved.contains(one.waiting().id())).toList();
    if (members.isEmpty()) {
      return;
    }
    StateColumns.Counts counts = counted(found);
    JobStreak streak = held.streak;
    int pages = 0;
    int unkept = 0;
    Map<String, TemplateStats> templates = new LinkedHashMap<>();
    for (Settling member : members) {
      Settlement settlement = member.settlement();
      runs.followSeed(tx, held.id, member);
      boolean newPage = settlement.isPage() && !knownPages.contains(member.waiting().id());
      if (isRequested(member)) {
        log(held, member, newPage, log, run, tx.now());
        startSource(tx, member);
      }
      ImageNews news = new ImageNews(held.id, held.name, member.waiting().id(), settlement);
      if (news.isAny()) {
        run.news.add(news);
      }
      settlement
          .refusal()
          .ifPresent(why -> log.refusal(member.waiting().id(), held.id, why, tx.now()));
      counts =
          counts.and(
              StateColumns.Counts.of(
                  settlement, SettledUrls.ending(member).isFinal(), isRequested(member), newPage));
      settlement.tallies().forEach(stats -> templates.put(stats.template(), stats));
      streak = settlement.after(streak);
      pages += settlement.isPage() ? 1 : 0;
      unkept += settlement.isUnkept() ? 1 : 0;
      run.images += settlement.isImage() ? 1 : 0;
    }
    templates.values().forEach(stats -> Templates.write(tx.later, held.id, stats));
    run.pages += pages;
    run.unkept += unkept;
    if (pages + unkept > 0 || !streak.equals(held.streak)) {
      tx.later.update(
          "UPDATE jobs SET pages = pages + ?, unkept = unkept + ?, failed_in_row = ?"
              + " WHERE run_id = ? AND domain_id = ?",
          pages,
          unkept,
          streak.failed(),
          runs.id(),
          held.id);
    }
    if (piece.lesson().isNew() && piece.lesson().known() != null) {
      new DueDomains(tx.later).write(held.id, piece.lesson().known());
    }
    writeDomain(tx, held, members.stream().map(one -> one.settlement().state()).toList(), counts);
  }

  private static StateColumns.Counts counted(@Nullable Added found) {
    return found == null
        ? StateColumns.Counts.NONE
        : StateColumns.Counts.found(
            found.own().queued(), found.own().overCap(), found.own().skipped());
  }

  private static void startSource(PostgresSession tx, Settling member) {
    Long source = member.waiting().sourceId();
    if (source != null) {
      SourcePaces.started(tx, source, member.settlement().attempt().orElseThrow().startedAt());
    }
  }

  private void log(
      HeldDomain held, Settling member, boolean newPage, RequestLog log, RunCounts run, long now) {
    Settlement settlement = member.settlement();
    RequestLog.Asked asked =
        new RequestLog.Asked(
            runs.id(),
            held.id,
            held.token,
            member.waiting().id(),
            member.waiting().sourceId(),
            settlement.attempt().orElseThrow(),
            settlement.entry().asked() + 1,
            runs.isRefresh() && settlement.entry().isRevisit());
    Fetched fetched = settlement.fetched().orElseThrow();
    log.insert(
        asked,
        fetched,
        Optional.of(settlement),
        newPage ? settlement.images().found() : 0,
        FateCode.of(settlement.fate()).word(),
        now);
    if (settlement.isPage() && !(runs.isRefresh() && Settlements.isSame(settlement))) {
      log.page(asked, fetched, settlement, member.contentHash());
      if (fetched.outcome() instanceof NotModified) {
        log.copyContent(member.waiting().id());
      }
    } else if (settlement.isPage()) {
      run.unchanged.add(member.waiting().id());
    }
  }

  void note(PostgresSession tx, FlushPiece.Noted piece, @Nullable Added found, RequestLog log) {
    HeldDomain held = piece.domain();
    Note note = piece.note();
    note.request()
        .ifPresent(
            request ->
                log.insert(
                    new RequestLog.Asked(
                        runs.id(),
                        held.id,
                        held.token,
                        null,
                        null,
                        request.attempt(),
                        request.attempt().ordinal(),
                        false),
                    request.fetched(),
                    Optional.empty(),
                    0,
                    FateCode.DONE.word(),
                    tx.now()));
    note.robots().ifPresent(copy -> keep(tx, copy));
    note.tallies().forEach(stats -> Templates.write(tx.later, held.id, stats));
    StateColumns.Counts counts = counted(found);
    writeDomain(
        tx,
        held,
        List.of(note.state()),
        note.request().isPresent() ? counts.and(StateColumns.Counts.request()) : counts);
  }

  private static void keep(PostgresSession tx, RobotsCopy copy) {
    tx.sql.update(
        """
        INSERT INTO robots_cache (authority, fetched_at, allowed, body) VALUES (?, ?, ?, ?)
        ON CONFLICT (authority) DO UPDATE SET fetched_at = excluded.fetched_at,
          allowed = excluded.allowed, body = excluded.body
        """,
        RobotsCopy.key(copy.kind(), copy.authority()),
        copy.fetchedAt().toEpochMilli(),
        copy.allowed() ? 1 : 0,
        copy.file().map(Body::bytes).orElse(null));
  }

  /** Writes the domain's row, and a transition for every change of its status. */
  private static void writeDomain(
      PostgresSession tx, HeldDomain held, List<DomainState> states, StateColumns.Counts counts) {
    DomainStatus status = held.status;
    for (DomainState state : states) {
      if (state.standing().status() != status) {
        Transitions.byHolder(tx.later, held.id, status, state.standing(), tx.now());
        status = state.standing().status();
      }
    }
    boolean stands = states.stream().allMatch(held::stands);
    StateColumns.Update update = StateColumns.Update.of(states.getLast(), stands, tx.now());
    new StateColumns.Update(update.sql().replace("= max(", "= greatest("), update.values())
        .write(tx.later, held.id, counts, tx.now());
  }

  static boolean isRequested(Settling member) {
    return member.settlement().attempt().isPresent() && member.settlement().fetched().isPresent();
  }
}
