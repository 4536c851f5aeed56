package dev.comity.store.postgres;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.url.DomainName;
import dev.comity.store.StoreSettings;
import dev.comity.store.crawl.SeenHints;
import dev.comity.store.operate.Intake;
import dev.comity.store.order.Priorities;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.source.Origins;
import dev.comity.store.source.UrlOffers;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.TermsColumns;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Takes seeds into a database, beside any number of workers. Its connection is no worker's: it
 * claims nothing, and draws nothing of a run's budgets. All times are the database's.
 */
public final class DatabaseIntake implements Intake {
  private static final int HINTS = 1 << 16;

  /** A worker that is up is seen every few seconds. */
  private static final Duration SILENCE = Duration.ofMinutes(1);

  private final PostgresSession session;
  private final StoreSettings settings;
  private final Priorities priorities = new Priorities();
  private final FrontierInserts inserts;
  private final FleetSweep sweep;
  private boolean besideCrawl;

  private DatabaseIntake(PostgresSession session, StoreSettings settings) {
    this.session = session;
    this.settings = settings;
    inserts =
        new FrontierInserts(
            new DomainIds(priorities),
            new SeenHints(HINTS),
            settings.limits(),
            settings.grouping()::domainOf);
    sweep = new FleetSweep(settings.policy(), settings.limits());
  }

  /**
   * Opens it, making the tables where there are none.
   *
   * @throws dev.comity.store.StoreUnusable if it cannot be used as it is
   */
  public static DatabaseIntake open(PostgresDatabase database, StoreSettings settings) {
    database.migrate();
    return new DatabaseIntake(database.session(), settings);
  }

  @Override
  public boolean isBesideCrawl() {
    return besideCrawl;
  }

  @Override
  public Taken take(
      List<QueuedUrl> seeds,
      Map<DomainName, Long> ranks,
      Map<DomainName, String> origins,
      Instant now) {
    return session.write(
        tx -> {
          OpenRun run = look(tx);
          Taken taken = enter(tx, run, seeds);
          priorities.rank(tx.sql, ranks, tx.now());
          new Origins(tx.later).keep(origins);
          return taken;
        });
  }

  /** One insert has all of them, in the order of their keys; domains of other runs count apart. */
  private Taken enter(PostgresSession tx, OpenRun run, List<QueuedUrl> seeds) {
    List<FoundUrl> found = inserts.unchecked(seeds);
    Set<DomainName> taken = run.takenOf(tx, found.stream().map(FoundUrl::domain).toList());
    Map<Boolean, List<FoundUrl>> parts =
        found.stream().collect(Collectors.partitioningBy(one -> taken.contains(one.domain())));
    List<FrontierInserts.Added> added =
        inserts.add(
            tx,
            Stream.of(true, false)
                .map(part -> parts.getOrDefault(part, List.of()))
                .map(urls -> new FrontierInserts.Finds(0, 0, urls, Map.of()))
                .toList());
    sweep.wake(tx);
    FrontierInserts.Entered later = added.getLast().all();
    FrontierInserts.Entered all = added.getFirst().all().and(later);
    return new Taken(all.queued(), later.queued(), all.overCap());
  }

  @Override
  public AddAnswer offer(QueuedUrl url, String origin, Instant now) {
    return session.write(
        tx -> {
          OpenRun run = look(tx);
          AddAnswer answer =
              new UrlOffers(
                      tx.sql,
                      settings,
                      known -> inserts.find(tx, Set.of(known)).get(known),
                      (entering, _) -> enter(tx, run, List.of(entering)).added())
                  .offer(url, Instant.ofEpochMilli(tx.now()));
          DomainName domain = settings.grouping().domainOf(url.url());
          new Origins(tx.later).keep(Map.of(domain, origin));
          return answer instanceof AddAnswer.Enqueued
              ? new AddAnswer.Enqueued(run.takenOf(tx, List.of(domain)).isEmpty())
              : answer;
        });
  }

  /**
   * The run that is open.
   *
   * @param id 0 if there is none
   * @param roams whether it takes domains that it has not heard of
   */
  private record OpenRun(long id, boolean roams) {
    private static final OpenRun NONE = new OpenRun(0, true);

    /** Those of these domains that it takes. */
    Set<DomainName> takenOf(PostgresSession tx, Collection<DomainName> domains) {
      if (roams) {
        return Set.copyOf(domains);
      }
      return Set.copyOf(
          tx.sql.list(
              "SELECT d.domain FROM domains d WHERE d.domain = ANY (?)" + RunOutlook.TAKES,
              row -> new DomainName(row.getString(1)),
              tx.texts(domains.stream().map(DomainName::name).distinct().toList()),
              id));
    }
  }

  private OpenRun look(PostgresSession tx) {
    OpenRun run =
        tx.sql
            .first(
                "SELECT id, confined = 0 FROM crawl_runs WHERE status = 'running'"
                    + " ORDER BY id DESC LIMIT 1",
                row -> new OpenRun(row.getLong(1), row.getBoolean(2)))
            .orElse(OpenRun.NONE);
    besideCrawl =
        tx.sql.exists(
            "SELECT 1 FROM workers WHERE run_id = ? AND ended_at IS NULL AND last_seen_at > ?",
            run.id(),
            tx.now() - SILENCE.toMillis());
    return run;
  }

  @Override
  public List<SeedAddress> keepAddresses(List<SeedAddress> addresses) {
    return session.write(tx -> IntakeRows.keep(tx, settings.grouping(), addresses));
  }

  @Override
  public boolean isPaused(DomainName domain) {
    return session.write(tx -> TermsColumns.isPaused(tx.sql, domain.name()));
  }

  @Override
  public Optional<DomainState> state(DomainName domain) {
    return session.write(tx -> Stored.stateOf(tx.sql, domain));
  }

  @Override
  public void close() {
    session.close();
  }
}
