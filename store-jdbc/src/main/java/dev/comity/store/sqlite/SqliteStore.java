package dev.comity.store.sqlite;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.store.Claim;
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
import dev.comity.store.StoreSettings;
import dev.comity.store.StoreUnusable;
import dev.comity.store.crawl.ClaimOrder;
import dev.comity.store.crawl.Claims;
import dev.comity.store.crawl.DomainRows;
import dev.comity.store.crawl.FrontierWriter;
import dev.comity.store.crawl.FrontierWriter.Arrival;
import dev.comity.store.crawl.HeldDomains;
import dev.comity.store.crawl.HeldDomains.Held;
import dev.comity.store.crawl.Lookups;
import dev.comity.store.crawl.Notes;
import dev.comity.store.crawl.OutsideUrls;
import dev.comity.store.crawl.Priorities;
import dev.comity.store.crawl.ReadAhead;
import dev.comity.store.crawl.Recovery;
import dev.comity.store.crawl.RunControl;
import dev.comity.store.crawl.Runs;
import dev.comity.store.crawl.SeenHints;
import dev.comity.store.crawl.Settlements;
import dev.comity.store.crawl.Sweep;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.ReaderThread;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.SeedAddresses;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.UrlKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * The store of a crawl in a data directory; one process has it open at a time. Methods delegate by
 * group: runs, claims and state, frontiers, lookups.
 */
public final class SqliteStore implements CrawlStore, AutoCloseable {
  private static final int HINTS = 1 << 18;

  private final StoreSettings settings;
  private final DataDirectory.Hold hold;
  private final SqliteConnections connections;
  private final GroupWriter writer;
  private final String worker;

  // Claims and state.
  private final Runs runs;
  private final RunControl runControl;
  private final Claims claims;
  private final Sweep sweep;
  private final ClaimOrder order;
  private final Settlements settlements;
  private final Notes notes;
  private final Lookups lookups;

  // Frontiers.
  private final HeldDomains held;
  private final FrontierWriter urls;
  private final OutsideUrls outside;

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
   * Changes the tables of an older program, for a crawl that reads them before it opens the store.
   *
   * @throws DirectoryInUse if another crawl has the directory
   */
  public static void upgrade(DataDirectory directory) {
    if (directory.exists()) {
      Schema.upgrade(directory);
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
    } catch (RuntimeException failed) {
      hold.close();
      throw failed;
    }
  }

  private SqliteStore(
      DataDirectory directory,
      DataDirectory.Hold hold,
      StoreSettings settings,
      Supplier<ToLongFunction<CrawlUrl>> keys) {
    this.hold = hold;
    this.settings = settings;
    worker = settings.worker() + "-" + UUID.randomUUID();
    connections = new SqliteConnections(directory, settings.trouble());
    writer = connections.writer;
    Statements writing = connections.writing;
    ReaderThread reader = connections.reader;
    lookups = new Lookups(reader);
    held =
        new HeldDomains(
            settings, worker, writing, writer, reader, new ReadAhead(connections.reading));
    runs = new Runs(writing, settings.policy().minimumInterval());
    Priorities priorities = new Priorities();
    int mostUnfinished = settings.limits().maxUnfinished();
    urls =
        new FrontierWriter(
            writing,
            new DomainRows(writing, settings.policy(), priorities),
            new SeenHints(HINTS),
            mostUnfinished,
            settings.grouping()::domainOf,
            keys);
    claims =
        new Claims(writing, settings.policy(), urls, runs, priorities, worker, settings.limits());
    order = new ClaimOrder(writing, writer, reader, priorities, worker);
    outside = new OutsideUrls(writing, writer, reader, urls, held, mostUnfinished);
    runControl = new RunControl(settings, writing, writer, runs, urls);
    sweep = new Sweep(writing, settings.policy(), urls, runs);
    settlements = new Settlements(writing, runs, urls, settings.keepText());
    notes = new Notes(writing, urls, settlements);
    connections.start(List.of(urls, settlements), held::size);
    writer.run(
        () -> {
          Recovery.run(writing, worker, settings.worker(), now());
          order.open();
          sweep.resetByHand(now());
        });
  }

  @Override
  public Run begin(RunTerms terms, Instant now) {
    return runControl.begin(terms, now);
  }

  @Override
  public void end(RunEnding ending, Instant now) {
    runControl.end(ending, now);
  }

  /** Keeps the run to these domains: others that have work left are not claimed in it. */
  public void confine(Collection<DomainName> domains) {
    runControl.confine(domains, now());
  }

  /** Requeues all known URLs of these domains, where they are exhausted; returns how many. */
  public int again(Collection<DomainName> domains, Instant now) {
    return runControl.again(domains, now);
  }

  /** How many URLs of the run's domains are set aside, since processes died while asking them. */
  public long setAside() {
    return lookups.urlsSetAside(runs.id());
  }

  @Override
  public void hurry() {
    writer.hurry();
  }

