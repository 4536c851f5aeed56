package dev.comity.store.fleet;

import dev.comity.core.port.run.RunTerms;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.ServerDatabase;
import dev.comity.store.crawl.Runs;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.Statements;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A run that a worker may join.
 *
 * @param settings as the crawl that began it has written them
 * @param scope its terms, by name
 * @param seeds where it starts
 */
public record JoinableRun(
    long id, String settings, Map<String, String> scope, List<CrawlUrl> seeds) {

  public JoinableRun {
    scope = Map.copyOf(scope);
    seeds = List.copyOf(seeds);
  }

  /** The list that it fetches, if it fetches one. */
  public Optional<String> list() {
    return Optional.ofNullable(scope.get(Scope.LIST));
  }

  /** The domains whose pages it visits again, if it does; none: all. */
  public Optional<Set<DomainName>> refreshed() {
    return RunTerms.refreshed(scope);
  }

  /** The domains that it keeps to; none if it may go anywhere. */
  public List<DomainName> domains(ServerDatabase server) {
    try (Statements sql = Statements.reading(server)) {
      return sql.list(
          "SELECT d.domain FROM run_domains m JOIN domains d ON d.id = m.domain_id"
              + " WHERE m.run_id = ? ORDER BY d.id",
          row -> new DomainName(row.getString(1)),
          id);
    }
  }

  /** The open run, once the crawl that began it has prepared it. */
  public static Optional<JoinableRun> find(ServerDatabase server) {
    try (Statements sql = Statements.reading(server)) {
      return sql.first(
              "SELECT id, settings, terms FROM crawl_runs WHERE status = 'running'"
                  + " AND settings IS NOT NULL ORDER BY id DESC LIMIT 1",
              row ->
                  new JoinableRun(
                      row.getLong(1),
                      row.getString(2),
                      Runs.Terms.read(row.getString(3)).scope(),
                      List.of()))
          .map(run -> new JoinableRun(run.id, run.settings, run.scope, seeds(sql, run.id)));
    }
  }

  /** The settings of runs that workers could join, the newest first. */
  public static List<String> settings(ServerDatabase server, int limit) {
    Schema.require(server);
    try (Statements sql = Statements.reading(server)) {
      return sql.list(
          "SELECT settings FROM crawl_runs WHERE settings IS NOT NULL ORDER BY id DESC LIMIT ?",
          row -> row.getString(1),
          limit);
    }
  }

  /** A seed that cannot be read was never asked either. */
  private static List<CrawlUrl> seeds(Statements sql, long run) {
    List<CrawlUrl> seeds = new ArrayList<>();
    sql.each(
        "SELECT url FROM crawl_run_seeds WHERE run_id = ? ORDER BY position",
        row -> {
          if (CrawlUrl.parse(row.getString(1)) instanceof CrawlUrl url) {
            seeds.add(url);
          }
        },
        run);
    return seeds;
  }
}
