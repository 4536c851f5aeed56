package dev.comity.store.sqlite;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.policy.DomainState;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.port.store.Run;
import dev.comity.core.port.store.RunEnding;
import dev.comity.core.port.store.RunTerms;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Written;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.DataDirectory;
import dev.comity.store.DirectoryInUse;
import dev.comity.store.StoreDamaged;
import dev.comity.store.StoreSettings;
import dev.comity.store.StoreUnusable;
import dev.comity.store.crawl.Arrival;
import dev.comity.store.crawl.Claims;
import dev.comity.store.crawl.CrawlLog;
import dev.comity.store.crawl.DomainCache;
import dev.comity.store.crawl.DomainColumns;
import dev.comity.store.crawl.FrontierWriter;
import dev.comity.store.crawl.HeldDomain;
import dev.comity.store.crawl.HeldDomains;
import dev.comity.store.crawl.Lookups;
import dev.comity.store.crawl.OutsideUrls;
import dev.comity.store.crawl.Priorities;
import dev.comity.store.crawl.ReadAhead;
import dev.comity.store.crawl.Recovery;
import dev.comity.store.crawl.Revisits;
import dev.comity.store.crawl.RunScope;
import dev.comity.store.crawl.Runs;
import dev.comity.store.crawl.SeenHints;
import dev.comity.store.crawl.Settlements;
import dev.comity.store.crawl.Sweep;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.ReaderThread;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.SeedAddresses;
import dev.comity.store.sql.Sha256;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Subdomains;
import dev.comity.store.sql.UrlKey;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Domains, claims, frontiers and all that is remembered of them, in a data directory. One process
 * has it open at a time.
 */
public final class SqliteStore implements CrawlStore, AutoCloseable {
  private static final int HINTS = 1 << 18;

  /**
   * What is inserted comes back to the same pages: at 20 M URLs a quarter of this halves the rate.
   */
  private static final int WRITER_CACHE_KIB = 256 << 10;

  private static final int READER_CACHE_KIB = 16 << 10;

  private final StoreSettings settings;
  private final Supplier<ToLongFunction<CrawlUrl>> keys;
  private final DataDirectory.Hold hold;
  private final Statements writing;
  private final GroupWriter writer;
  private final Checkpoints checkpoints;
  private final ReaderThread reader;
  private final Statements reading;
  private final Lookups lookups;
  private final Priorities priorities;
  private final Runs runs;
  private final DomainCache domains;
  private final FrontierWriter urls;
  private final Claims claims;
  private final Sweep sweep;
  private final Settlements settlements;
  private final OutsideUrls outside;
  private final SeenHints hints = new SeenHints(HINTS);
  private final HeldDomains held;
  private final String worker;

  /** Scores are places that a run before us gave. */
  private volatile boolean placesLinger;

  /**
   * Opens it, making it where there is none; ends the claims a crawl before us may have left.
   *
   * @throws DirectoryInUse if another crawl has it
   * @throws StoreUnusable if it cannot be used as it is
   */
  public static SqliteStore open(DataDirectory directory, StoreSettings settings) {
    return open(directory, settings, UrlKey::new);
  }

  /**
   * Brings the tables that an older program left up to date, for a crawl that reads them before it
   * opens the store.
   *
   * @throws DirectoryInUse if another crawl has the directory
   * @throws StoreUnusable if the tables are not this program's
   */
  public static void upgrade(DataDirectory directory) {
    if (directory.exists() && !Schema.isCurrent(directory)) {
      try (DataDirectory.Hold _ = directory.hold()) {
        Schema.migrate(directory);
      }
    }
  }

  /** With other keys: a test wants bad ones. */
  public static SqliteStore open(
      DataDirectory directory, StoreSettings settings, Supplier<ToLongFunction<CrawlUrl>> keys) {
    DataDirectory.Hold hold = directory.hold();
    try {
      hold.crawling();
      Schema.migrate(directory);
      return new SqliteStore(directory, hold, settings, keys);
    } catch (SQLException failed) {
      hold.close();
      throw new StoreUnusable(
          "cannot open " + directory.path() + ": " + failed.getMessage(), failed);
    } catch (RuntimeException failed) {
      hold.close();
      throw failed;
    }
  }

