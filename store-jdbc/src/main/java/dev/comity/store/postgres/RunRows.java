package dev.comity.store.postgres;

import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunInUse;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.crawl.Runs;
import dev.comity.store.crawl.Settlements.Settling;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.connect.WorkerRows;
import dev.comity.store.postgres.rows.DomainReadiness;
import dev.comity.store.sql.ResultRow;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Begins, continues and ends runs. What workers have settled is in their lanes until they leave.
 */
final class RunRows {
  private static final String COLUMNS =
      """
      SELECT r.id, r.status, r.terms,
        r.pages + coalesce((SELECT sum(l.pages) FROM lanes l WHERE l.run_id = r.id), 0),
        r.unkept + coalesce((SELECT sum(l.unkept) FROM lanes l WHERE l.run_id = r.id), 0),
        r.images + coalesce((SELECT sum(l.images) FROM lanes l WHERE l.run_id = r.id), 0)
      FROM crawl_runs r
      """;

  private final Duration minimumInterval;
  private final DomainIds ids;
  private volatile long id;
  private volatile boolean isRefresh;
  private volatile boolean collectsImages;

  /**
   * @param minimumInterval what this process keeps between two requests at least, told to readers
   */
  RunRows(Duration minimumInterval, DomainIds ids) {
    this.minimumInterval = minimumInterval;
    this.ids = ids;
  }

  /** The run this process works on. */
  long id() {
    return id;
  }

  /** Whether the run visits known pages that are due. */
  boolean isRefresh() {
    return isRefresh;
  }

  boolean collectsImages() {
    return collectsImages;
  }

  private record Row(long id, String status, String terms, long pages, long unkept, long images) {
    static Row of(ResultRow row) {
      return new Row(
          row.getLong(1),
          row.getString(2),
          row.getString(3),
          row.getLong(4),
          row.getLong(5),
          row.getLong(6));
    }

    Run joined(Set<DomainName> starts, OptionalLong superseded) {
      return new Run(id, true, pages, unkept, starts, superseded).withImages(images);
    }
  }

  /**
   * Joins or begins a run.
   *
   * @param wider opens to the run what its scope left out; returns how many pages are asked again
   */
  Run begin(
      PostgresSession tx,
      String worker,
      RunTerms terms,
      BiFunction<PostgresSession, RunTerms, Integer> wider) {
    // Workers that begin at once take turns, so that they join one run.
    tx.sql.exists("SELECT pg_advisory_xact_lock(hashtext('comity.runs'))");
    String wanted = Runs.text(terms);
    Optional<Row> open =
        tx.sql.first(
            COLUMNS + " WHERE r.status = 'running' AND r.terms = ? ORDER BY r.id DESC LIMIT 1",
            Row::of,
            wanted);
    Run run =
        open.isPresent() ? join(tx, open.get()) : beginOther(tx, worker, terms, wanted, wider);
    id = run.id();
    isRefresh = terms.isRefresh();
    collectsImages = terms.maxImages() > 0;
    workOn(tx, worker, run.id());
    return run;
  }

  private Run join(PostgresSession tx, Row open) {
    tx.sql.update(
        """
        UPDATE crawl_runs SET lives = lives + 1, resumed_at = greatest(?, started_at),
          end_reason = NULL, minimum_interval_ms = ?, settings = NULL WHERE id = ?
        """,
        tx.now(),
        minimumInterval.toMillis(),
        open.id());
    return open.joined(ends(tx, open.id()), OptionalLong.empty());
  }

  /** Joins a run that another process has begun; empty if it is over. */
  Optional<Run> join(PostgresSession tx, String worker, long run) {
    Optional<Row> open =
        tx.sql.first(COLUMNS + " WHERE r.status = 'running' AND r.id = ?", Row::of, run);
    if (open.isEmpty()) {
      return Optional.empty();
    }
    id = run;
    isRefresh = tx.sql.exists("SELECT 1 FROM crawl_runs WHERE id = ? AND refresh = 1", run);
    collectsImages = tx.sql.exists("SELECT 1 FROM crawl_runs WHERE id = ? AND max_images > 0", run);
    workOn(tx, worker, run);
    tx.sql.update("UPDATE crawl_runs SET lives = lives + 1, end_reason = NULL WHERE id = ?", run);
    return Optional.of(open.get().joined(ends(tx, run), OptionalLong.empty()));
  }

