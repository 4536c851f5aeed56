package dev.comity.store.postgres;

import dev.comity.core.port.queue.QueueCheckpoint;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.Written;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.crawl.ReadAhead.Waiting;
import dev.comity.store.crawl.Settlements.Settling;
import dev.comity.store.postgres.FlushPiece.FlushResult;
import dev.comity.store.postgres.FrontierInserts.Added;
import dev.comity.store.postgres.FrontierInserts.Finds;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.rows.DomainReadiness;
import dev.comity.store.postgres.rows.RefreshRows;
import dev.comity.store.postgres.rows.SightedImages;
import dev.comity.store.queue.QueueRows;
import dev.comity.store.sql.RequestLog;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.TermsColumns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Writes pieces of many domains in one transaction. It locks the domains' rows in the order of
 * their ids and compares the tokens: a piece whose claim is lost is left out, the others go on.
 * Statements take arrays or are sent in batches, so that their number hardly grows with the group.
 */
final class Flush {
  private final FrontierInserts inserts;
  private final FlushedReleases releases;
  private final OutsideRows outside;
  private final SettlementWrites members;
  private final SightedImages images;
  private final RunRows runs;

  Flush(
      FrontierInserts inserts,
      FlushedReleases releases,
      OutsideRows outside,
      SightedImages images,
      RunRows runs) {
    this.inserts = inserts;
    this.releases = releases;
    this.outside = outside;
    this.images = images;
    this.runs = runs;
    members = new SettlementWrites(runs);
  }

  /**
   * Writes pieces, and notes which URLs were taken; returns what became of each piece.
   *
   * @param queues what is to be kept of the domains' queues elsewhere
   */
  List<FlushResult> write(
      PostgresSession tx,
      String worker,
      List<FlushPiece> pieces,
      List<FlushPiece.TakenUrl> taken,
      Map<HeldDomain, QueueCheckpoint> queues) {
    Map<Long, Held> held = fence(tx, worker, pieces);
    DomainReadiness.fold(tx, held.keySet());
    QueueRows rows = new QueueRows(tx.sql);
    queues.forEach(
        (domain, checkpoint) -> {
          if (isHeld(domain, held)) {
            rows.write(domain.id, checkpoint, tx.now());
          }
        });
    List<FlushPiece> sound =
        pieces.stream()
            .filter(piece -> isHeld(piece.domain(), held))
            .filter(piece -> !isRepeated(tx, piece))
            .toList();
    Set<Long> moved = SettledUrls.move(tx, members(sound));
    Map<FlushPiece, Added> added = addFound(tx, sound, moved);
    SettlementWrites.RunCounts counts = new SettlementWrites.RunCounts();
    RequestLog log = log(tx, sound, moved);
    Set<Long> knownPages = knownPages(tx, members(sound));
    for (FlushPiece piece : sound) {
      switch (piece) {
        case FlushPiece.SettledPiece settled ->
            members.settle(tx, settled, moved, knownPages, added.get(settled), log, counts);
        case FlushPiece.Noted noted -> members.note(tx, noted, added.get(noted), log);
        case FlushPiece.Outside links -> outside.keep(tx, links);
        case FlushPiece.Hinted(var domain, var hints, var queued) ->
            // A write that is done again after an unknown commit queues none.
            queued.accumulateAndGet(
                RefreshRows.hint(tx, domain.id, hints, domain.hintsLeft()), Math::max);
        case FlushPiece.Released _, FlushPiece.Checked _ -> {}
      }
    }
    images.write(tx, runs.id(), counts.news);
    SightedImages.seenAgain(tx, counts.unchanged);
    noteTaken(tx, worker, taken, moved);
    tx.later.write();
    releases.write(tx, sound);
    if (counts.pages + counts.unkept + counts.images > 0) {
      tx.sql.update(
          "UPDATE lanes SET pages = pages + ?, unkept = unkept + ?, images = images + ?"
              + " WHERE worker = ? AND lane = 'flush'",
          counts.pages,
          counts.unkept,
          counts.images,
          worker);
    }
    sound.forEach(piece -> piece.domain().terms = terms(piece, held));
    return pieces.stream().map(piece -> outcome(piece, held, added)).toList();
  }