  private SqliteStore(
      DataDirectory directory,
      DataDirectory.Hold hold,
      StoreSettings settings,
      Supplier<ToLongFunction<CrawlUrl>> keys)
      throws SQLException {
    this.hold = hold;
    this.settings = settings;
    this.keys = keys;
    worker = settings.worker() + "-" + UUID.randomUUID();
    writing = new Statements(directory.writing());
    writing.each("PRAGMA wal_autocheckpoint = 0", _ -> {});
    writing.execute("PRAGMA cache_size = -" + WRITER_CACHE_KIB);
    reading = new Statements(directory.reading());
    reading.execute("PRAGMA cache_size = -" + READER_CACHE_KIB);
    reader = new ReaderThread(reading);
    lookups = new Lookups(reader);
    writer = new GroupWriter(writing, settings.trouble());
    held = new HeldDomains(settings, writing, writer, reader, new ReadAhead(reading));
    priorities = new Priorities();
    runs = new Runs(writing, settings.policy().minimumInterval());
    domains = new DomainCache(writing, settings.policy(), new Subdomains(writing), priorities);
    urls =
        new FrontierWriter(
            writing,
            domains,
            hints,
            settings.limits().maxUnfinished(),
            settings.grouping()::domainOf,
            keys);
    claims =
        new Claims(
            writing, settings.policy(), domains, runs, priorities, worker, settings.limits());
    outside = new OutsideUrls(writing);
    sweep = new Sweep(writing, settings.policy(), domains, runs);
    CrawlLog log = new CrawlLog(writing, runs, settings.keepText());
    settlements = new Settlements(writing, claims, runs, urls, domains, log);
    checkpoints = new Checkpoints(directory, writing);
    List.of(new Presence(directory), domains, urls, runs, log, checkpoints).forEach(writer::follow);
    writer.start();
    checkpoints.start();
    write(
        () -> {
          Recovery.run(writing, worker, settings.worker(), now());
          placesLinger = Priorities.hasPlaces(writing);
          sweep.resetByHand(now());
          return true;
        });
  }

  @Override
  public Run begin(RunTerms terms, Instant now) {
    return write(
        () -> {
          Run run = runs.begin(terms, now.toEpochMilli());
          return runs.reachesFurther() ? run.rereading(askForLinks(terms, now)) : run;
        });
  }

  /** Queues known pages in the transaction that changes the terms, so a crash loses none. */
  private int askForLinks(RunTerms terms, Instant now) throws SQLException {
    Set<DomainName> reached = new TreeSet<>(Comparator.comparing(DomainName::name));
    terms.seeds().forEach(seed -> reached.add(settings.grouping().domainOf(seed)));
    reached.addAll(runs.domains());
    Revisits revisits = new Revisits(writing, settings.policy());
    int known = 0;
    for (DomainName domain : reached) {
      known += revisits.links(domain, now.toEpochMilli());
      domains.forget(domain);
    }
    return known;
  }

  @Override
  public void end(RunEnding ending, Instant now) {
    write(
        () -> {
          runs.end(ending, now.toEpochMilli());
          return true;
        });
  }

  /** Keeps the run to these domains: others that have work left are not claimed in it. */
  public void confine(Collection<DomainName> domains) {
    write(
        () -> {
          new RunScope(writing).confine(runs.id(), domains, now());
          return true;
        });
  }

  /** How many URLs of the run's domains are set aside, since processes died while asking them. */
  public long setAside() {
    return reader.read(
        sql ->
            sql.number(
                """
                SELECT coalesce(sum(d.urls_set_aside), 0) FROM domains d
                WHERE d.urls_set_aside > 0 AND (d.spent_run_id IS NOT ?1
                  OR EXISTS (SELECT 1 FROM jobs j WHERE j.domain_id = d.id AND j.run_id = ?1))
                """,
                runs.id()));
  }

  /**
   * Makes everything known of those of these domains that are exhausted due again.
   *
   * @return how many URLs that are
   */
  public int again(Collection<DomainName> domains, Instant now) {
    Revisits revisits = new Revisits(writing, settings.policy());
    int due = 0;
    for (DomainName domain : domains) {
      due += write(() -> revisit(revisits, domain, now.toEpochMilli()));
    }
    return due;
  }

  private int revisit(Revisits revisits, DomainName domain, long now) throws SQLException {
    int due = revisits.again(domain, now);
    this.domains.forget(domain);
    return due;
  }

  @Override
  public void hurry() {
    writer.hurry();
  }

  @Override
  public int add(List<QueuedUrl> list, Instant now) {
    List<Arrival> arrivals = arrivals(list);
    if (arrivals.isEmpty()) {
      return 0;
    }
    FrontierWriter.Added added =
        write(() -> urls.add(arrivals, OptionalLong.empty(), urls::find, now.toEpochMilli()));
    held.entered(arrivals);
    return added.all();
  }

  @Override
  public void keepOutside(Claim claim, List<QueuedUrl> list) {
    HeldDomain domain = held.of(claim);
    writer.later(
        () -> {
          if (claims.holds(domain.id, domain.token)) {
            outside.keep(
                domain, list, Settlements.once(urls::find), settings.limits().maxUnfinished());
          }
          return true;
        });
  }