  /** Lets other workers join the run with these settings. */
  void openToWorkers(PostgresSession tx, String settings) {
    tx.sql.update("UPDATE crawl_runs SET settings = ? WHERE id = ?", settings, id);
  }

  /**
   * Whether this worker's run goes on, and until this transaction ends. Whoever ends the run waits,
   * and sees what was claimed.
   */
  boolean staysOpen(PostgresSession tx) {
    return id == 0
        || tx.sql.exists(
            "SELECT 1 FROM crawl_runs WHERE id = ? AND status = 'running' FOR SHARE", id);
  }

  /** Whether this worker's run goes on. One without a run may have any domain. */
  boolean isOpen(PostgresSession tx) {
    return id == 0
        || tx.sql.exists("SELECT 1 FROM crawl_runs WHERE id = ? AND status = 'running'", id);
  }

  private Run beginOther(
      PostgresSession tx,
      String worker,
      RunTerms terms,
      String wanted,
      BiFunction<PostgresSession, RunTerms, Integer> wider) {
    Optional<Row> earlier = narrower(tx, terms, wanted);
    long kept = earlier.map(Row::id).orElse(0L);
    Optional<Long> superseded =
        tx.sql.first(
            "SELECT max(id) FROM crawl_runs WHERE status = 'running' AND id <> ?"
                + " HAVING count(*) > 0",
            row -> row.getLong(1),
            kept);
    if (superseded.isPresent() && RunOutlook.isHeldByOthers(tx, worker, tx.now())) {
      throw new RunInUse(superseded.get());
    }
    OptionalLong closed =
        superseded.isPresent() ? OptionalLong.of(superseded.get()) : OptionalLong.empty();
    tx.sql.update(
        """
        UPDATE crawl_runs SET status = 'superseded', ended_at = greatest(?, started_at),
          end_reason = 'another crawl was begun' WHERE status = 'running' AND id <> ?
        """,
        tx.now(),
        kept);
    if (earlier.isEmpty()) {
      return Run.begun(open(tx, terms, wanted), closed);
    }
    Row row = earlier.get();
    openAgain(tx, row.id(), terms, wanted);
    Run run = row.joined(ends(tx, row.id()), closed);
    boolean further = terms.reachFurther(Runs.Terms.read(row.terms()).scope());
    id = row.id();
    return further ? run.rereading(wider.apply(tx, terms)) : run;
  }

  /** The last run from the same seeds, where it was not closed and these terms widen its own. */
  private static Optional<Row> narrower(PostgresSession tx, RunTerms terms, String wanted) {
    return tx.sql
        .first(
            COLUMNS
                + """
                WHERE r.terms::json ->> 'seeds_sha256' = ?::json ->> 'seeds_sha256'
                ORDER BY r.id DESC LIMIT 1
                """,
            Row::of,
            wanted)
        .filter(run -> run.status().equals("running") || run.status().equals("finished"))
        .filter(run -> !run.terms().equals(wanted) && widens(terms, run.terms()));
  }

  private static boolean widens(RunTerms terms, String earlier) {
    try {
      Runs.Terms before = Runs.Terms.read(earlier);
      return terms.widen(before.scope(), before.pages(), before.pagesPerDomain(), before.images());
    } catch (JacksonException _) {
      return false;
    }
  }

  /** Goes on with a run on wider terms: what its budgets kept it from, it may have now. */
  private void openAgain(PostgresSession tx, long run, RunTerms terms, String text) {
    tx.sql.update(
        """
        UPDATE crawl_runs SET status = 'running', ended_at = NULL, end_reason = NULL, terms = ?,
          max_pages = ?, max_pages_per_domain = ?, max_images = ?, minimum_interval_ms = ?,
          lives = lives + 1, resumed_at = greatest(?, started_at), settings = NULL WHERE id = ?
        """,
        text,
        terms.maxPages(),
        terms.maxPagesPerDomain(),
        terms.maxImages(),
        minimumInterval.toMillis(),
        tx.now(),
        run);
    List<Long> spent =
        tx.sql.list(
            """
            SELECT d.id FROM jobs j JOIN domains d ON d.id = j.domain_id
            WHERE j.run_id = ? AND j.status = 'spent' ORDER BY d.id FOR NO KEY UPDATE OF d
            """,
            row -> row.getLong(1),
            run);
    tx.sql.update(
        "UPDATE jobs SET status = 'open', reason = NULL, ended_at = NULL"
            + " WHERE run_id = ? AND status = 'spent'",
        run);
    tx.sql.update(
        "UPDATE domains SET spent_run_id = NULL, version = version + 1"
            + " WHERE spent_run_id = ? AND id = ANY (?)",
        run,
        tx.longs(spent));
    List<Long> free =
        tx.sql.list(
            "SELECT id FROM domains WHERE id = ANY (?) AND claimed_by IS NULL",
            row -> row.getLong(1),
            tx.longs(spent));
    DomainReadiness.set(tx, free);
  }