  /** The claim that this worker has on a domain. */
  private record Held(long token, OperatorTerms terms) {}

  /** A group may have pieces of a claim that was lost and of the one after it. */
  private static boolean isHeld(HeldDomain domain, Map<Long, Held> held) {
    Held claim = held.get(domain.id);
    return claim != null && claim.token() == domain.token;
  }

  private static OperatorTerms terms(FlushPiece piece, Map<Long, Held> held) {
    return Objects.requireNonNull(held.get(piece.domain().id)).terms();
  }

  private static FlushResult outcome(
      FlushPiece piece, Map<Long, Held> held, Map<FlushPiece, Added> added) {
    if (!isHeld(piece.domain(), held)) {
      return FlushResult.LOST;
    }
    Added found = added.get(piece);
    boolean elsewhere =
        piece.found().stream()
            .anyMatch(url -> !url.skipped() && !url.domain().equals(piece.domain().name));
    return found == null
        ? FlushResult.DONE
        : new FlushResult(false, new Written(elsewhere, found.all().skipped()));
  }

  /** Locks the rows of the pieces' domains that this worker holds; returns its claims on them. */
  private static Map<Long, Held> fence(PostgresSession tx, String worker, List<FlushPiece> pieces) {
    Set<Long> ids = new TreeSet<>();
    pieces.forEach(piece -> ids.add(piece.domain().id));
    Map<Long, Held> held = new TreeMap<>();
    if (ids.isEmpty()) {
      return held;
    }
    tx.sql.each(
        "SELECT d.id, d.claim_token, "
            + TermsColumns.NAMES
            + " FROM domains d WHERE d.id = ANY (?) AND d.claimed_by = ?"
            + " ORDER BY d.id FOR NO KEY UPDATE",
        row -> held.put(row.getLong(1), new Held(row.getLong(2), TermsColumns.read(row, 3))),
        tx.longs(ids),
        worker);
    return held;
  }

  /** Whether a note's request is in the log: its caller did not hear that it was written. */
  private static boolean isRepeated(PostgresSession tx, FlushPiece piece) {
    return piece instanceof FlushPiece.Noted(var domain, var note, _)
        && note.request()
            .filter(
                request ->
                    tx.sql.exists(
                        """
                        SELECT 1 FROM crawl_log WHERE domain_id = ? AND started_at = ?
                          AND claim_token = ? AND url = ? AND kind = ?
                        """,
                        domain.id,
                        request.attempt().startedAt().toEpochMilli(),
                        domain.token,
                        request.attempt().url().toString(),
                        StateColumns.lower(request.attempt().kind().name())))
            .isPresent();
  }

  private static List<SettledUrls.Member> members(List<FlushPiece> pieces) {
    List<SettledUrls.Member> members = new ArrayList<>();
    for (FlushPiece piece : pieces) {
      if (piece instanceof FlushPiece.SettledPiece settled) {
        for (int i = 0; i < settled.members().size(); i++) {
          members.add(
              new SettledUrls.Member(
                  settled.domain().id, settled.members().get(i), settled.looks().get(i)));
        }
      }
    }
    return members;
  }

  private Map<FlushPiece, Added> addFound(
      PostgresSession tx, List<FlushPiece> sound, Set<Long> moved) {
    List<FlushPiece> finders = new ArrayList<>();
    List<Finds> finds = new ArrayList<>();
    for (FlushPiece piece : sound) {
      switch (piece) {
        case FlushPiece.SettledPiece settled -> {
          finders.add(piece);
          finds.add(finds(settled, moved));
        }
        case FlushPiece.Noted(var domain, _, var found) -> {
          finders.add(piece);
          finds.add(new Finds(domain.id, 0, found, Map.of()));
        }
        case FlushPiece.Outside _,
            FlushPiece.Hinted _,
            FlushPiece.Released _,
            FlushPiece.Checked _ -> {}
      }
    }
    List<Added> added = inserts.add(tx, finds);
    Map<FlushPiece, Added> byPiece = new HashMap<>();
    for (int i = 0; i < finders.size(); i++) {
      byPiece.put(finders.get(i), added.get(i));
    }
    return byPiece;
  }

