package dev.comity.store.operate;

import dev.comity.core.trap.TemplateStats;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.trap.Traps;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Templates;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lifts suppressed templates of a domain and queues those of their URLs that are kept.
 *
 * @param urls changes the rows of URLs; it may gather the changes
 */
public record Lifting(Statements sql, Statements urls, long id, String domain) {

  /** How many URLs are queued again; empty if nothing is suppressed that could be meant. */
  public Optional<Long> lift(Optional<String> template) {
    List<TemplateStats> lifted =
        Templates.readable(sql, domain).stream()
            .filter(stats -> template.isEmpty() || template.get().equals(stats.template()))
            .filter(stats -> stats.suppressed().isPresent())
            .map(TemplateStats::lifting)
            .toList();
    if (lifted.isEmpty()) {
      return Optional.empty();
    }
    for (TemplateStats stats : lifted) {
      Templates.write(sql, id, stats);
    }
    return Optional.of(requeue());
  }

  /** A URL's template is not kept with it: the book says which of them may be asked now. */
  private long requeue() {
    Traps traps = new Traps(TrapSettings.DEFAULTS, Templates.readable(sql, domain));
    List<Long> free = new ArrayList<>();
    sql.each(
        "SELECT u.id, u.url FROM urls u WHERE u.domain_id = ? AND u.state = 'suppressed'",
        row -> {
          if (CrawlUrl.parse(row.text("url")) instanceof CrawlUrl url
              && traps.trap(url).isEmpty()) {
            free.add(row.number("id"));
          }
        },
        id);
    for (long url : free) {
      urls.update(
          "UPDATE domain_frontier SET state = 0, due_at = NULL WHERE domain_id = ? AND id = ?",
          id,
          url);
    }
    sql.update(
        "UPDATE domains SET urls_suppressed = urls_suppressed - ?,"
            + " frontier_size = frontier_size + ?, version = version + 1 WHERE id = ?",
        free.size(),
        free.size(),
        id);
    return free.size();
  }
}