  @Override
  public int takeOutside(Predicate<DomainName> about, Predicate<QueuedUrl> inScope, Instant now) {
    int entered = 0;
    for (DomainName domain : reader.read(OutsideUrls::domains)) {
      entered += about.test(domain) ? takeOutside(domain, inScope, now) : 0;
    }
    return entered;
  }

  private int takeOutside(DomainName domain, Predicate<QueuedUrl> inScope, Instant now) {
    int entered = 0;
    long last = 0;
    while (true) {
      long from = last;
      List<OutsideUrls.Kept> some = reader.read(sql -> OutsideUrls.after(sql, domain, from));
      if (some.isEmpty()) {
        return entered;
      }
      last = some.getLast().id();
      List<OutsideUrls.Kept> taken =
          some.stream().filter(kept -> inScope.test(kept.entry())).toList();
      List<Arrival> arrivals = arrivals(taken.stream().map(OutsideUrls.Kept::entry).toList());
      entered +=
          write(
              () -> {
                outside.drop(taken);
                return urls.add(arrivals, OptionalLong.empty(), urls::find, now.toEpochMilli())
                    .all();
              });
      held.entered(arrivals);
    }
  }

  @Override
  public List<Claim> claim(int most, Instant now) {
    leaveSeedOrder(now);
    long millis = now.toEpochMilli();
    record Swept(List<DomainName> ended, List<Claims.Granted> granted) {}
    Swept swept = write(() -> new Swept(sweep.run(millis), claims.claim(most, millis)));
    held.dropAll(swept.ended());
    swept.granted().forEach(held::take);
    return swept.granted().stream().map(Claims.Granted::claim).toList();
  }

  /** An earlier run may have had its own order; killed on the way, the next one starts over. */
  private void leaveSeedOrder(Instant now) {
    if (!placesLinger || priorities.isOrdered()) {
      return;
    }
    recalculatePriorities(now);
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    write(
        () -> {
          Priorities.forgetPlaces(writing);
          return true;
        });
    placesLinger = false;
  }

  @Override
  public Optional<Claim> borrow(DomainName domain, Instant now) {
    long millis = now.toEpochMilli();
    record Swept(List<DomainName> ended, Optional<Claims.Granted> granted) {}
    Swept swept = write(() -> new Swept(sweep.run(millis), claims.borrow(domain, millis)));
    held.dropAll(swept.ended());
    swept.granted().ifPresent(held::take);
    return swept.granted().map(Claims.Granted::claim);
  }

  @Override
  public Optional<Instant> nextClaimable(Instant now) {
    return lookups.nextClaimable(now);
  }

  @Override
  public Renewal renew(Collection<Claim> list, Instant now) {
    Set<DomainName> lost = write(() -> claims.renew(list, now.toEpochMilli()));
    return new Renewal(lost, claims.until(now.toEpochMilli()));
  }

  @Override
  public Frontier frontier() {
    return held;
  }

  @Override
  public Written settle(Claim claim, Settlement settlement) {
    HeldDomain domain = held.of(claim);
    synchronized (domain) {
      HeldDomain.Waiting waiting = domain.inFlight.get(settlement.entry().url());
      if (waiting == null || !waiting.entry().equals(settlement.entry())) {
        // Said again. Whoever lost the claim is to hear of it all the same.
        fenced(domain, () -> requireHeld(domain));
        return Written.NOTHING;
      }
      long at = now();
      Settlements.Settling ready =
          new Settlements.Settling(
              domain,
              waiting,
              settlement,
              DomainColumns.of(domain, settlement.state(), at),
              arrivals(settlement.found()),
              movedTo(domain, settlement),
              contentHash(settlement),
              at);
      int skipped = fenced(domain, () -> settlements.settle(ready));
      held.settled(domain, settlement, ready.found());
      return new Written(reachesOthers(domain, ready.found()), skipped);
    }
  }

  @Override
  public Written record(Claim claim, Note note) {
    HeldDomain domain = held.of(claim);
    synchronized (domain) {
      List<Arrival> found = arrivals(note.found());
      long at = now();
      int skipped = fenced(domain, () -> settlements.note(domain, note, found, at));
      domain.written(note.state());
      held.entered(found);
      return new Written(reachesOthers(domain, found), skipped);
    }
  }

  private Set<DomainName> movedTo(HeldDomain domain, Settlement settlement) {
    if (!settlement.entry().isStart() || settlement.location().isEmpty()) {
      return Set.of();
    }
    return settlement.found().stream()
        .map(found -> settings.grouping().domainOf(found.url()))
        .filter(target -> !target.equals(domain.name))
        .collect(Collectors.toSet());
  }

