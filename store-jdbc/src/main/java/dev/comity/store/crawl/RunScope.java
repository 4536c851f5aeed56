package dev.comity.store.crawl;

import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.sql.Readiness;
import dev.comity.store.sql.Statements;
import java.util.Collection;
import java.util.Optional;

/**
 * Keeps a run to the domains it is about: those of its seeds, unless it may go anywhere. A
 * directory may have other domains with work left by another run. This run treats them as spent;
 * the next run finds them unchanged.
 *
 * <p>A crawl confines its run when it begins. Operators and the intake, which work beside a crawl,
 * look which run is open and leave out what they wake: otherwise the crawl would claim it and drop
 * its links as out of scope.
 */
public final class RunScope {
  private static final String LEAVE_OUT =
      """
      UPDATE domains SET spent_run_id = ?1, claimable_at = NULL, version = version + 1,
        updated_at = ?2 WHERE spent_run_id IS NOT ?1 AND
      """;

  private final Statements sql;
  private Optional<Long> open = Optional.empty();
  private boolean roams = true;

  /** A run may have a million seeds: their domains are kept in a table, where memory is bounded. */
  public RunScope(Statements sql) {
    this.sql = sql;
    open(sql);
  }

  /** Makes the table of domains, where it is missing; an empty one confines a refresh to none. */
  static void open(Statements sql) {
    sql.execute("CREATE TEMP TABLE IF NOT EXISTS reached (domain TEXT PRIMARY KEY)");
  }

  /**
   * Leaves out every domain but these. A refresh of all goes on with domains that an earlier one
   * left with pages to visit. Runs in the writer's thread, like the next two.
   */
  void confine(long run, Collection<DomainName> domains, long now) {
    sql.update("DELETE FROM reached");
    domains.forEach(this::reach);
    // A cooldown that ends would make its domain claimable, too.
    sql.update(
        LEAVE_OUT
            + """
            claimed_by IS NULL AND domain NOT IN (SELECT domain FROM reached)
              AND id NOT IN (SELECT domain_id FROM crawl_run_moves WHERE run_id = ?1)
              AND NOT (EXISTS (SELECT 1 FROM crawl_runs r WHERE r.id = ?1 AND r.refresh = 1)
                AND EXISTS (SELECT 1 FROM crawl_runs r
                  WHERE r.id = last_crawl_run_id AND r.refresh = 1)
                AND NOT EXISTS (SELECT 1 FROM reached))
              AND (claimable_at IS NOT NULL OR spent_run_id IS NOT NULL OR damage IS NOT NULL
                OR status IN ('blocked', 'unreachable') AND next_crawl_after IS NOT NULL)
            """,
        run,
        now);
    // The run may still ask them for images that it found.
    sql.update(
        "UPDATE domains SET claimable_at ="
            + Readiness.SQL
            + """
            , version = version + 1
            WHERE spent_run_id = ?1 AND claimed_by IS NULL AND claimable_at IS NULL
              AND id IN (SELECT domain_id FROM crawl_run_image_hosts WHERE run_id = ?1)
            """,
        run);
  }

  /** Leaves a domain out, if the run is confined to others. */
  void leaveOutOthers(long run, long domain, long now) {
    sql.update(
        LEAVE_OUT
            + "id = ?3 AND EXISTS (SELECT 1 FROM reached)"
            + " AND domain NOT IN (SELECT domain FROM reached)",
        run,
        now,
        domain);
  }

  /** Opens to the run every domain that it had no job of. */
  void lift(long run, long now) {
    String kept = "id NOT IN (SELECT domain_id FROM jobs WHERE run_id = ?1) AND claimed_by IS NULL";
    sql.update(
        "UPDATE domains SET claimable_at = NULL, spent_run_id = NULL, version = version + 1,"
            + " updated_at = ?2 WHERE spent_run_id = ?1 AND "
            + kept,
        run,
        now);
    sql.update(
        "UPDATE domains SET claimable_at ="
            + Readiness.SQL
            + " WHERE claimable_at IS NULL AND "
            + kept,
        run);
  }

  /**
   * Reads which run is open and which domains it is about. That may take long; outside a
   * transaction it keeps no process from writing.
   */
  public void look() {
    Optional<Long> run = current();
    if (run.equals(open)) {
      return;
    }
    sql.update("DELETE FROM reached");
    roams = run.isEmpty() || has(run.get(), Scope.REACH, Scope.ANYWHERE);
    if (!roams) {
      reachSeeds(run.orElseThrow());
    }
    open = run;
  }

  /** Whether the run that was looked at is still the open one. */
  public boolean isCurrent() {
    return current().equals(open);
  }

  private Optional<Long> current() {
    return sql.first(
        "SELECT max(id) FROM crawl_runs WHERE status = 'running' HAVING count(*) > 0",
        row -> row.getLong(1));
  }

  private boolean has(long run, String term, String value) {
    return sql.exists(
        "SELECT 1 FROM crawl_runs WHERE id = ? AND json_extract(terms, '$.scope.' || ?) = ?",
        run,
        "\"" + term + "\"",
        value);
  }

  private void reachSeeds(long run) {
    Grouping grouping =
        has(run, Scope.STRIP_SUBDOMAINS, "true")
            ? Grouping.BY_REGISTRABLE_DOMAIN
            : Grouping.BY_HOST;
    sql.execute("BEGIN");
    sql.each(
        "SELECT url FROM crawl_run_seeds WHERE run_id = ?",
        row -> {
          if (CrawlUrl.parse(row.getString(1)) instanceof CrawlUrl seed) {
            reach(grouping.domainOf(seed));
          }
        },
        run);
    sql.execute("COMMIT");
  }

  private void reach(DomainName domain) {
    sql.update("INSERT OR IGNORE INTO reached (domain) VALUES (?)", domain.name());
  }

  /** Whether the open run takes URLs of this domain. */
  public boolean takes(DomainName domain) {
    return roams
        || sql.exists("SELECT 1 FROM reached WHERE domain = ?", domain.name())
        || sql.exists(
            "SELECT 1 FROM crawl_run_moves m JOIN domains d ON d.id = m.domain_id"
                + " WHERE m.run_id = ? AND d.domain = ?",
            open.orElseThrow(),
            domain.name());
  }

  /** Leaves a domain to the run after the open one, even while it is claimed. */
  public void leaveOut(DomainName domain, long now) {
    sql.update(LEAVE_OUT + "domain = ?3", open.orElseThrow(), now, domain.name());
  }
}