  private long open(PostgresSession tx, RunTerms terms, String text) {
    long run =
        tx.sql
            .first(
                """
                INSERT INTO crawl_runs (terms, max_pages, max_pages_per_domain, max_images,
                  minimum_interval_ms, started_at, goes_on_from, refresh)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
                """,
                row -> row.getLong(1),
                text,
                terms.maxPages(),
                terms.maxPagesPerDomain(),
                terms.maxImages(),
                minimumInterval.toMillis(),
                tx.now(),
                terms.isAnew() ? null : spent(tx, text),
                terms.isRefresh() ? 1 : 0)
            .orElseThrow();
    List<CrawlUrl> seeds = terms.seeds();
    tx.sql.update(
        "INSERT INTO crawl_run_seeds (run_id, position, url)"
            + " SELECT ?, u.* FROM unnest(?::int[], ?::text[]) AS u",
        run,
        tx.numbers(IntStream.range(0, seeds.size()).boxed().toList()),
        tx.texts(seeds.stream().map(CrawlUrl::toString).toList()));
    return run;
  }

  /** The last run, where it was on these terms and its budget is spent. */
  private static @Nullable Long spent(PostgresSession tx, String terms) {
    return tx.sql
        .first(
            """
            SELECT id FROM crawl_runs WHERE id = (SELECT max(id) FROM crawl_runs)
              AND terms = ? AND status = 'finished' AND end_reason = ?
            """,
            row -> row.getLong(1),
            terms,
            RunEnding.OUT_OF_BUDGET.words())
        .orElse(null);
  }

  /** This worker's counts go to the run it was at; from now on it counts for this one. */
  private static void workOn(PostgresSession tx, String worker, long run) {
    boolean elsewhere =
        tx.sql.exists(
            "SELECT 1 FROM lanes WHERE worker = ? AND run_id IS DISTINCT FROM ?", worker, run);
    if (elsewhere) {
      WorkerRows.leaveRun(tx, worker);
      tx.sql.update("UPDATE lanes SET run_id = ? WHERE worker = ?", run, worker);
      tx.sql.update("UPDATE workers SET run_id = ? WHERE id = ?", run, worker);
    }
    if (WorkerRows.live(tx) == 1) {
      // No worker is at it but this one: what others drew and did not settle is free again.
      tx.sql.update(
          """
          UPDATE crawl_runs r SET allotted = greatest(
              r.pages + (SELECT coalesce(sum(pages), 0) FROM lanes WHERE run_id = r.id),
              r.unkept + (SELECT coalesce(sum(unkept), 0) FROM lanes WHERE run_id = r.id)),
            images_allotted =
              r.images + (SELECT coalesce(sum(images), 0) FROM lanes WHERE run_id = r.id)
          WHERE id = ?
          """,
          run);
      tx.sql.update(
          """
          UPDATE workers w SET
            allotted = (SELECT coalesce(greatest(sum(pages), sum(unkept)), 0) FROM lanes l
              WHERE l.worker = w.id),
            images_allotted = (SELECT coalesce(sum(images), 0) FROM lanes l WHERE l.worker = w.id)
          WHERE id = ?
          """,
          worker);
    }
  }

  /** A worker that was given up and has joined again goes on with its run. */
  void resume(PostgresSession tx, String worker) {
    if (id != 0) {
      workOn(tx, worker, id);
    }
  }

