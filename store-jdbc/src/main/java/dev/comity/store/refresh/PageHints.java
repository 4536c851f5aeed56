package dev.comity.store.refresh;

import dev.comity.core.port.store.PageHint;
import dev.comity.core.schedule.DomainRefresh;
import dev.comity.core.schedule.DueReason;
import dev.comity.core.schedule.PageVisits;
import dev.comity.core.trap.Traps;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.sql.Statements;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes pages due of which the site says that they have changed. Runs in the writer's thread.
 *
 * @param ids the row of a known URL; null for an unknown one
 */
public record PageHints(Statements sql, Function<CrawlUrl, @Nullable Long> ids) {
  /**
   * Takes hints of a domain in, as far as it is trusted. Returns how many pages are queued at once.
   *
   * @param most how many pages may be queued; the others wait for the next refresh
   */
  public int take(long domain, List<PageHint> hints, long most, long now) {
    int queued = 0;
    DueDomains domains = new DueDomains(sql);
    DomainRefresh refresh = domains.of(domain, now);
    long outstanding =
        sql.number(
            "SELECT count(*) FROM domain_frontier INDEXED BY frontier_hinted"
                + " WHERE domain_id = ? AND hint = 1",
            domain);
    for (PageHint hint : hints) {
      Long id = ids.apply(hint.url());
      Optional<PageVisits> known = id == null ? Optional.empty() : known(id);
      if (id == null || known.isEmpty()) {
        continue;
      }
      PageVisits visits = known.get();
      PageVisits.Hint heeded =
          refresh.heeds(visits, Traps.templateOf(hint.url()), hint.modified(), outstanding);
      if (heeded == visits.hint()) {
        continue;
      }
      if (heeded == PageVisits.Hint.FOLLOWED) {
        outstanding++;
        sql.update(
            "UPDATE domain_frontier SET hint = 1, due_at = min(due_at, ?), due_why = ? WHERE id ="
                + " ?",
            now,
            DueReason.HINT.number(),
            id);
        if (queued < most) {
          queued += domains.queue(domain, "?", id);
        }
      } else {
        sql.update("UPDATE domain_frontier SET hint = 2 WHERE id = ?", id);
      }
    }
    return queued;
  }

  /** A page that is done and has a date. */
  private Optional<PageVisits> known(long id) {
    return sql.first(
            """
            SELECT f.visited_at, f.fingerprint, f.changes, f.missing_since, f.etag, f.last_modified,
              f.hint
            FROM domain_frontier f WHERE f.id = ? AND f.state = 1 AND f.due_at IS NOT NULL
            """,
            row -> VisitColumns.read(row, 1),
            id)
        .flatMap(read -> read);
  }
}
