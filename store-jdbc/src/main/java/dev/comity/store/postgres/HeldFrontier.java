package dev.comity.store.postgres;

import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.SourceWaits;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Frontier;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.crawl.FrontierCodes;
import dev.comity.store.crawl.ReadAhead.Waiting;
import dev.comity.store.crawl.ReadAhead.WaitingSource;
import dev.comity.store.crawl.Recovery;
import dev.comity.store.crawl.Settlements.Settling;
import dev.comity.store.postgres.connect.ReadSessions;
import dev.comity.store.refresh.VisitColumns;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.UrlText;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The domains that this worker holds, each with the head of its frontier in memory: taking a URL
 * waits for no write.
 */
final class HeldFrontier implements Frontier {
  /** How long a domain with only suspects left waits before it tries the next. */
  private static final Duration QUARANTINE_WAIT = Duration.ofMillis(250);

  private static final long NONE = Long.MAX_VALUE;

  /**
   * Queued URLs and deferred ones that are due, in their order, with all that belongs to them. Most
   * referrers are of the same domain: that is one part of the table, and not all eight.
   */
  private static final String QUEUED =
      """
      SELECT f.id, f.place, f.url, f.depth, f.hops, f.asked, f.tries_spent, f.referrer_id,
        f.source_id,
        coalesce((SELECT r.url FROM domain_frontier r
            WHERE r.domain_id = f.domain_id AND r.id = f.referrer_id),
          (SELECT r.url FROM domain_frontier r WHERE r.id = f.referrer_id LIMIT 1)),
        b.url, s.name, coalesce(x.deaths, 0) >= ?, f.kind, f.visited_at,
        f.fingerprint, f.changes, f.missing_since, f.etag, f.last_modified, f.hint
      FROM (SELECT * FROM (
          (SELECT * FROM domain_frontier f WHERE f.domain_id = ? AND f.state = 0
            AND f.due_at IS NULL ${kinds} ORDER BY f.place, f.id LIMIT ?)
          UNION ALL
          (SELECT * FROM domain_frontier f WHERE f.domain_id = ? AND f.state = 0
            AND f.due_at IS NOT NULL AND f.due_at <= ? ${kinds} ORDER BY f.due_at LIMIT ?)) q
        ORDER BY q.place, q.id LIMIT ?) f
      LEFT JOIN fallbacks b ON b.url_id = f.id
      LEFT JOIN suspects x ON x.url_id = f.id
      LEFT JOIN sources s ON s.id = f.source_id
      ORDER BY f.place, f.id
      """;

  private final StoreLimits limits;
  private final ReadSessions reading;
  private final Consumer<FlushPiece.TakenUrl> takes;
  private final BiFunction<HeldDomain, String, ClaimLost> damage;
  private final Map<DomainName, HeldDomain> held = new ConcurrentHashMap<>();

  /**
   * @param takes hears of each URL that is taken
   * @param damage sets a domain aside whose URLs cannot be read
   */
  HeldFrontier(
      StoreLimits limits,
      ReadSessions reading,
      Consumer<FlushPiece.TakenUrl> takes,
      BiFunction<HeldDomain, String, ClaimLost> damage) {
    this.limits = limits;
    this.reading = reading;
    this.takes = takes;
    this.damage = damage;
  }

  void hold(HeldDomain domain) {
    held.put(domain.name, domain);
  }

  void drop(HeldDomain domain) {
    held.remove(domain.name, domain);
  }

  /** Domains with an expired lease get no more URLs, even if their holders never write. */
  void dropAll(Collection<DomainName> ended) {
    ended.forEach(held::remove);
  }

  void dropAll() {
    held.clear();
  }

  int size() {
    return held.size();
  }

  Optional<HeldDomain> find(DomainName name) {
    return Optional.ofNullable(held.get(name));
  }

  /**
   * The domain this claim holds.
   *
   * @throws ClaimLost if it holds none
   */
  HeldDomain of(Claim claim) {
    HeldDomain domain = held.get(claim.domain());
    if (domain == null || domain.token != claim.token()) {
      throw new ClaimLost(claim.domain(), claim.token());
    }
    return domain;
  }

  @Override
  public Next next(Claim claim, Instant now, Wanted wanted, SourceWaits waits) {
    HeldDomain domain = of(claim);
    synchronized (domain) {
      domain.read(wanted);
      domain.heedArrivals();
      domain.heedSources(waits, now);
      boolean drained = domain.ahead.isEmpty() && domain.readAll && !domain.inFlight.isEmpty();
      if (domain.nextDue <= now.toEpochMilli() || (domain.ahead.isEmpty() && !drained)) {
        fill(domain, now.toEpochMilli());
      }
      Waiting next = domain.admitted(waits, now);
      while (next == null && domain.passesOver()) {
        // URLs of other sources may stand behind those that were read.
        fill(domain, now.toEpochMilli());
        next = domain.admitted(waits, now);
      }
      if (next == null) {
        return domain.ahead.isEmpty() ? none(domain) : new Next.DueAt(now.plus(QUARANTINE_WAIT));
      }
      domain.inFlight.put(next.entry().url(), next);
      takes.accept(new FlushPiece.TakenUrl(domain, next.id()));
      return new Next.Ready(next.entry());
    }
  }

  @Override
  public boolean isEmpty(Claim claim, Wanted wanted) {
    HeldDomain domain = of(claim);
    synchronized (domain) {
      domain.read(wanted);
      domain.heedArrivals();
      if (!domain.inFlight.isEmpty()) {
        return false;
      }
      if (domain.ahead.isEmpty()) {
        fill(domain, Long.MIN_VALUE);
      }
      return domain.ahead.isEmpty() && domain.waiting.isEmpty() && domain.nextDue == NONE;
    }
  }

