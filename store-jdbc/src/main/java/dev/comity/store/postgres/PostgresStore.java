package dev.comity.store.postgres;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.run.WorkerOrders;
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
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Written;
import dev.comity.core.schedule.NextLook;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.StoreDamaged;
import dev.comity.store.StoreSettings;
import dev.comity.store.StoreUnusable;
import dev.comity.store.crawl.ReadAhead.Waiting;
import dev.comity.store.crawl.Settlements.Settling;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.connect.WorkerRows;
import dev.comity.store.postgres.connect.WriteLane.WorkerLost;
import dev.comity.store.postgres.rows.RefreshRows;
import dev.comity.store.refresh.DomainLesson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * The store of a crawl in a PostgreSQL database, as one worker has it. Other workers, of this
 * process or of others, have stores of their own on the same database.
 */
public final class PostgresStore extends PostgresIntake {
  private static final int HINTS_AT_ONCE = 2_000;

  private final StoreSettings settings;
  private final StoreWorker worker;
  private final FlushWriter writer;
  private final FrontierInserts inserts;
  private final ClaimGrants claims;
  private final HeldFrontier held;

  private PostgresStore(PostgresParts parts) {
    super(parts);
    settings = parts.settings;
    worker = parts.worker;
    writer = parts.writer;
    inserts = parts.inserts;
    claims = parts.claims;
    held = parts.held;
  }

  /**
   * Opens it for a further worker, making the tables where there are none.
   *
   * @throws StoreUnusable if it cannot be used as it is
   */
  public static PostgresStore open(PostgresDatabase database, StoreSettings settings) {
    database.migrate();
    return new PostgresStore(new PostgresParts(database, settings));
  }

  /** A store of another worker of this process on the same database. */
  public PostgresStore another(String name) {
    return new PostgresStore(new PostgresParts(parts.database, parts.settings.named(name)));
  }

  @Override
  public Run begin(RunTerms terms, Instant now) {
    parts.intake.leaveSeedOrder(now);
    return parts.claiming(
        tx ->
            runs.begin(
                tx, worker.id(), terms, (same, wider) -> parts.intake.reread(same, wider, runs)));
  }

  /**
   * Joins a run that another process has begun.
   *
   * @return empty if it is over
   */
  public Optional<Run> join(long run) {
    return parts.claiming(tx -> runs.join(tx, worker.id(), run));
  }

  @Override
  public void openToWorkers(String settings) {
    parts.claiming(
        tx -> {
          runs.openToWorkers(tx, settings);
          return true;
        });
  }

  @Override
  public WorkerOrders orders() {
    return parts.claiming(tx -> WorkerRows.orders(tx, worker.id()));
  }

  @Override
  public void askHolder(CrawlUrl file) {
    DomainName domain = settings.grouping().domainOf(file);
    parts.claiming(
        tx -> {
          WorkerRows.askHolder(tx, domain.name(), file.toString());
          return true;
        });
  }

  @Override
  public boolean end(RunEnding ending, Instant now) {
    return parts.claiming(
        tx -> {
          parts.sweep.endExpired(tx);
          return runs.end(tx, ending, wanted -> parts.outlook.outlook(tx, now, wanted));
        });
  }

  @Override
  public Instant now() {
    return Instant.ofEpochMilli(reading.read(sql -> sql.number("SELECT comity_millis()")));
  }

  @Override
  public Portion draw(long pages) {
    return parts.claiming(
        tx -> parts.outlook.draw(tx, worker.id(), RunOutlook.BudgetKind.PAGES, pages));
  }

  @Override
  public Portion drawImages(long images) {
    return parts.claiming(
        tx -> parts.outlook.draw(tx, worker.id(), RunOutlook.BudgetKind.IMAGES, images));
  }

  @Override
  public Outlook outlook(Instant now, Wanted wanted) {
    return parts.claiming(
        tx -> {
          WorkerRows.seen(tx, worker.id());
          parts.sweep.endExpired(tx);
          parts.sweep.wake(tx);
          return parts.outlook.outlook(tx, now, wanted);
        });
  }

  @Override
  public List<Claim> claim(int most, Instant now, Wanted wanted) {
    Instant until = settings.limits().until(now);
    swept();
    List<ClaimGrants.Granted> granted =
        parts.claiming(tx -> claims.claim(tx, worker.id(), most, wanted, until));
    claims.granted(granted.size());
    return granted.stream().map(this::taken).toList();
  }

