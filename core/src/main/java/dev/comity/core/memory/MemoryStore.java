package dev.comity.core.memory;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.SourceOperations;
import dev.comity.core.port.source.SourceWaits;
import dev.comity.core.port.store.Borrowing;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.PageHint;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.port.store.Reports;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.port.store.Written;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A store in memory: domains, claims, frontiers and runs. It is one worker's handle on it; {@link
 * #another} makes the handle of a further worker. Thread-safe, by one lock for all handles.
 */
public final class MemoryStore extends MemoryLookups implements Frontier {
  private final String worker;

  /** How many claims this worker was granted. */
  private long granted;

  /**
   * @param clock the store's own time
   */
  public MemoryStore(Function<CrawlUrl, DomainName> naming, InstantSource clock) {
    this(naming, new DomainPolicy(PolicySettings.DEFAULTS), StoreLimits.DEFAULTS, clock);
  }

  public MemoryStore(
      Function<CrawlUrl, DomainName> naming,
      DomainPolicy policy,
      StoreLimits limits,
      InstantSource clock) {
    this(new Tables(naming, policy, limits, clock), "comity");
  }

  private MemoryStore(Tables tables, String worker) {
    super(tables);
    this.worker = worker;
  }

  /** The handle of another worker on the same data. */
  public MemoryStore another(String name) {
    return new MemoryStore(tables, name);
  }

  /** What operators do with this data. */
  public Operations operations() {
    return new MemoryOperations(tables);
  }

  /** What operators do with the sources of this data. */
  public SourceOperations sources() {
    return tables.sources;
  }

  /** What people read of this data. */
  public Reports reports() {
    return new MemoryReports(tables);
  }

  /**
   * The same store, which forgets what politeness knew of domains idle for an hour. A crawl that
   * keeps nothing would otherwise grow for as long as it runs.
   */
  public MemoryStore forgettingIdle() {
    synchronized (tables) {
      tables.forgetful = true;
      return this;
    }
  }

  /** The same store, which keeps dates for later visits. A crawl that keeps nothing needs none. */
  public MemoryStore datingPages() {
    synchronized (tables) {
      tables.dates = true;
      return this;
    }
  }

  /** Ends this worker's claims, as a store on disk does with those of a process that has died. */
  public void endClaims() {
    synchronized (tables) {
      tables.domains.all().forEach(row -> row.endClaimOf(worker));
      // Each process counts its own claims.
      granted = 0;
    }
  }

  @Override
  public Run begin(RunTerms wanted, Instant now) {
    synchronized (tables) {
      return tables.run.begin(wanted, worker, tables);
    }
  }

  @Override
  public boolean end(RunEnding ending, Instant now) {
    synchronized (tables) {
      boolean idle =
          switch (ending) {
            case FINISHED -> look(now, tables.run.wanted()) instanceof Outlook.Nothing;
            case OUT_OF_BUDGET, OUT_OF_IMAGES -> tables.held() == 0;
            case PARKED, PAUSED, OUT_OF_TIME, STOPPED -> false;
          };
      return tables.run.end(ending, idle);
    }
  }

  @Override
  public Instant now() {
    return tables.now();
  }

  @Override
  public Portion draw(long pages) {
    synchronized (tables) {
      tables.sweepClaims();
      return tables.run.draw(worker, pages, tables.holders());
    }
  }

  @Override
  public Portion drawImages(long images) {
    synchronized (tables) {
      tables.sweepClaims();
      return tables.run.drawImages(worker, images, tables.holders());
    }
  }

  @Override
  public void keepOutside(Claim claim, List<QueuedUrl> urls) {
    synchronized (tables) {
      tables.domains.held(claim);
      tables.keepOutside(urls);
    }
  }

  @Override
  public void hint(Claim claim, List<PageHint> hints) {
    synchronized (tables) {
      DomainRow row = tables.domains.held(claim);
      tables
          .dated(row)
          .hint(hints, tables.now(), tables.run.isRefresh())
          .forEach(row.urls::visitAgain);
    }
  }