  private static Next none(HeldDomain domain) {
    Optional<WaitingSource> source = domain.firstSource();
    if (source.isPresent() && source.get().until().toEpochMilli() < domain.nextDue) {
      return new Next.DueAt(source.get().until(), Optional.of(source.get().name()));
    }
    return domain.nextDue == NONE
        ? new Next.Empty()
        : new Next.DueAt(Instant.ofEpochMilli(domain.nextDue));
  }

  private void fill(HeldDomain domain, long now) {
    Optional<String> damaged = reading.read(sql -> read(sql, domain, now));
    if (damaged.isPresent()) {
      domain.ahead.clear();
      throw damage.apply(domain, damaged.get());
    }
  }

  /** Reads the next URLs; returns what is wrong if a row cannot be read. */
  private Optional<String> read(Statements sql, HeldDomain domain, long now) {
    String kinds = kinds(domain.wanted);
    String queued = kinds + withTurn(domain.waiting.keySet());
    domain.nextDue =
        sql.first(
                "SELECT f.due_at FROM domain_frontier f WHERE f.domain_id = ? AND f.state = 0"
                    + " AND f.due_at IS NOT NULL AND f.due_at > ?"
                    + kinds
                    + " ORDER BY f.due_at LIMIT 1",
                row -> row.getLong(1),
                domain.id,
                now)
            .orElse(NONE);
    int limit = limits.aheadWith(held.size()) + domain.inFlight.size();
    List<Stored<Waiting>> rows =
        sql.list(
            QUEUED.replace("${kinds}", queued),
            row -> waiting(row, domain.name.name()),
            Recovery.SET_ASIDE_AFTER - 1,
            domain.id,
            limit,
            domain.id,
            now,
            limit,
            limit);
    domain.readAll = rows.size() < limit;
    domain.ahead.clear();
    for (Stored<Waiting> row : rows) {
      switch (row) {
        case Stored.Damaged(var reason) -> {
          return Optional.of(reason);
        }
        case Stored.Sound(var waiting) -> {
          if (!domain.inFlight.containsKey(waiting.entry().url())) {
            domain.ahead.add(waiting);
          }
        }
      }
    }
    return Optional.empty();
  }

  /** URLs of sources without a turn are passed over. */
  private static String withTurn(Collection<Long> waiting) {
    return waiting.isEmpty()
        ? ""
        : " AND (f.source_id IS NULL OR f.source_id NOT IN ("
            + waiting.stream().map(String::valueOf).collect(Collectors.joining(", "))
            + "))";
  }

  private static String kinds(Wanted wanted) {
    return switch (wanted) {
      case ANY -> "";
      case PAGES -> " AND f.kind <> 3";
      case IMAGES -> " AND f.kind = 3";
    };
  }

  private static Stored<Waiting> waiting(ResultRow row, String domain) {
    Stored<CrawlUrl> url = UrlText.read(row.getLong(1), "", row.getString(3), domain);
    if (!(url instanceof Stored.Sound(var good))) {
      return new Stored.Damaged<>(url.damage().orElseThrow());
    }
    Kind kind = FrontierCodes.kind(row.getInt(14));
    QueuedUrl entry =
        new QueuedUrl(
            good,
            kind,
            row.getInt(4),
            readable(row.optionalText(10)),
            row.getInt(5),
            row.getInt(6),
            row.getInt(7),
            readable(row.optionalText(11)),
            row.optionalText(12),
            kind == Kind.LINKS ? Optional.empty() : VisitColumns.read(row, 15));
    return new Stored.Sound<>(
        new Waiting(
            entry,
            row.getLong(1),
            row.getInt(2),
            row.getBoolean(13),
            number(row.optionalNumber(8)),
            number(row.optionalNumber(9))));
  }

  /** An optional URL: one that cannot be read is left out. */
  private static Optional<CrawlUrl> readable(Optional<String> text) {
    return text.flatMap(
        one -> CrawlUrl.parse(one) instanceof CrawlUrl url ? Optional.of(url) : Optional.empty());
  }

  private static @Nullable Long number(OptionalLong value) {
    return value.isPresent() ? (Long) value.getAsLong() : null;
  }

  /** Follows settlements that are durable. */
  void settled(FlushPiece.SettledPiece piece) {
    HeldDomain domain = piece.domain();
    domain.lesson = piece.lesson().written();
    synchronized (domain) {
      // Others may have written since it was read.
      domain.readAll = false;
      for (Settling member : piece.members()) {
        Settlement settlement = member.settlement();
        domain.inFlight.remove(settlement.entry().url());
        domain.streak = settlement.after(domain.streak);
        domain.written(settlement.state());
        switch (settlement.fate()) {
          case Fate.Retry(var due, _) ->
              domain.nextDue = Math.min(domain.nextDue, StateColumns.ceilMillis(due));
          case Fate.Returned _ -> domain.lookAgain();
          case Fate _ -> {}
        }
      }
    }
    entered(piece.found());
  }

  /** URLs have entered frontiers, and some may come before those read ahead. */
  void entered(List<FoundUrl> found) {
    for (FoundUrl one : found) {
      HeldDomain domain = one.skipped() ? null : held.get(one.domain());
      if (domain != null) {
        domain.entered(FrontierCodes.place(one.entry()));
      }
    }
  }
}