  @Override
  public Borrowing borrow(DomainName domain, Instant now) {
    Instant until = settings.limits().until(now);
    swept();
    ClaimGrants.Loan loan = parts.claiming(tx -> claims.borrow(tx, worker.id(), domain, until));
    if (loan.granted().isPresent()) {
      return new Borrowing.Lent(taken(loan.granted().get()));
    }
    return loan.held() ? new Borrowing.HeldElsewhere() : new Borrowing.Closed();
  }

  /** Sweeps in a transaction of its own, which ends before domains are locked for a claim. */
  private void swept() {
    held.dropAll(
        parts.claiming(
            tx -> {
              WorkerRows.seen(tx, worker.id());
              return parts.sweep.run(tx, runs.id());
            }));
  }

  private Claim taken(ClaimGrants.Granted granted) {
    held.hold(new HeldDomain(granted.claim(), granted.id(), granted.hintsLeft()));
    return granted.claim();
  }

  @Override
  public Renewal renew(Collection<Claim> list, Instant now) {
    Map<DomainName, OperatorTerms> terms =
        parts.claiming(
            tx -> {
              WorkerRows.seen(tx, worker.id());
              return claims.renew(tx, worker.id(), list);
            });
    Set<DomainName> lost = new HashSet<>();
    list.stream().map(Claim::domain).filter(name -> !terms.containsKey(name)).forEach(lost::add);
    return new Renewal(lost, settings.limits().until(now));
  }

  /** Reads the row where an operator has changed anything since it was read. */
  @Override
  public OperatorTerms terms(Claim claim) {
    HeldDomain domain = held.of(claim);
    long signal = parts.signal.number();
    if (domain.termsAsOf == signal) {
      return domain.terms;
    }
    Optional<OperatorTerms> terms =
        reading.read(sql -> ClaimGrants.terms(sql, domain, worker.id()));
    if (terms.isEmpty()) {
      held.drop(domain);
      throw new ClaimLost(domain.name, domain.token);
    }
    domain.terms = terms.get();
    domain.termsAsOf = signal;
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
      FlushPiece.SettledPiece piece = piece(domain, list);
      if (piece.members().isEmpty()) {
        // A repeated settlement writes nothing, but reports a lost claim.
        return write(domain, new FlushPiece.Checked(domain));
      }
      Written written = write(domain, piece);
      held.settled(piece);
      inserts.stored(piece.found().stream());
      return written;
    }
  }

  private FlushPiece.SettledPiece piece(HeldDomain domain, List<Settlement> list) {
    List<Settling> members = new ArrayList<>();
    List<List<FoundUrl>> finds = new ArrayList<>();
    List<Optional<NextLook>> looks = new ArrayList<>();
    DomainLesson lesson = domain.lesson;
    for (Settlement settlement : list) {
      Optional<Waiting> waiting = domain.inFlight(settlement.entry());
      if (waiting.isEmpty()) {
        continue;
      }
      members.add(
          Settling.of(domain.name, waiting.get(), settlement, List.of(), settings.grouping()));
      finds.add(inserts.prepare(settlement.found()));
      if (settlement.isDated()) {
        DomainLesson.DatedVisit dated =
            lesson.next(
                settings.limits().refresh(),
                settlement,
                at -> reading.use(tx -> RefreshRows.of(tx, domain.id, at)));
        lesson = dated.after();
        looks.add(Optional.of(dated.look()));
      } else {
        looks.add(Optional.empty());
      }
    }
    return new FlushPiece.SettledPiece(domain, members, finds, looks, lesson);
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

  @Override
  RuntimeException unreadable(DomainName name, String reason) {
    return held.find(name)
        .map(domain -> (RuntimeException) parts.setAside(domain, reason))
        .orElseGet(() -> new StoreDamaged(reason, StoreDamaged.RESET, name.name()));
  }

  @Override
  public void takeBack(DomainName domain, long token, UnaryOperator<DomainState> change) {
    parts.claiming(
        tx -> {
          claims.takeBack(tx, domain, token, change);
          return true;
        });
  }

  @Override
  public void hint(Claim claim, List<PageHint> hints) {
    HeldDomain domain = held.of(claim);
    for (int from = 0; from < hints.size(); from += HINTS_AT_ONCE) {
      int to = Math.min(hints.size(), from + HINTS_AT_ONCE);
      AtomicInteger queued = new AtomicInteger();
      write(domain, new FlushPiece.Hinted(domain, List.copyOf(hints.subList(from, to)), queued));
      domain.hinted(queued.get());
    }
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
            parts.sweep.endClaimsOf(tx, worker.id());
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
