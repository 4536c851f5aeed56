package dev.comity.store.operate;

import dev.comity.store.DataDirectory;
import dev.comity.store.DirectoryInUse;
import dev.comity.store.ServerDatabase;
import dev.comity.store.SqlDialect;
import dev.comity.store.StoreLocation;
import dev.comity.store.StoreUnusable;
import dev.comity.store.postgres.connect.OutageWait;
import dev.comity.store.postgres.connect.WorkerRows;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.Statements;
import java.time.Instant;

/**
 * Deletes old rows in small transactions, so that a crawl can write between them. Each transaction
 * also adds the deleted log rows to the counters of pruned rows.
 */
public final class Pruning implements AutoCloseable {
  /** Rows looked at per transaction: some milliseconds of work. */
  private static final int BATCH = 2000;

  /** Deadlocks of one transaction with those of workers; more are no bad luck. */
  private static final int MOST_CONFLICTS = 20;

  private final StoreLocation place;
  private final Statements sql;
  private final long before;
  private final boolean dry;

  /**
   * Opens a store.
   *
   * @param before what is older goes
   * @param dry whether it is only counted
   */
  public Pruning(StoreLocation place, Instant before, boolean dry) {
    Schema.require(place);
    this.place = place;
    this.sql = new Statements(dry ? place.snapshot() : place.writing(), place.dialect());
    this.before = before.toEpochMilli();
    this.dry = dry;
  }

  /**
   * Removes requests from the log. The newest stays whatever its age: new rows are numbered from
   * there on, and pages share their numbers.
   */
  public long log() {
    String old = "started_at < ? AND id < (SELECT max(id) FROM crawl_log)";
    return inBatches(
        "crawl_log",
        old,
        (from, to) -> {
          if (sql.dialect() == SqlDialect.POSTGRES) {
            // In the order in which workers lock them.
            sql.each(
                """
                SELECT id FROM domains WHERE id IN (
                  SELECT domain_id FROM crawl_log WHERE id > ? AND id <= ? AND %s)
                ORDER BY id FOR NO KEY UPDATE
                """
                    .formatted(old),
                _ -> {},
                from,
                to,
                before);
          }
          sql.update(
              """
              UPDATE domains SET pruned_requests = pruned_requests + p.requests,
                pruned_pages = pruned_pages + p.pages, pruned_errors = pruned_errors + p.errors,
                pruned_page_requests = pruned_page_requests + p.page_requests,
                version = version + 1
              FROM (
                SELECT domain_id, count(*) AS requests, sum(is_page) AS pages,
                  sum(is_error) AS errors,
                  count(CASE kind WHEN 'page' THEN 1 END) AS page_requests
                FROM crawl_log WHERE id > ? AND id <= ? AND %s
                GROUP BY domain_id) p
              WHERE domains.id = p.domain_id
              """
                  .formatted(old),
              from,
              to,
              before);
          return sql.update(
              "DELETE FROM crawl_log WHERE id > ? AND id <= ? AND " + old, from, to, before);
        });
  }

  /** Forgets the texts of pages; the pages stay. */
  public long texts() {
    String old = "started_at < ? AND (text IS NOT NULL OR html IS NOT NULL)";
    return inBatches(
        "pages",
        old,
        (from, to) ->
            sql.update(
                "UPDATE pages SET text = NULL, html = NULL WHERE id > ? AND id <= ? AND " + old,
                from,
                to,
                before));
  }

  /**
   * Removes changes of status. From a domain's last claim on they stay, or its last one where it
   * was never claimed: what is left still leads to where the domain stands.
   */
  public long transitions() {
    String old =
        """
        at < ? AND id < (
          SELECT coalesce(max(CASE l.door WHEN 'claim' THEN l.id END), max(l.id))
          FROM transitions l WHERE l.domain_id = transitions.domain_id)
        """;
    return inBatches(
        "transitions",
        old,
        (from, to) ->
            sql.update(
                "DELETE FROM transitions WHERE id > ? AND id <= ? AND " + old, from, to, before));
  }

  /**
   * Gives free space back to the system. This writes the whole database again, so no crawl may run.
   *
   * @throws DirectoryInUse if a crawl has the directory
   * @throws StoreUnusable if workers are at the database
   */
  public void compact() {
    switch (place) {
      case DataDirectory directory -> {
        try (DataDirectory.Hold _ = directory.hold()) {
          sql.execute("VACUUM");
          sql.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        }
      }
      case ServerDatabase server -> compact(server);
    }
  }

  private void compact(ServerDatabase server) {
    long workers = sql.number(WorkerRows.AT_WORK);
    if (workers > 0) {
      throw new StoreUnusable(
          "%d workers are at %s, and compacting locks its tables:".formatted(workers, place.shown())
              + " end them with comity drain WORKER, or leave --compact out, since the server uses"
              + " the space again");
    }
    try (Statements patient = new Statements(server.patient(), SqlDialect.POSTGRES)) {
      patient.execute("SET lock_timeout = '10s'");
      patient.execute("VACUUM (FULL, ANALYZE) crawl_log, pages, transitions");
    }
  }

  /** Changes rows with ids above the first and up to the second, and says how many. */
  private interface Batch {
    int change(long from, long to);
  }

  private long inBatches(String table, String old, Batch batch) {
    if (dry) {
      return sql.number("SELECT count(*) AS n FROM " + table + " WHERE " + old, before);
    }
    long changed = 0;
    long from = Long.MIN_VALUE;
    while (true) {
      long to =
          sql.first(
                  "SELECT max(id) AS n FROM (SELECT id FROM %s WHERE id > ? ORDER BY id LIMIT ?) AS batch"
                      .formatted(table),
                  row -> row.optionalNumber("n"),
                  from,
                  BATCH)
              .orElseThrow()
              .orElse(from);
      if (to == from) {
        return changed;
      }
      if (sql.exists(
          "SELECT 1 FROM %s WHERE id > ? AND id <= ? AND %s LIMIT 1".formatted(table, old),
          from,
          to,
          before)) {
        changed += inTransaction(batch, from, to);
      }
      from = to;
    }
  }

  private long inTransaction(Batch batch, long from, long to) {
    int conflicts = 0;
    while (true) {
      try {
        sql.execute("${begin to write}");
        long changed = batch.change(from, to);
        sql.execute("COMMIT");
        return changed;
      } catch (StoreUnusable failed) {
        if (!OutageWait.isConflict(failed) || ++conflicts == MOST_CONFLICTS) {
          throw failed;
        }
        sql.rollBack();
      }
    }
  }

  @Override
  public void close() {
    sql.close();
  }
}