  private static boolean reachesOthers(HeldDomain domain, List<Arrival> found) {
    return found.stream().anyMatch(one -> !one.skipped() && !one.domain().equals(domain.name));
  }

  @Override
  public void release(Claim claim, DomainState state, Ending ending, Instant now) {
    HeldDomain domain = held.of(claim);
    synchronized (domain) {
      fenced(domain, () -> claims.release(domain, state, ending, now.toEpochMilli()));
      held.drop(domain);
    }
  }

  @Override
  public void takeBack(DomainName domain, UnaryOperator<DomainState> change) {
    write(
        () -> {
          claims.takeBack(domain, change, now());
          return true;
        });
  }

  @Override
  public void recalculatePriorities(Instant now) {
    long at = now.toEpochMilli();
    long last = 0;
    while (true) {
      long from = last;
      List<Priorities.Score> scores = reader.read(sql -> priorities.after(sql, from, at));
      if (scores.isEmpty() || Thread.currentThread().isInterrupted()) {
        return;
      }
      write(
          () -> {
            Priorities.write(writing, scores, at);
            return true;
          });
      last = scores.getLast().id();
    }
  }

  @Override
  public void rank(Map<DomainName, Long> ranks, Instant now) {
    write(
        () -> {
          priorities.rank(writing, ranks, now.toEpochMilli());
          return true;
        });
  }

  @Override
  public void order(List<DomainName> list, Instant now) {
    write(
        () -> {
          priorities.order(writing, worker, list, now.toEpochMilli());
          return true;
        });
  }

  @Override
  public List<SeedAddress> keepAddresses(List<SeedAddress> seeds) {
    return seeds.isEmpty()
        ? List.of()
        : write(() -> new SeedAddresses(writing).keep(seeds, settings.grouping()::domainOf));
  }

  @Override
  public Optional<DomainState> state(DomainName domain) {
    return lookups.state(domain);
  }

  @Override
  public List<TemplateStats> templates(DomainName domain) {
    return switch (lookups.templates(domain)) {
      case Stored.Sound(var tallies) -> tallies;
      case Stored.Damaged(var reason) ->
          throw held.find(domain)
              .map(claimed -> (RuntimeException) held.setAside(claimed, reason))
              .orElseGet(() -> new StoreDamaged(reason, StoreDamaged.RESET, domain.name()));
    };
  }

  /** Why a domain is set aside, where it is: something stored of it cannot be read. */
  public Optional<String> damage(DomainName domain) {
    return lookups.damage(domain);
  }

  @Override
  public List<String> damaged(int limit) {
    return reader.read(
        sql ->
            sql.list(
                """
                SELECT domain FROM domains INDEXED BY domains_damaged
                WHERE damage IS NOT NULL AND spent_run_id IS NOT ? ORDER BY domain LIMIT ?
                """,
                row -> row.getString(1),
                runs.id(),
                limit));
  }

  @Override
  public Optional<RobotsCopy> robots(Authority authority) {
    return lookups.robots(authority);
  }

  @Override
  public Optional<Instant> lastStart(DomainName domain) {
    return lookups.lastStart(domain);
  }

  @Override
  public Optional<Instant> lastStartOfSource(String source) {
    return lookups.lastStartOfSource(source);
  }

  private List<Arrival> arrivals(List<QueuedUrl> list) {
    return Arrival.of(list, settings.grouping()::domainOf, hints, keys.get());
  }

  private static Optional<Body> contentHash(Settlement settlement) {
    return settlement.fetched().isPresent()
            && settlement.fetched().get().outcome() instanceof Success page
        ? Optional.of(Body.of(Sha256.of(page.body().bytes())))
        : Optional.empty();
  }

  private boolean requireHeld(HeldDomain domain) throws SQLException {
    if (!claims.holds(domain.id, domain.token)) {
      throw new ClaimLost(domain.name, domain.token);
    }
    return true;
  }

  /** A write on behalf of a claim; who has lost it is not asked again. */
  private <T> T fenced(HeldDomain domain, GroupWriter.Work<T> work) {
    try {
      return writer.write(work);
    } catch (ClaimLost lost) {
      held.drop(domain);
      throw lost;
    }
  }

  private <T> T write(GroupWriter.Work<T> work) {
    return writer.write(work);
  }

  private long now() {
    return settings.clock().instant().toEpochMilli();
  }

  /** Leaves everything written and the directory to others. */
  @Override
  public void close() {
    try (hold) {
      try {
        write(
            () -> {
              Recovery.leave(writing, worker, now());
              return true;
            });
      } finally {
        writer.close();
        reader.close();
        reading.close();
        writing.close();
        checkpoints.close();
      }
    } catch (SQLException failed) {
      throw new StoreUnusable("closing failed: " + failed.getMessage(), failed);
    }
  }
}
