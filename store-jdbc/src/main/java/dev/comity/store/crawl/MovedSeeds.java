package dev.comity.store.crawl;

import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.sql.Readiness;
import dev.comity.store.sql.Statements;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Domains that the redirects of a run's seeds lead to. The run may ask them although no seed names
 * them, and starts from those where the redirects end. Runs in the writer's thread.
 */
public record MovedSeeds(Statements sql) {

  /** Other domains that the redirect of a seed leads to. */
  public static Set<DomainName> targets(Settlement settlement, DomainName own, Grouping grouping) {
    if (!settlement.entry().isStart() || settlement.location().isEmpty()) {
      return Set.of();
    }
    return settlement.found().stream()
        .map(found -> grouping.domainOf(found.url()))
        .filter(target -> !target.equals(own))
        .collect(Collectors.toSet());
  }

  /**
   * A redirect leads to this domain. Where another run left work there, this run gets that, too: it
   * was kept from it only because no seed names the domain.
   */
  void leadTo(long run, long domain) {
    sql.update(
        "INSERT INTO crawl_run_moves (run_id, domain_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
        run,
        domain);
    int opened =
        sql.update(
            """
            UPDATE domains SET spent_run_id = NULL, version = version + 1
            WHERE id = ?2 AND spent_run_id = ?1 AND NOT EXISTS
              (SELECT 1 FROM jobs WHERE run_id = ?1 AND domain_id = ?2)
            """,
            run,
            domain);
    if (opened > 0) {
      new Readiness(sql).set(domain);
    }
  }

  /** The redirects end on this domain. */
  void endOn(long run, long domain) {
    sql.update(
        "UPDATE crawl_run_moves SET ended = 1 WHERE run_id = ? AND domain_id = ?", run, domain);
  }

  /** The domains that redirects ended on. */
  Set<DomainName> ends(long run) {
    Set<DomainName> domains = new HashSet<>();
    sql.each(
        "SELECT d.domain FROM crawl_run_moves m JOIN domains d ON d.id = m.domain_id"
            + " WHERE m.run_id = ? AND m.ended = 1",
        row -> domains.add(new DomainName(row.getString(1))),
        run);
    return domains;
  }
}
