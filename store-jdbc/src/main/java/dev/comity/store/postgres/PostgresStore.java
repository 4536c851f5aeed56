package dev.comity.store.postgres;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.port.store.Borrowing;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.PageHint;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Written;
import dev.comity.core.schedule.SourcePace;
import dev.comity.core.url.DomainName;
import dev.comity.store.StoreDamaged;
import dev.comity.store.StoreSettings;
import dev.comity.store.StoreUnusable;
import dev.comity.store.crawl.SeenHints;
import dev.comity.store.crawl.Settlements.Settling;
import dev.comity.store.order.Priorities;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.connect.ReadSessions;
import dev.comity.store.postgres.connect.WorkerRows;
import dev.comity.store.postgres.connect.WriteLane.WorkerLost;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The store of a crawl in a PostgreSQL database, as one worker has it. Other workers, of this
 * process or of others, have stores of their own on the same database.
 */
public final class PostgresStore extends PostgresLookups implements AutoCloseable {
  private static final int HINTS = 1 << 16;

  private final PostgresDatabase database;
  private final StoreSettings settings;
  private final StoreWorker worker;
  private final FlushWriter writer;
  private final FrontierInserts inserts;
  private final RunOutlook outlook;
  private final ClaimGrants claims;
  private final FleetSweep sweep;
  private final IntakeRows intake;
  private final HeldFrontier held;
  private final SourcePaces sources;

  /**
   * Opens it for a further worker, making the tables where there are none.
   *
   * @throws StoreUnusable if it cannot be used as it is
   */
  public static PostgresStore open(PostgresDatabase database, StoreSettings settings) {
    database.migrate();
    return of(database, settings);
  }

  private static PostgresStore of(PostgresDatabase database, StoreSettings settings) {
    Priorities priorities = new Priorities();
    return new PostgresStore(database, settings, priorities, new DomainIds(priorities));
  }

  private PostgresStore(
      PostgresDatabase database, StoreSettings settings, Priorities priorities, DomainIds ids) {
    super(new ReadSessions(database), new RunRows(settings.policy().minimumInterval(), ids));
    this.database = database;
    this.settings = settings;
    outlook = new RunOutlook(runs);
    sources = new SourcePaces(settings.policy().minimumInterval());
    inserts =
        new FrontierInserts(
            ids, new SeenHints(HINTS), settings.limits(), settings.grouping()::domainOf);
    claims = new ClaimGrants(settings.policy(), ids, runs, settings.limits());
    sweep = new FleetSweep(settings.policy(), settings.limits());
    worker = new StoreWorker(database, settings, runs, this::dropAll);
    held = new HeldFrontier(settings.limits(), reading, this::taken, this::setAside);
    Flush flush =
        new Flush(
            inserts,
            new FlushedReleases(settings.policy(), priorities, runs, sources),
            new OutsideRows(inserts, settings.limits().maxUnfinished()),
            runs);
    writer = new FlushWriter(worker.flushing, worker::id, flush, held::size, held::dropAll);
    intake =
        new IntakeRows(
            worker.intake,
            reading,
            inserts,
            sweep,
            priorities,
            settings.grouping(),
            settings.policy(),
            held);
    worker.join();
  }

  /** A store of another worker of this process on the same database. */
  public PostgresStore another(String name) {
    return of(database, settings.named(name));
  }

  /** Writes with the lane for claims. */
  private <T> T claiming(Function<PostgresSession, T> work) {
    return worker.rejoining(() -> worker.claiming.write(work));
  }

  @Override
  public Run begin(RunTerms terms, Instant now) {
    if (terms.isRefresh()) {
      throw new StoreUnusable(
          "pages have no dates in PostgreSQL yet, so that none is due; refresh a data directory");
    }
    return claiming(
        tx ->
            runs.begin(tx, worker.id(), terms, (same, wider) -> intake.reread(same, wider, runs)));
  }

  @Override
  public boolean end(RunEnding ending, Instant now) {
    return claiming(
        tx -> {
          sweep.endExpired(tx);
          return runs.end(tx, ending, () -> outlook.outlook(tx, now, Wanted.ANY));
        });
  }

  @Override
  public Instant now() {
    return Instant.ofEpochMilli(reading.read(sql -> sql.number("SELECT comity_millis()")));
  }

