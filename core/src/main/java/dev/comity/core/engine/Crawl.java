package dev.comity.core.engine;

import dev.comity.core.engine.Flight.Answer;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.OutageGuard.Verdict;
import dev.comity.core.port.Claim;
import dev.comity.core.port.ClaimLost;
import dev.comity.core.port.Ending;
import dev.comity.core.port.Renewal;
import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One run: claims domains, gives each to a worker, and ends when there is nothing left that may be
 * asked soon. Runs in the thread that calls {@link #run}; {@link #stop} may come from any other.
 */
public final class Crawl {
  private static final int CLAIMS_AT_ONCE = 10;

  /** How soon work that someone else put into the store is noticed. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  /** Requests in flight to one IP address, however many domains are there. */
  private static final int MOST_AT_ONE_ADDRESS = 20;

  private static final Duration RECALCULATE_EVERY = Duration.ofHours(1);

  private final CrawlPlan plan;
  private final CrawlParts parts;
  private final Timeline time;
  private final PageBudget budget;
  private final TaskGroup workers;
  private final TaskGroup errands;
  private final Members crew;
  private final Map<DomainName, DomainWorker> active = new LinkedHashMap<>();
  private final Map<DomainName, Job> jobs = new HashMap<>();
  private final Signal somethingHappened = new Signal();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Queue<Ours> ours = new ConcurrentLinkedQueue<>();
  private Instant renewal = Instant.MAX;
  private Instant recalculation = Instant.MAX;
  private volatile boolean stopping;

  /** Ends by itself then. */
  private volatile Instant deadline = Instant.MAX;

  /** Nobody is at work and the store is looked at again then. */
  private volatile Optional<Instant> idleUntil = Optional.empty();

  /** What was counted against these domains since then was our own outage. */
  private record Ours(List<DomainName> domains, Instant since) {}

  public Crawl(CrawlPlan plan, CrawlParts parts) {
    this(plan, parts, 0);
  }

  /** A crawl that goes on with a run of which this many pages are settled. */
  public Crawl(CrawlPlan plan, CrawlParts parts, long pagesSettled) {
    this.plan = plan;
    this.parts = parts;
    time = parts.time();
    crew = new Members(plan.maxInFlight());
    budget = new PageBudget(plan.maxPages(), pagesSettled);
    workers = new TaskGroup(time, crew::failed, somethingHappened::raise);
    errands = new TaskGroup(time, crew::failed, () -> {});
  }

  /** How a run ended. */
  public sealed interface End {
    /** Every URL in reach is settled. */
    record Finished() implements End {}

    /** The page budget is spent. */
    record OutOfBudget() implements End {}

    /** What is left may not be asked before then. */
    record Parked(Instant until) implements End {}

    /** The time of {@link Crawl#endAt} has come. */
    record OutOfTime() implements End {}

    /** Somebody called {@link Crawl#stop}. */
    record Stopped() implements End {}
  }

  /**
   * Crawls what is in the store until nothing is left to do. Interrupted, it stops as {@link #stop}
   * would; interrupted again, it waits for no more answers.
   */
  public End run() throws InterruptedException {
    End end;
    try {
      end = crawl();
    } finally {
      stop();
      boolean hurried = windUp();
      rethrow();
      if (hurried) {
        Thread.currentThread().interrupt();
      }
    }
    return end;
  }

  /** Leaves nothing running, whatever happens; answers whether it was interrupted meanwhile. */
  private boolean windUp() {
    boolean hurried = false;
    try {
      if (!workers.join(time.instant().plus(plan.grace()))) {
        workers.interrupt();
      }
    } catch (InterruptedException _) {
      hurried = true;
      workers.interrupt();
    }
    hurried |= workers.joinAll();
    // Only now: an answer under way may just have shown that our own network is down.
    errands.interrupt();
    hurried |= errands.joinAll();
    takeBackWhatWasOurs();
    return hurried;
  }

  /**
   * Sends nothing more, waits for what is under way, at most for the grace, and lets {@link #run}
   * return.
   */
  public void stop() {
    stopping = true;
    wakeWorkers();
    somethingHappened.raise();
  }

  /** Ends by itself at that time, in order and as if its pages were spent. */
  public void endAt(Instant time) {
    deadline = time;
    somethingHappened.raise();
  }

  /** What it is doing now; any thread may ask. */
  public Glance glance() {
    List<DomainWorker> held;
    int paced;
    synchronized (active) {
      held = List.copyOf(active.values());
      paced = jobs.size();
    }
    return new Glance(
        plan.maxInFlight() - crew.berths.free(),
        crew.berths.queuing(),
        paced,
        crew.outage.isPaused(),
        idleUntil,
        held.stream().map(DomainWorker::glance).toList());
  }

  private End crawl() throws InterruptedException {
    recalculation = time.instant().plus(RECALCULATE_EVERY);
    while (true) {
      if (failure.get() != null || stopping) {
        return new End.Stopped();
      }
      // Asked before the store is: whoever ends after it was looked at may have left work there.
      boolean alone = workers.size() == 0;
      takeBackWhatWasOurs();
      renewClaims();
      recalculatePriorities();
      borrowSome();
      Instant now = time.instant();
      if (!now.isBefore(deadline)) {
        return new End.OutOfTime();
      }
      int taken = budget.hasRoom() ? claimSome(now) : 0;
      if (taken > 0) {
        continue;
      }
      Instant lookAgain = earlier(now.plus(LOOK_AGAIN), deadline);
      if (!alone) {
        time.await(somethingHappened, lookAgain);
        continue;
      }
      if (budget.isSpent()) {
        return new End.OutOfBudget();
      }
      Optional<Instant> next = parts.store().nextClaimable(now);
      if (next.isEmpty()) {
        return new End.Finished();
      }
      if (next.get().isAfter(now.plus(plan.longWait()))) {
        return new End.Parked(next.get());
      }
      idleUntil = next;
      time.await(somethingHappened, earlier(next.get(), lookAgain));
      idleUntil = Optional.empty();
    }
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private int claimSome(Instant now) {
    int room = Math.min(CLAIMS_AT_ONCE, plan.maxClaims() - workers.size());
    List<Claim> claims = room > 0 ? parts.store().claim(room, now) : List.of();
    for (Claim claim : claims) {
      renewBefore(claim.until(), now);
      work(claim, false);
    }
    return claims.size();
  }

  /**
   * Borrows domains that others want something of and nobody works on. They are no part of the run,
   * and not counted among its claims: whoever asks holds one, and would wait for a place that never
   * becomes free.
   */
  private void borrowSome() {
    for (DomainName domain : crew.favours.asked()) {
      if (isActive(domain)) {
        continue;
      }
      Instant now = time.instant();
      Optional<Claim> claim = parts.store().borrow(domain, now);
      if (claim.isEmpty()) {
        crew.favours.refuse(domain);
      } else {
        renewBefore(claim.get().until(), now);
        work(claim.get(), true);
      }
    }
  }

  private boolean isActive(DomainName domain) {
    synchronized (active) {
      return active.containsKey(domain);
    }
  }

  private void work(Claim claim, boolean borrowed) {
    Job job;
    DomainWorker worker;
    synchronized (active) {
      job =
          jobs.computeIfAbsent(
              claim.domain(), _ -> new Job(budget, plan.maxPagesOf(claim.domain()), claim.job()));
      worker = new DomainWorker(claim, crew, job, borrowed);
      active.put(claim.domain(), worker);
    }
    workers.start(claim.domain().name(), () -> takeSeat(worker, claim, job.seat()));
  }

  /**
   * A domain can be claimed again before the last worker has quite left it, be it that its claim
   * was lost or only that it has not said so yet. What that one has in flight ends first.
   */
  private void takeSeat(DomainWorker worker, Claim claim, Permits seat) {
    Signal free = new Signal();
    Permits.Pass pass = new Permits.Pass(free);
    try {
      while (!seat.take(pass)) {
        time.await(free);
      }
    } catch (InterruptedException _) {
      // Never begun, so nobody hears of it.
      seat.withdraw(pass);
      giveBack(worker, claim, new Ending.Lost());
      return;
    }
    try {
      workThrough(worker, claim);
    } finally {
      seat.release();
      forgetJob(claim.domain());
    }
  }

  /** Only when nobody works on the domain or waits for its seat; the store knows how far it is. */
  private void forgetJob(DomainName domain) {
    synchronized (active) {
      if (!active.containsKey(domain)) {
        jobs.remove(domain);
      }
    }
  }

  private void workThrough(DomainWorker worker, Claim claim) {
    Ending ending = new Ending.Stopped();
    try {
      parts.listener().claimed(claim);
      ending = worker.run();
    } catch (InterruptedException _) {
      // The crawl is stopping and its grace is over: the claim goes back with what was in flight.
    } catch (ClaimLost _) {
      ending = new Ending.Lost();
    } catch (Throwable unexpected) {
      // Told first: giving the domain back may fail for the same reason, and hide it.
      crew.failed(unexpected);
    }
    if (worker.isBorrowed()) {
      ending = returned(claim.domain(), ending);
    }
    parts.listener().ended(claim.domain(), giveBack(worker, claim, ending));
  }

  /** However it ended with a borrowed domain: its own work is not begun and not over. */
  private Ending returned(DomainName domain, Ending ending) {
    return switch (ending) {
      case Ending.Lost _ -> ending;
      case Ending.Stopped _, Ending.Borrowed _ -> new Ending.Borrowed();
      case Ending _ -> {
        crew.favours.refuse(domain);
        yield new Ending.Borrowed();
      }
    };
  }

  /**
   * Answers how it ended after all: the claim may be found lost only now. One that was given up
   * because it could not be renewed in time may still be ours in the store; left there, the domain
   * would be nobody's until the lease ends.
   */
  private Ending giveBack(DomainWorker worker, Claim claim, Ending ending) {
    try {
      Ending kept = worker.isBorrowed() ? new Ending.Borrowed() : new Ending.Stopped();
      Ending said = ending instanceof Ending.Lost ? kept : ending;
      parts.store().release(claim, worker.state(), said, time.instant());
      return ending;
    } catch (ClaimLost _) {
      return new Ending.Lost();
    } finally {
      synchronized (active) {
        // The domain may be in new hands already.
        active.remove(claim.domain(), worker);
      }
      worker.unheard().forEach(since -> ours.add(new Ours(List.of(claim.domain()), since)));
    }
  }

  /** Leases are renewed when a third of the first has passed. */
  private void renewClaims() {
    Instant now = time.instant();
    if (now.isBefore(renewal)) {
      return;
    }
    List<DomainWorker> held;
    synchronized (active) {
      held = List.copyOf(active.values());
    }
    renewal = Instant.MAX;
    if (held.isEmpty()) {
      return;
    }
    Renewal done = parts.store().renew(held.stream().map(DomainWorker::claim).toList(), now);
    renewBefore(done.until(), now);
    for (DomainWorker worker : held) {
      boolean lost = done.lost().contains(worker.claim().domain());
      worker.renewed(lost ? Instant.MIN : done.until());
    }
  }

  /** Days pass and frontiers grow, also of domains nobody works on. */
  private void recalculatePriorities() {
    Instant now = time.instant();
    if (!now.isBefore(recalculation)) {
      recalculation = now.plus(RECALCULATE_EVERY);
      errands.start("recalculate priorities", () -> parts.store().recalculatePriorities(now));
    }
  }

  private void renewBefore(Instant until, Instant now) {
    Instant third = now.plus(Duration.between(now, until).dividedBy(3));
    if (third.isBefore(renewal)) {
      renewal = third;
    }
  }

  private void wakeWorkers() {
    synchronized (active) {
      active.values().forEach(DomainWorker::wake);
    }
  }

  /**
   * Runs in the thread that claims, and in no other: so a domain is worked on and hears of it, or
   * is not and its row can be changed. A worker that was leaving hands back what it did not hear.
   */
  private void takeBackWhatWasOurs() {
    for (Ours fault = ours.poll(); fault != null; fault = ours.poll()) {
      Instant since = fault.since();
      for (DomainName domain : fault.domains()) {
        if (!toldWorker(domain, since)) {
          parts.store().takeBack(domain, state -> plan.policy().takenBack(state, since));
        }
      }
    }
  }

  private boolean toldWorker(DomainName domain, Instant since) {
    synchronized (active) {
      DomainWorker worker = active.get(domain);
      if (worker != null) {
        worker.takeBack(since);
      }
      return worker != null;
    }
  }

  /**
   * Connects to one of the silent sites every few seconds, and lets everyone go on when one lets us
   * in.
   */
  private void knock(DomainName first, Instant firstAt) {
    DomainName domain = first;
    Instant at = firstAt;
    try {
      while (true) {
        time.await(new Signal(), at);
        var door = crew.outage.door(domain);
        boolean opened = door.isPresent() && parts.fetcher().reaches(door.get());
        if (!(crew.outage.probed(opened, time.instant())
            instanceof Verdict.StayPaused(var next, var nextAt))) {
          break;
        }
        domain = next;
        at = nextAt;
      }
      parts.listener().outage(false);
      wakeWorkers();
      somethingHappened.raise();
    } catch (InterruptedException _) {
      // The crawl is stopping.
    }
  }

  private void rethrow() {
    Throwable cause = failure.get();
    if (cause != null) {
      throw new CrawlFailed(cause);
    }
  }

  private final class Members implements Crew {
    private final Berths berths;
    private final OutageWatch outage = new OutageWatch();
    private final RobotsShelf robots = new RobotsShelf(parts);
    private final Acquaintances acquaintances = new Acquaintances();
    private final Favours favours = new Favours();

    Members(int maxInFlight) {
      berths = new Berths(maxInFlight, MOST_AT_ONE_ADDRESS);
    }

    @Override
    public CrawlPlan plan() {
      return plan;
    }

    @Override
    public CrawlParts parts() {
      return parts;
    }

    @Override
    public Berths berths() {
      return berths;
    }

    @Override
    public OutageWatch outage() {
      return outage;
    }

    @Override
    public RobotsShelf robots() {
      return robots;
    }

    @Override
    public Favours favours() {
      return favours;
    }

    @Override
    public Optional<Favours.Reply> askFor(CrawlUrl file, Signal asker) {
      DomainName domain = plan.domainOf(file);
      if (favours.ask(domain, file, asker)) {
        synchronized (active) {
          Optional.ofNullable(active.get(domain)).ifPresent(DomainWorker::wake);
        }
        tell();
      }
      return favours.collect(domain, file, asker);
    }

    @Override
    public Acquaintances acquaintances() {
      return acquaintances;
    }

    @Override
    public boolean isStopping() {
      return stopping;
    }

    @Override
    public void tell() {
      somethingHappened.raise();
    }

    @Override
    public void failed(Throwable cause) {
      failure.compareAndSet(null, cause);
      somethingHappened.raise();
    }

    @Override
    public void sawConnection(DomainName domain, CrawlUrl url, Answer answer, Instant lastAnswer) {
      boolean connected = answer.startedAt().isPresent();
      FetchOutcome outcome = answer.fetched().outcome();
      if (!connected && !(outcome instanceof FetchOutcome.Unreachable)) {
        return;
      }
      Verdict verdict =
          outage.saw(
              domain,
              url.authority(),
              connected || outcome instanceof FetchOutcome.TlsFailed,
              lastAnswer,
              answer.at());
      if (verdict instanceof Verdict.Pause(var silent, var since, var probeAt)) {
        ours.add(new Ours(silent, since));
        somethingHappened.raise();
        parts.listener().outage(true);
        errands.start("see whether the network is back", () -> knock(silent.getFirst(), probeAt));
      }
    }
  }
}
