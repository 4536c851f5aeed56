package dev.comity.store.crawl;

import dev.comity.core.outcome.Kind;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.SourceWaits;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.crawl.HeldDomains.Held;
import dev.comity.store.refresh.VisitColumns;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.UrlText;
import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads the next URLs of a held domain. Runs in the reader's thread. */
public final class ReadAhead {
  private static final long NONE = Long.MAX_VALUE;

  /**
   * A URL and its row.
   *
   * @param place where it stands in the queue
   * @param suspect whether one more death with it in flight would set it aside
   */
  public record Waiting(
      QueuedUrl entry,
      long id,
      int place,
      boolean suspect,
      @Nullable Long referrerId,
      @Nullable Long sourceId) {}

  /** A source without a turn. */
  public record WaitingSource(String name, Instant until) {
    WaitingSource until(Optional<Instant> at) {
      return new WaitingSource(name, at.orElse(until));
    }
  }

  private final Statements sql;

  /** Deaths that make a URL a suspect: the next one would set it aside. */
  private static final int SUSPECT_AFTER = Recovery.SET_ASIDE_AFTER - 1;

  public ReadAhead(Statements sql) {
    this.sql = sql;
  }

  /** The rows of queued URLs with all that belongs to them. */
  static final String QUEUED =
      """
      SELECT f.id, f.place, a.authority, f.depth, f.hops, f.asked, f.tries_spent,
        f.referrer_id, f.source_id, ra.authority || r.target, b.url, s.name, i.deaths >= ?,
        f.kind, f.target, f.visited_at, f.fingerprint, f.changes, f.missing_since, f.etag,
        f.last_modified, f.hint
      FROM domain_frontier f
      LEFT JOIN authorities a ON a.domain_id = f.domain_id AND a.number = f.authority_no
      LEFT JOIN domain_frontier r ON r.id = f.referrer_id
      LEFT JOIN authorities ra ON ra.domain_id = r.domain_id AND ra.number = r.authority_no
      LEFT JOIN fallbacks b ON b.url_id = f.id
      LEFT JOIN in_flight i ON i.url_id = f.id
      LEFT JOIN sources s ON s.id = f.source_id
      WHERE f.domain_id = ? AND f.state = 0
      """;

  /**
   * Reads the next URLs that are due and not in flight, and when the first deferred one is due.
   * Returns what is wrong if a row cannot be read.
   */
  Optional<String> fill(Held held, int most, Wanted wanted) {
    String kinds = kinds(wanted);
    held.nextDue =
        sql.first(
                "SELECT due_at FROM domain_frontier f WHERE domain_id = ? AND state = 0"
                    + " AND due_at IS NOT NULL"
                    + kinds
                    + " ORDER BY due_at LIMIT 1",
                row -> row.getLong(1),
                held.id)
            .orElse(NONE);
    int limit = most + held.inFlight.size();
    List<Stored<Waiting>> rows = queued(held, kinds, limit);
    held.readAll = rows.size() < limit;
    held.ahead.clear();
    for (Stored<Waiting> row : rows) {
      switch (row) {
        case Stored.Damaged(var reason) -> {
          held.ahead.clear();
          return Optional.of(reason);
        }
        case Stored.Sound(var waiting) -> {
          if (!held.inFlight.containsKey(waiting.entry().url())) {
            held.ahead.add(waiting);
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Queued URLs that are due, except those of sources without a turn. */
  private List<Stored<Waiting>> queued(Held held, String kinds, int limit) {
    String due = QUEUED + kinds + " AND f.due_at IS NULL";
    String order = " ORDER BY f.place, f.id LIMIT ?";
    if (held.sources.isEmpty()) {
      return sql.list(
          due + order, row -> waiting(row, held.name.name()), SUSPECT_AFTER, held.id, limit);
    }
    return sql.list(
        due
            + " AND (f.source_id IS NULL"
            + " OR f.source_id NOT IN (SELECT value FROM json_each(?)))"
            + order,
        row -> waiting(row, held.name.name()),
        SUSPECT_AFTER,
        held.id,
        held.sources.keySet().toString(),
        limit);
  }

  private static String kinds(Wanted wanted) {
    return switch (wanted) {
      case ANY -> "";
      case PAGES -> " AND f.kind <> 3";
      case IMAGES -> " AND f.kind = 3";
    };
  }

  /**
   * The first URL that may be requested. A domain has one suspect in flight at a time: the next
   * death then shows which one it was. No domain waits for the suspects of another. URLs of sources
   * without a turn are left out, and the next look passes over them.
   */
  static @Nullable Waiting admitted(Held domain, SourceWaits waits, Instant now) {
    boolean quarantined = domain.inFlight.values().stream().anyMatch(Waiting::suspect);
    for (Iterator<Waiting> ahead = domain.ahead.iterator(); ahead.hasNext(); ) {
      Waiting next = ahead.next();
      if (waitsForSource(domain, next, waits, now)) {
        ahead.remove();
        domain.passedOver = true;
        continue;
      }
      if (!next.suspect() || !quarantined) {
        ahead.remove();
        return next;
      }
    }
    return null;
  }

  private static boolean waitsForSource(Held domain, Waiting next, SourceWaits waits, Instant now) {
    Long id = next.sourceId();
    Optional<String> source = next.entry().source();
    if (id == null || source.isEmpty()) {
      return false;
    }
    Optional<Instant> until = waits.until(source.get(), now);
    until.ifPresent(at -> domain.sources.put(id, new WaitingSource(source.get(), at)));
    return until.isPresent();
  }

  /** The answer when no URL was read. */
  static Next none(Held held) {
    Optional<WaitingSource> source =
        held.sources.values().stream().min(Comparator.comparing(WaitingSource::until));
    if (source.isPresent() && source.get().until().isBefore(Instant.ofEpochMilli(held.nextDue))) {
      return new Next.DueAt(source.get().until(), Optional.of(source.get().name()));
    }
    return held.nextDue == NONE
        ? new Next.Empty()
        : new Next.DueAt(Instant.ofEpochMilli(held.nextDue));
  }

  /** The row of a query for {@link #QUEUED}. */
  static Stored<Waiting> waiting(ResultRow row, String domain) {
    Stored<CrawlUrl> url =
        UrlText.read(row.getLong(1), row.getString(3), row.getString(15), domain);
    if (!(url instanceof Stored.Sound(var good))) {
      return new Stored.Damaged<>(url.damage().orElseThrow());
    }
    Kind kind = FrontierCodes.kind(row.getInt(14));
    QueuedUrl entry =
        new QueuedUrl(
            good,
            kind,
            row.getInt(4),
            url(row.getString(10)),
            row.getInt(5),
            row.getInt(6),
            row.getInt(7),
            url(row.getString(11)),
            row.optionalText(12),
            kind == Kind.LINKS ? Optional.empty() : VisitColumns.read(row, 16));
    return new Stored.Sound<>(
        new Waiting(
            entry,
            row.getLong(1),
            row.getInt(2),
            row.getBoolean(13),
            number(row, 8),
            number(row, 9)));
  }

  /** An optional URL: one that cannot be read is left out. */
  private static Optional<CrawlUrl> url(@Nullable String text) {
    return text != null && CrawlUrl.parse(text) instanceof CrawlUrl url
        ? Optional.of(url)
        : Optional.empty();
  }

  private static @Nullable Long number(ResultRow row, int column) {
    OptionalLong value = row.optionalNumber(column);
    return value.isPresent() ? (Long) value.getAsLong() : null;
  }
}
