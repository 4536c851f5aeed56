package dev.comity.store.postgres.connect;

import dev.comity.core.port.run.WorkerOrders;
import dev.comity.core.url.CrawlUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The rows of workers and of their lanes. */
public final class WorkerRows {
  /** The names of a worker's lanes. */
  public static final List<String> LANES = List.of("flush", "claims", "intake");

  /** SQL: how many workers were seen a minute ago or have live claims. */
  public static final String AT_WORK =
      "SELECT count(*) FROM workers w WHERE " + WorkerAdmission.AT_WORK;

  /** A worker that still waits asks again long before. */
  private static final Duration STALE = Duration.ofHours(1);

  private WorkerRows() {}

  /**
   * Adds a worker beside the others. A second time changes nothing.
   *
   * @param off its switches that are off
   * @throws dev.comity.store.StoreUnusable if it must not begin beside those that are at work
   */
  public static void join(PostgresSession tx, String worker, String name, List<String> off) {
    WorkerAdmission.require(tx, worker, off);
    tx.sql.update(
        """
        INSERT INTO workers (id, name, version, flags, host, started_at, last_seen_at)
        VALUES (?, ?, ?, ?, ?, comity_millis(), comity_millis()) ON CONFLICT (id) DO NOTHING
        """,
        worker,
        name,
        WorkerAdmission.version(),
        String.join(" ", off),
        host());
    tx.sql.update(
        "INSERT INTO lanes (worker, lane) SELECT ?, u.lane FROM unnest(?::text[]) AS u(lane)"
            + " ON CONFLICT (worker, lane) DO NOTHING",
        worker,
        tx.texts(LANES));
  }

  /** Ends workers of an older program, none of which is at work: none writes any more. */
  static void endOlder(PostgresSession tx) {
    tx.at(tx.sql.number("SELECT comity_millis()"));
    List<String> older =
        tx.sql.list(
            "SELECT id FROM workers WHERE ended_at IS NULL AND version <> ? ORDER BY id",
            row -> row.getString(1),
            WorkerAdmission.version());
    older.forEach(worker -> end(tx, worker, "lost", tx.now()));
  }

  /** The machine's name; empty where the system does not say it. No name is looked up for it. */
  private static String host() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException _) {
      String name = System.getenv("COMPUTERNAME");
      return name == null ? "" : name;
    }
  }

  /** This worker is alive. */
  public static void seen(PostgresSession tx, String worker) {
    tx.sql.update(
        "UPDATE workers SET last_seen_at = greatest(last_seen_at, ?) WHERE id = ?",
        tx.now(),
        worker);
  }

  /** Takes what others want of a worker, which is alive. */
  public static WorkerOrders orders(PostgresSession tx, String worker) {
    seen(tx, worker);
    List<CrawlUrl> files = new ArrayList<>();
    tx.sql.each(
        """
        DELETE FROM favours f USING domains d WHERE d.id = f.domain_id AND d.claimed_by = ?
        RETURNING f.url
        """,
        row -> {
          if (CrawlUrl.parse(row.getString(1)) instanceof CrawlUrl url) {
            files.add(url);
          }
        },
        worker);
    return new WorkerOrders(
        files, tx.sql.exists("SELECT 1 FROM workers WHERE id = ? AND state = 'draining'", worker));
  }

  /** Asks the holder of a domain for a file. What was asked long ago is wanted no more. */
  public static void askHolder(PostgresSession tx, String domain, String file) {
    tx.sql.update(
        """
        INSERT INTO favours (domain_id, url, asked_at)
        SELECT id, ?, ? FROM domains WHERE domain = ? AND claimed_by IS NOT NULL
        ON CONFLICT (domain_id, url) DO UPDATE SET asked_at = excluded.asked_at
        """,
        file,
        tx.now(),
        domain);
    tx.sql.update("DELETE FROM favours WHERE asked_at < ?", tx.now() - STALE.toMillis());
  }

  /** How many workers are up. */
  public static long live(PostgresSession tx) {
    return tx.sql.number("SELECT count(*) FROM workers WHERE ended_at IS NULL");
  }

  /**
   * Moves a worker's counts from its lanes to the run it was at. What it drew of the budgets and
   * did not settle goes back.
   */
  public static void leaveRun(PostgresSession tx, String worker) {
    tx.sql.update(
        """
        UPDATE crawl_runs r SET pages = r.pages + l.pages, unkept = r.unkept + l.unkept,
          images = r.images + l.images,
          allotted = r.allotted - greatest(0, w.allotted - greatest(l.pages, l.unkept)),
          images_allotted = r.images_allotted - greatest(0, w.images_allotted - l.images)
        FROM (SELECT run_id, sum(pages) AS pages, sum(unkept) AS unkept, sum(images) AS images
            FROM lanes WHERE worker = ? AND run_id IS NOT NULL GROUP BY run_id) l,
          (SELECT allotted, images_allotted FROM workers WHERE id = ?) w
        WHERE r.id = l.run_id
        """,
        worker,
        worker);
    tx.sql.update(
        "UPDATE lanes SET pages = 0, unkept = 0, images = 0, run_id = NULL WHERE worker = ?",
        worker);
    tx.sql.update("UPDATE workers SET allotted = 0, images_allotted = 0 WHERE id = ?", worker);
  }

  /**
   * Ends a worker, whose claims have ended.
   *
   * @param state ended or lost
   */
  public static void end(PostgresSession tx, String worker, String state, long now) {
    leaveRun(tx, worker);
    tx.sql.update("DELETE FROM lanes WHERE worker = ?", worker);
    tx.sql.update(
        "UPDATE workers SET state = ?, ended_at = greatest(?, started_at), unclean = ?"
            + " WHERE id = ?",
        state,
        now,
        state.equals("lost") ? 1 : 0,
        worker);
    tx.sql.update(
        """
        UPDATE crawl_runs SET end_reason = 'it was left' WHERE status = 'running'
          AND end_reason IS NULL AND NOT EXISTS (SELECT 1 FROM workers WHERE ended_at IS NULL)
        """);
  }
}