  @Override
  public int takeOutside(Predicate<DomainName> about, Predicate<QueuedUrl> inScope, Instant now) {
    synchronized (tables) {
      return add(tables.takeOutside(about, inScope), now);
    }
  }

  @Override
  public int add(List<QueuedUrl> urls, Instant now) {
    synchronized (tables) {
      return tables.domains.enter(urls, now).queued();
    }
  }

  @Override
  public List<Claim> claim(int most, Instant now, Wanted wanted) {
    synchronized (tables) {
      tables.sweep();
      Instant at = tables.now();
      List<DomainRow> candidates =
          new ArrayList<>(
              claimable(wanted)
                  .filter(row -> !row.notBefore(at, tables.run.number()).isAfter(at))
                  .sorted(DomainRow.ORDER)
                  .toList());
      List<Claim> claims = new ArrayList<>();
      DueRows due = DueRows.of(tables, wanted);
      candidates.addAll(due.rows());
      while (claims.size() < most && !candidates.isEmpty()) {
        DomainRow next =
            ++granted % StoreLimits.PENDING_EVERY == 0
                ? bestPending(candidates)
                : candidates.getFirst();
        candidates.remove(next);
        due.queue(next);
        claims.add(grant(next, now));
      }
      return claims;
    }
  }

  private Claim grant(DomainRow row, Instant asked) {
    return row.claim(
        worker,
        tables.run.number(),
        tables.limits.lease(),
        tables.policy,
        tables.now(),
        tables.limits.until(asked));
  }

  @Override
  public Borrowing borrow(DomainName domain, Instant now) {
    synchronized (tables) {
      tables.sweep();
      Optional<DomainRow> row = tables.domains.findOrMake(domain, tables.now());
      if (row.isEmpty() || !row.get().isLendable()) {
        return new Borrowing.Closed();
      }
      return row.get().isHeld()
          ? new Borrowing.HeldElsewhere()
          : new Borrowing.Lent(grant(row.get(), now));
    }
  }

  private static DomainRow bestPending(List<DomainRow> candidates) {
    return candidates.stream()
        .filter(DomainRow::isPending)
        .findFirst()
        .orElseGet(candidates::getFirst);
  }

  @Override
  public Outlook outlook(Instant now, Wanted wanted) {
    synchronized (tables) {
      return look(now, wanted);
    }
  }

  private Outlook look(Instant now, Wanted wanted) {
    tables.sweepClaims();
    Instant at = tables.now();
    Optional<Instant> next =
        claimable(wanted)
            .map(row -> row.notBefore(at, tables.run.number()))
            .min(Instant::compareTo)
            // By the worker's clock: it waits by that.
            .map(time -> time.isAfter(at) ? now.plus(Duration.between(at, time)) : now);
    int held = tables.held();
    if (held > 0) {
      return new Outlook.Others(held, next);
    }
    if (next.isPresent()) {
      return new Outlook.At(next.get());
    }
    long run = tables.run.number();
    return tables.domains.all().stream().anyMatch(row -> row.isWaitingForOperator(run))
        ? new Outlook.OnlyPaused()
        : new Outlook.Nothing();
  }

  private Stream<DomainRow> claimable(Wanted wanted) {
    long run = tables.run.number();
    return tables.domains.all().stream().filter(row -> row.isClaimable(run, wanted));
  }

  @Override
  public Renewal renew(Collection<Claim> claims, Instant now) {
    synchronized (tables) {
      Set<DomainName> lost = new HashSet<>();
      Set<DomainName> renewed = new HashSet<>();
      for (Claim claim : claims) {
        lost.add(claim.domain());
        tables
            .domains
            .find(claim.domain())
            .filter(row -> row.renew(claim.token(), tables.limits.lease(), tables.now()))
            .ifPresent(_ -> renewed.add(claim.domain()));
      }
      lost.removeAll(renewed);
      return new Renewal(lost, tables.limits.until(now));
    }
  }