  /**
   * Keeps the run to these domains: others that have work left are not claimed in it. A refresh
   * without a list is about all domains that are due, and those that a refresh has left.
   */
  void confine(PostgresSession tx, Collection<DomainName> domains) {
    tx.sql.update(
        "UPDATE crawl_runs SET confined = ? WHERE id = ?",
        isRefresh && domains.isEmpty() ? 2 : 1,
        id);
    Map<DomainName, DomainIds.Opening> named = new HashMap<>();
    domains.forEach(domain -> named.put(domain, new DomainIds.Opening(0, 0, true)));
    tx.sql.update(
        """
        INSERT INTO run_domains (run_id, domain_id)
        SELECT ?, u.id FROM unnest(?::bigint[]) AS u(id) ORDER BY u.id ON CONFLICT DO NOTHING
        """,
        id,
        tx.longs(ids.of(tx, named).values()));
  }

  /** The domains it was at. */
  List<DomainName> domains(PostgresSession tx) {
    return tx.sql.list(
        "SELECT d.domain FROM jobs j JOIN domains d ON d.id = j.domain_id WHERE j.run_id = ?",
        row -> new DomainName(row.getString(1)),
        id);
  }

  /** Redirects of a seed may lead the run to other domains. */
  void followSeed(PostgresSession tx, long domain, Settling member) {
    for (DomainName target : member.movedTo()) {
      long to =
          ids.of(tx, Map.of(target, new DomainIds.Opening(0, 0, true))).getOrDefault(target, 0L);
      tx.sql.update(
          "INSERT INTO crawl_run_moves (run_id, domain_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
          id,
          to);
      tx.sql.update(
          "INSERT INTO run_domains (run_id, domain_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
          id,
          to);
    }
    if (member.settlement().endsMove()) {
      tx.sql.update(
          "UPDATE crawl_run_moves SET ended = 1 WHERE run_id = ? AND domain_id = ?", id, domain);
    }
  }

  private static Set<DomainName> ends(PostgresSession tx, long run) {
    Set<DomainName> domains = new HashSet<>();
    tx.sql.each(
        "SELECT d.domain FROM crawl_run_moves m JOIN domains d ON d.id = m.domain_id"
            + " WHERE m.run_id = ? AND m.ended = 1",
        row -> domains.add(new DomainName(row.getString(1))),
        run);
    return domains;
  }

  /** Leaves the run or ends it; returns whether it is over. */
  boolean end(PostgresSession tx, RunEnding ending, Function<Wanted, Outlook> outlook) {
    // Only one worker ends a run: the others wait here, and find it ended.
    if (!tx.sql.exists(
        "SELECT 1 FROM crawl_runs WHERE id = ? AND status = 'running' FOR UPDATE", id)) {
      return true;
    }
    if (!ending.ended()) {
      tx.sql.update("UPDATE crawl_runs SET end_reason = ? WHERE id = ?", ending.words(), id);
      return false;
    }
    Outlook left = outlook.apply(wanted(tx));
    boolean idle =
        ending == RunEnding.FINISHED
            ? left instanceof Outlook.Nothing
            : !(left instanceof Outlook.Others);
    if (!idle) {
      return false;
    }
    tx.sql.update(
        """
        UPDATE jobs SET status = 'spent', ended_at = greatest(?, started_at), reason = ?
        WHERE run_id = ? AND status = 'open'
        """,
        tx.now(),
        ending.words(),
        id);
    tx.sql.update(
        """
        UPDATE crawl_runs SET ended_at = greatest(?, started_at, coalesce(resumed_at, 0)),
          end_reason = ?, status =
          CASE WHEN EXISTS (SELECT 1 FROM jobs WHERE run_id = crawl_runs.id)
            AND NOT EXISTS (SELECT 1 FROM jobs WHERE run_id = crawl_runs.id AND status <> 'failed')
          THEN 'failed' ELSE 'finished' END
        WHERE id = ?
        """,
        tx.now(),
        ending.words(),
        id);
    return true;
  }

  /** Images that an earlier run has left are no work of a run that collects none. */
  private Wanted wanted(PostgresSession tx) {
    return tx.sql.exists("SELECT 1 FROM crawl_runs WHERE id = ? AND max_images = 0", id)
        ? Wanted.PAGES
        : Wanted.ANY;
  }
}