  @Override
  public Portion draw(long pages) {
    return claiming(tx -> outlook.draw(tx, worker.id(), RunOutlook.BudgetKind.PAGES, pages));
  }

  @Override
  public Portion drawImages(long images) {
    return claiming(tx -> outlook.draw(tx, worker.id(), RunOutlook.BudgetKind.IMAGES, images));
  }

  /** Keeps the run to these domains: others that have work left are not claimed in it. */
  public void confine(Collection<DomainName> domains) {
    claiming(
        tx -> {
          runs.confine(tx, domains);
          return true;
        });
  }

  /** Requeues all known URLs of these domains, where they are exhausted; returns how many. */
  public int again(Collection<DomainName> domains) {
    return claiming(tx -> intake.again(tx, domains, RequeuedUrls.ANSWERED));
  }

  @Override
  public Outlook outlook(Instant now, Wanted wanted) {
    return claiming(
        tx -> {
          WorkerRows.seen(tx, worker.id());
          sweep.endExpired(tx);
          sweep.wake(tx);
          return outlook.outlook(tx, now, wanted);
        });
  }

  @Override
  public List<Claim> claim(int most, Instant now, Wanted wanted) {
    Instant until = settings.limits().until(now);
    swept();
    List<ClaimGrants.Granted> granted =
        claiming(tx -> claims.claim(tx, worker.id(), most, wanted, until));
    claims.granted(granted.size());
    return granted.stream().map(this::taken).toList();
  }

  @Override
  public Borrowing borrow(DomainName domain, Instant now) {
    Instant until = settings.limits().until(now);
    swept();
    ClaimGrants.Loan loan = claiming(tx -> claims.borrow(tx, worker.id(), domain, until));
    if (loan.granted().isPresent()) {
      return new Borrowing.Lent(taken(loan.granted().get()));
    }
    return loan.held() ? new Borrowing.HeldElsewhere() : new Borrowing.Closed();
  }

  /** Sweeps in a transaction of its own, which ends before domains are locked for a claim. */
  private void swept() {
    held.dropAll(
        claiming(
            tx -> {
              WorkerRows.seen(tx, worker.id());
              return sweep.run(tx, runs.id());
            }));
  }

  private void dropAll() {
    held.dropAll();
  }

  private Claim taken(ClaimGrants.Granted granted) {
    held.hold(new HeldDomain(granted.claim(), granted.id()));
    return granted.claim();
  }

  private void taken(FlushPiece.TakenUrl one) {
    writer.taken(one);
  }

  @Override
  public Renewal renew(Collection<Claim> list, Instant now) {
    Map<DomainName, OperatorTerms> terms =
        claiming(
            tx -> {
              WorkerRows.seen(tx, worker.id());
              return claims.renew(tx, worker.id(), list);
            });
    terms.forEach((domain, set) -> held.find(domain).ifPresent(one -> one.terms = set));
    Set<DomainName> lost = new HashSet<>();
    list.stream().map(Claim::domain).filter(name -> !terms.containsKey(name)).forEach(lost::add);
    return new Renewal(lost, settings.limits().until(now));
  }

  /** Reads the row: one look by its key is what "before every request" costs. */
  @Override
  public OperatorTerms terms(Claim claim) {
    HeldDomain domain = held.of(claim);
    Optional<OperatorTerms> terms =
        reading.read(sql -> ClaimGrants.terms(sql, domain, worker.id()));
    if (terms.isEmpty()) {
      held.drop(domain);
      throw new ClaimLost(domain.name, domain.token);
    }
    domain.terms = terms.get();
    return terms.get();
  }

  @Override
  public Frontier frontier() {
    return held;
  }

  @Override
  public Written settle(Claim claim, List<Settlement> list) {
    HeldDomain domain = held.of(claim);
    synchronized (domain.writing) {
      List<Settling> members = new ArrayList<>();
      List<List<FoundUrl>> finds = new ArrayList<>();
      for (Settlement settlement : list) {
        domain
            .inFlight(settlement.entry())
            .ifPresent(
                waiting -> {
                  members.add(
                      Settling.of(
                          domain.name, waiting, settlement, List.of(), settings.grouping()));
                  finds.add(inserts.prepare(settlement.found()));
                });
      }
      if (members.isEmpty()) {
        // A repeated settlement writes nothing, but reports a lost claim.
        return write(domain, new FlushPiece.Checked(domain));
      }
      FlushPiece.SettledPiece piece = new FlushPiece.SettledPiece(domain, members, finds);
      Written written = write(domain, piece);
      held.settled(piece);
      inserts.stored(piece.found().stream());
      return written;
    }
  }