  /** What the settlements that changed anything have found, and the pages it was found on. */
  private static Finds finds(FlushPiece.SettledPiece piece, Set<Long> moved) {
    List<FoundUrl> found = new ArrayList<>();
    Map<CrawlUrl, Long> referrers = new HashMap<>();
    int finished = 0;
    for (int i = 0; i < piece.members().size(); i++) {
      Settling member = piece.members().get(i);
      Waiting page = member.waiting();
      if (!moved.contains(page.id())) {
        continue;
      }
      found.addAll(piece.finds().get(i));
      finished += SettledUrls.ending(member).isFinal() ? 1 : 0;
      referrers.put(page.entry().url(), page.id());
      if (page.referrerId() != null && page.entry().referrer().isPresent()) {
        referrers.putIfAbsent(page.entry().referrer().get(), page.referrerId());
      }
    }
    return new Finds(piece.domain().id, finished, found, referrers);
  }

  /** A log whose ids were given together. */
  private static RequestLog log(PostgresSession tx, List<FlushPiece> sound, Set<Long> moved) {
    long requests = 0;
    for (FlushPiece piece : sound) {
      requests +=
          switch (piece) {
            case FlushPiece.SettledPiece settled ->
                settled.members().stream()
                    .filter(one -> moved.contains(one.waiting().id()))
                    .filter(SettlementWrites::isRequested)
                    .count();
            case FlushPiece.Noted(_, var note, _) -> note.request().isPresent() ? 1 : 0;
            case FlushPiece.Outside _,
                FlushPiece.Hinted _,
                FlushPiece.Released _,
                FlushPiece.Checked _ ->
                0;
          };
    }
    if (requests == 0) {
      return new RequestLog(tx.later, () -> 0);
    }
    List<Long> ids =
        tx.sql.list(
            "SELECT nextval('crawl_log_id_seq') FROM generate_series(1, ?)",
            row -> row.getLong(1),
            (int) requests);
    return new RequestLog(tx.later, ids.iterator()::next);
  }

  /** Which of the URLs that are asked again were a page before, in any run. */
  private static Set<Long> knownPages(PostgresSession tx, List<SettledUrls.Member> members) {
    List<Long> again =
        members.stream()
            .map(SettledUrls.Member::settling)
            .filter(one -> one.settlement().isPage() && one.settlement().entry().asked() > 0)
            .map(one -> one.waiting().id())
            .toList();
    Set<Long> known = new HashSet<>();
    if (!again.isEmpty()) {
      tx.sql.each(
          "SELECT url_id FROM pages WHERE url_id = ANY (?)",
          row -> known.add(row.getLong(1)),
          tx.longs(again));
    }
    return known;
  }

  /**
   * After a worker's death these rows say which URL may have caused it. No row of a domain is
   * locked for that: a sweep would skip it.
   */
  private static void noteTaken(
      PostgresSession tx, String worker, List<FlushPiece.TakenUrl> taken, Set<Long> settled) {
    if (!settled.isEmpty()) {
      tx.sql.update("DELETE FROM in_flight WHERE url_id = ANY (?)", tx.longs(settled));
      tx.sql.update("DELETE FROM suspects WHERE url_id = ANY (?)", tx.longs(settled));
    }
    Map<Long, HeldDomain> urls = new TreeMap<>();
    taken.stream()
        .filter(one -> !settled.contains(one.url()))
        .forEach(one -> urls.put(one.url(), one.domain()));
    if (!urls.isEmpty()) {
      tx.sql.update(
          """
          INSERT INTO in_flight (url_id, domain_id, worker, taken_at)
          SELECT u.url, u.domain, d.claimed_by, ?
          FROM unnest(?::bigint[], ?::bigint[], ?::bigint[]) AS u(url, domain, token)
          JOIN domains d ON d.id = u.domain AND d.claim_token = u.token AND d.claimed_by = ?
          ON CONFLICT (url_id) DO UPDATE SET worker = excluded.worker, taken_at = excluded.taken_at
          """,
          tx.now(),
          tx.longs(urls.keySet()),
          tx.longs(urls.values().stream().map(domain -> domain.id).toList()),
          tx.longs(urls.values().stream().map(domain -> domain.token).toList()),
          worker);
    }
  }
}