  @Override
  public OperatorTerms terms(Claim claim) {
    if (!tables.operated) {
      return OperatorTerms.NONE;
    }
    synchronized (tables) {
      return tables.domains.held(claim).terms;
    }
  }

  @Override
  public Frontier frontier() {
    return this;
  }

  @Override
  public Next next(Claim claim, Instant now, Wanted wanted, SourceWaits waits) {
    synchronized (tables) {
      return tables.domains.held(claim).urls.next(now, wanted, waits);
    }
  }

  @Override
  public boolean isEmpty(Claim claim, Wanted wanted) {
    synchronized (tables) {
      return tables.domains.held(claim).urls.isEmpty(wanted);
    }
  }

  @Override
  public Written settle(Claim claim, List<Settlement> settlements) {
    synchronized (tables) {
      DomainRow row = tables.domains.held(claim);
      List<Settlement> open = settlements.stream().filter(row::isInFlight).distinct().toList();
      if (!tables.run.counts(worker, open)) {
        // This worker's pages were given to others: it has not been heard of for a whole lease.
        throw new ClaimLost(claim.domain(), claim.token());
      }
      List<QueuedUrl> found = new ArrayList<>();
      for (Settlement settlement : open) {
        row.settle(settlement);
        settled(row, claim, settlement);
        found.addAll(settlement.found());
      }
      return written(found);
    }
  }

  private void settled(DomainRow row, Claim claim, Settlement settlement) {
    if (!tables.forgetful) {
      // A store that forgets serves one crawl: no wider scope follows.
      row.keepRead(settlement);
    }
    if (tables.dates) {
      tables.dated(row).settle(row, settlement, tables.limits.refresh());
    }
    tables.run.settled(claim.domain(), settlement, movedTo(settlement));
    tables.images.settled(
        claim.domain(),
        settlement,
        source -> tables.domains.find(source).ifPresent(one -> one.imagesStored++));
    settlement
        .attempt()
        .ifPresent(
            attempt -> {
              row.started(attempt.startedAt());
              settlement
                  .fetched()
                  .ifPresent(fetched -> tables.requests.add(claim, attempt, fetched.outcome()));
              settlement
                  .entry()
                  .source()
                  .ifPresent(name -> tables.sources.started(name, attempt.startedAt()));
            });
  }

  /** The domains that a seed's redirect leads to. */
  private List<DomainName> movedTo(Settlement settlement) {
    return settlement.entry().isStart() && settlement.location().isPresent()
        ? settlement.found().stream().map(found -> tables.naming.apply(found.url())).toList()
        : List.of();
  }

  @Override
  public Written record(Claim claim, Note note) {
    synchronized (tables) {
      DomainRow row = tables.domains.held(claim);
      if (note.request().filter(one -> tables.requests.has(claim, one.attempt())).isPresent()) {
        return Written.NOTHING;
      }
      row.state = note.state();
      row.remember(note.tallies());
      note.request()
          .ifPresent(
              request -> {
                row.started(request.attempt().startedAt());
                tables.requests.add(claim, request.attempt(), request.fetched().outcome());
              });
      note.robots().ifPresent(tables::keep);
      return written(note.found());
    }
  }

  private Written written(List<QueuedUrl> found) {
    DomainTable.Entered entered = tables.domains.enter(found, Instant.EPOCH);
    return new Written(entered.queued() > 0, entered.skipped());
  }

  @Override
  public void release(Claim claim, DomainState state, Ending ending, Instant now) {
    synchronized (tables) {
      DomainRow row = tables.domains.held(claim);
      row.release(state, ending, tables.policy, now);
      if (ending instanceof Ending.DueLater(var at, _)) {
        row.urls.dueLater(at, now, tables.sources);
      }
    }
  }
}