  @Override
  public int add(List<QueuedUrl> list, Instant now) {
    List<Arrival> arrivals = urls.arrivals(list);
    if (arrivals.isEmpty()) {
      return 0;
    }
    long at = now.toEpochMilli();
    int added =
        writer.write(() -> urls.add(arrivals, OptionalLong.empty(), urls::find, at).all().queued());
    held.entered(arrivals);
    return added;
  }

  @Override
  public void keepOutside(Claim claim, List<QueuedUrl> list) {
    outside.keep(claim, list);
  }

  @Override
  public int takeOutside(Predicate<DomainName> about, Predicate<QueuedUrl> inScope, Instant now) {
    return outside.take(about, inScope, now.toEpochMilli());
  }

  @Override
  public List<Claim> claim(int most, Instant now) {
    order.leaveSeedOrder(now);
    return sweepAndClaim(() -> claims.claim(most, now.toEpochMilli()), now);
  }

  @Override
  public Optional<Claim> borrow(DomainName domain, Instant now) {
    return sweepAndClaim(() -> claims.borrow(domain, now.toEpochMilli()).stream().toList(), now)
        .stream()
        .findFirst();
  }

  private List<Claim> sweepAndClaim(Supplier<List<Claims.Granted>> claiming, Instant now) {
    record Swept(List<DomainName> ended, List<Claims.Granted> granted) {}
    Swept swept = writer.write(() -> new Swept(sweep.run(now.toEpochMilli()), claiming.get()));
    held.dropAll(swept.ended());
    swept.granted().forEach(held::take);
    return swept.granted().stream().map(Claims.Granted::claim).toList();
  }

  @Override
  public Optional<Instant> nextClaimable(Instant now) {
    return lookups.nextClaimable(now);
  }

  @Override
  public Renewal renew(Collection<Claim> list, Instant now) {
    Set<DomainName> lost = writer.write(() -> claims.renew(list, now.toEpochMilli()));
    return new Renewal(lost, claims.until(now.toEpochMilli()));
  }

  @Override
  public Frontier frontier() {
    return held;
  }

  @Override
  public Written settle(Claim claim, List<Settlement> list) {
    Held domain = held.of(claim);
    synchronized (domain.writing) {
      List<Settlements.Settling> members = new ArrayList<>();
      for (Settlement settlement : list) {
        domain
            .inFlight(settlement.entry())
            .map(
                waiting ->
                    Settlements.Settling.of(
                        domain.name,
                        waiting,
                        settlement,
                        urls.arrivals(settlement.found()),
                        settings.grouping()))
            .ifPresent(members::add);
      }
      if (members.isEmpty()) {
        // A repeated settlement writes nothing, but reports a lost claim.
        held.write(domain, () -> domain.requireClaim(connections.writing));
        return Written.NOTHING;
      }
      Settlements.Group group = Settlements.Group.of(domain, members, now());
      int skipped = held.write(domain, () -> settlements.settle(group));
      return new Written(held.settled(group), skipped);
    }
  }

  @Override
  public Written record(Claim claim, Note note) {
    Held domain = held.of(claim);
    synchronized (domain.writing) {
      List<Arrival> found = urls.arrivals(note.found());
      long at = now();
      int skipped = held.write(domain, () -> notes.write(domain, note, found, at));
      domain.written(note.state());
      return new Written(held.entered(domain, found), skipped);
    }
  }

  @Override
  public void release(Claim claim, DomainState state, Ending ending, Instant now) {
    Held domain = held.of(claim);
    synchronized (domain.writing) {
      held.write(domain, () -> claims.release(domain, state, ending, now.toEpochMilli()));
      held.drop(domain);
    }
  }

  @Override
  public void takeBack(DomainName domain, UnaryOperator<DomainState> change) {
    writer.run(() -> claims.takeBack(domain, change, now()));
  }

  @Override
  public void recalculatePriorities(Instant now) {
    order.recalculate(now);
  }

  @Override
  public void rank(Map<DomainName, Long> ranks, Instant now) {
    order.rank(ranks, now);
  }

  @Override
  public void order(List<DomainName> list, Instant now) {
    order.order(list, now);
  }

  @Override
  public List<SeedAddress> keepAddresses(List<SeedAddress> seeds) {
    return seeds.isEmpty()
        ? List.of()
        : writer.write(
            () ->
                new SeedAddresses(connections.writing).keep(seeds, settings.grouping()::domainOf));
  }

  @Override
  public Optional<DomainState> state(DomainName domain) {
    return lookups.state(domain);
  }

  @Override
  public List<TemplateStats> templates(DomainName domain) {
    return lookups.templates(domain, held);
  }

  /** Why a domain is set aside, where it is: something stored of it cannot be read. */
  public Optional<String> damage(DomainName domain) {
    return lookups.damage(domain);
  }

  @Override
  public List<String> damaged(int limit) {
    return lookups.damaged(runs.id(), limit);
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

  private long now() {
    return settings.clock().instant().toEpochMilli();
  }

  /** Leaves everything written and the directory to others. */
  @Override
  public void close() {
    try (hold) {
      try {
        writer.run(() -> Recovery.leave(connections.writing, worker, now()));
      } finally {
        connections.close();
      }
    }
  }
}
