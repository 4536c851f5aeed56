package dev.comity.store.operate;

import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.crawl.RunScope;
import dev.comity.store.sql.Statements;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The run that goes on in a directory, seen by somebody who brings seeds from outside. A run is
 * about the domains of its own seeds, unless it may go anywhere. Whatever wakes a domain it is not
 * about also says so in the row, as {@link RunScope} did when the run began: otherwise the crawl
 * would claim it, and drop its links as out of scope.
 */
final class OpenRun {
  private final Statements sql;
  private Optional<Long> known = Optional.empty();
  private boolean roams = true;

  OpenRun(Statements sql) throws SQLException {
    this.sql = sql;
    // A run may have a million seeds: their domains are kept where memory has a bound.
    sql.execute("CREATE TEMP TABLE reached (domain TEXT PRIMARY KEY)");
  }

  /**
   * Learns which run goes on now and what it is about. That may take a while and stops nobody from
   * writing, if it is not done within a transaction.
   */
  void look() throws SQLException {
    Optional<Long> run = current();
    if (run.equals(known)) {
      return;
    }
    sql.update("DELETE FROM reached");
    roams = run.isEmpty() || is(run.get(), Scope.REACH, Scope.ANYWHERE);
    if (!roams) {
      reach(run.orElseThrow());
    }
    known = run;
  }

  /** Whether it is still the one that was looked at. */
  boolean isKnown() throws SQLException {
    return current().equals(known);
  }

  private void reach(long run) throws SQLException {
    Grouping grouping =
        is(run, Scope.STRIP_SUBDOMAINS, "true") ? Grouping.BY_REGISTRABLE_DOMAIN : Grouping.BY_HOST;
    sql.execute("BEGIN");
    sql.each(
        "SELECT url FROM crawl_run_seeds WHERE run_id = ?",
        row -> {
          if (CrawlUrl.parse(row.getString(1)) instanceof CrawlUrl seed) {
            sql.update(
                "INSERT OR IGNORE INTO reached (domain) VALUES (?)",
                grouping.domainOf(seed).name());
          }
        },
        run);
    sql.execute("COMMIT");
  }

  private Optional<Long> current() throws SQLException {
    return sql.first(
        "SELECT max(id) FROM crawl_runs WHERE status = 'running' HAVING count(*) > 0",
        row -> row.getLong(1));
  }

  private boolean is(long run, String term, String value) throws SQLException {
    return sql.first(
            "SELECT 1 FROM crawl_runs WHERE id = ? AND json_extract(terms, '$.scope.' || ?) = ?",
            _ -> true,
            run,
            "\"" + term + "\"",
            value)
        .isPresent();
  }

  /** Whether it takes URLs of this domain. */
  boolean takes(DomainName domain) throws SQLException {
    return roams
        || sql.first("SELECT 1 FROM reached WHERE domain = ?", _ -> true, domain.name()).isPresent()
        || sql.first(
                "SELECT 1 FROM crawl_run_moves m JOIN domains d ON d.id = m.domain_id"
                    + " WHERE m.run_id = ? AND d.domain = ?",
                _ -> true,
                known.orElseThrow(),
                domain.name())
            .isPresent();
  }

  /** Leaves a domain it is not about to the next run. One that is lent to it is, too. */
  void leaveOut(DomainName domain, long now) throws SQLException {
    sql.update(
        """
        UPDATE domains SET spent_run_id = ?1, claimable_at = NULL, version = version + 1,
          updated_at = ?2 WHERE domain = ?3 AND spent_run_id IS NOT ?1
        """,
        known.orElseThrow(),
        now,
        domain.name());
  }
}