  @Override
  public Written record(Claim claim, Note note) {
    HeldDomain domain = held.of(claim);
    synchronized (domain.writing) {
      FlushPiece.Noted piece = new FlushPiece.Noted(domain, note, inserts.prepare(note.found()));
      Written written = write(domain, piece);
      domain.written(note.state());
      held.entered(piece.found());
      return written;
    }
  }

  @Override
  public void keepOutside(Claim claim, List<QueuedUrl> urls) {
    writer.later(new FlushPiece.Outside(held.of(claim), List.copyOf(urls)));
  }

  @Override
  public void release(Claim claim, DomainState state, Ending ending, Instant now) {
    HeldDomain domain = held.of(claim);
    synchronized (domain.writing) {
      write(domain, new FlushPiece.Released(domain, state, ending));
      held.drop(domain);
    }
  }

  /** A domain with a lost claim is dropped. */
  private Written write(HeldDomain domain, FlushPiece piece) {
    try {
      return writer.write(piece);
    } catch (ClaimLost lost) {
      held.drop(domain);
      throw lost;
    }
  }

  private ClaimLost setAside(HeldDomain domain, String reason) {
    claiming(
        tx -> {
          if (ClaimGrants.isHeld(tx, domain, worker.id())) {
            FleetSweep.setAside(tx, domain.id, reason);
          }
          return true;
        });
    held.drop(domain);
    return new ClaimLost(domain.name, domain.token, reason);
  }

  @Override
  RuntimeException unreadable(DomainName name, String reason) {
    return held.find(name)
        .map(domain -> (RuntimeException) setAside(domain, reason))
        .orElseGet(() -> new StoreDamaged(reason, StoreDamaged.RESET, name.name()));
  }

  @Override
  public void takeBack(DomainName domain, long token, UnaryOperator<DomainState> change) {
    claiming(
        tx -> {
          claims.takeBack(tx, domain, token, change);
          return true;
        });
  }

  @Override
  public int add(List<QueuedUrl> urls, Instant now) {
    return worker.rejoining(() -> intake.add(urls));
  }

  @Override
  public SourcePace pace(String source) {
    return reading.read(sql -> sources.of(sql, source));
  }

  @Override
  public SourceTurn takeTurn(String source, Instant now) {
    return claiming(tx -> sources.takeTurn(tx, source));
  }

  @Override
  public AddAnswer offer(QueuedUrl url, Instant now) {
    return worker.rejoining(() -> intake.offer(url, sources, now));
  }

  /** Pages have no dates here, so that a hint changes none. A lost claim is reported. */
  @Override
  public void hint(Claim claim, List<PageHint> hints) {
    held.of(claim);
  }

  @Override
  public int takeOutside(Predicate<DomainName> about, Predicate<QueuedUrl> inScope, Instant now) {
    return worker.rejoining(() -> intake.takeOutside(about, inScope));
  }

  @Override
  public void rank(Map<DomainName, Long> ranks, Instant now) {
    intake.rank(ranks);
  }

  @Override
  public List<SeedAddress> keepAddresses(List<SeedAddress> seeds) {
    return intake.keepAddresses(seeds);
  }

  @Override
  public void recalculatePriorities(Instant now) {
    intake.recalculate(now);
  }

  @Override
  public void order(List<DomainName> domains, Instant now) {
    intake.order(worker.id(), domains);
  }

  /** How many transactions had to be made again: because of others, or of lost connections. */
  public long repeats() {
    return worker.repeats();
  }

  @Override
  public void hurry() {
    worker.hurry();
  }

  /** Ends this worker's claims and leaves the database to the others. */
  @Override
  public void close() {
    writer.close();
    try {
      worker.claiming.write(
          tx -> {
            sweep.endClaimsOf(tx, worker.id());
            WorkerRows.end(tx, worker.id(), "ended", tx.now());
            return true;
          });
    } catch (WorkerLost _) {
      // Others have ended it.
    } finally {
      worker.close();
      reading.close();
    }
  }
}
