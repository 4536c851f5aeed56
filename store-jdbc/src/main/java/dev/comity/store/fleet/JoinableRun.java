package dev.comity.store.fleet;

import dev.comity.core.url.CrawlUrl;
import dev.comity.store.ServerDatabase;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.Statements;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A run that a worker may join.
 *
 * @param settings as the crawl that began it has written them
 * @param seeds where it starts
 */
public record JoinableRun(long id, String settings, List<CrawlUrl> seeds) {

  public JoinableRun {
    seeds = List.copyOf(seeds);
  }

  /** The open run, once the crawl that began it has prepared it. */
  public static Optional<JoinableRun> find(ServerDatabase server) {
    try (Statements sql = Statements.reading(server)) {
      return sql.first(
              "SELECT id, settings FROM crawl_runs WHERE status = 'running'"
                  + " AND settings IS NOT NULL ORDER BY id DESC LIMIT 1",
              row -> new JoinableRun(row.getLong(1), row.getString(2), List.of()))
          .map(run -> new JoinableRun(run.id, run.settings, seeds(sql, run.id)));
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
