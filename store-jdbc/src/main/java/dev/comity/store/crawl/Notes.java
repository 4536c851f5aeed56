package dev.comity.store.crawl;

import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.crawl.FrontierWriter.Arrival;
import dev.comity.store.crawl.FrontierWriter.Entered;
import dev.comity.store.crawl.HeldDomains.Held;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Templates;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Writes what a holder learns other than by a URL of the frontier: a robots.txt, a request for it,
 * the links of a sitemap, a new state. Runs in the writer's thread.
 */
public record Notes(Statements sql, FrontierWriter urls, Settlements settlements) {

  /**
   * Returns how many new URLs are skipped. A note whose request is in the log was written before,
   * by a caller that did not hear of it, and writes nothing.
   */
  public int write(Held held, Note note, List<Arrival> found, long now) {
    held.requireClaim(sql);
    if (note.request().filter(request -> settlements.isLogged(held, request)).isPresent()) {
      return 0;
    }
    FrontierWriter.Added added = urls.add(found, OptionalLong.of(held.id), once(urls::find), now);
    note.request().ifPresent(request -> settlements.log(held, request, now));
    note.robots().ifPresent(this::keep);
    for (TemplateStats stats : note.tallies()) {
      Templates.write(sql, held.id, stats);
    }
    Entered own = added.own();
    settlements.writeDomain(
        held,
        List.of(note.state()),
        StateColumns.Update.of(note.state(), held.stands(note.state()), now),
        counted(note).and(StateColumns.Counts.found(own.queued(), own.overCap(), own.skipped())),
        now);
    return added.all().skipped();
  }

  private static StateColumns.Counts counted(Note note) {
    return note.request().isPresent() ? StateColumns.Counts.request() : StateColumns.Counts.NONE;
  }

  /** URLs that are found together mostly have one referrer: a sitemap lists thousands. */
  static FrontierWriter.Referrers once(FrontierWriter.Referrers referrers) {
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

  private void keep(RobotsCopy copy) {
    sql.update(
        """
        INSERT INTO robots_cache (authority, fetched_at, allowed, body) VALUES (?, ?, ?, ?)
        ON CONFLICT (authority) DO UPDATE SET fetched_at = excluded.fetched_at,
          allowed = excluded.allowed, body = excluded.body
        """,
        RobotsCopy.key(copy.kind(), copy.authority()),
        copy.fetchedAt().toEpochMilli(),
        copy.allowed() ? 1 : 0,
        copy.file().isPresent() ? copy.file().get().bytes() : null);
  }
}
