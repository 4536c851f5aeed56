package dev.comity.core.engine;

import dev.comity.core.engine.domain.DomainWorker;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.engine.shared.ActiveWorker;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.Deadline;
import dev.comity.core.engine.shared.Leases;
import dev.comity.core.engine.shared.RunBudget;
import dev.comity.core.engine.shared.Stagger;
import dev.comity.core.engine.shared.StoreTimeline;
import dev.comity.core.engine.shared.TaskGroup;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.run.WorkerOrders;
import dev.comity.core.port.store.Borrowing;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One crawl: the loop that claims domains from the store and starts a worker for each. It ends when
 * nothing may be fetched soon. The loop runs in the thread that calls {@link #run}; any thread may
 * call {@link #stop}, {@link #endAt} and {@link #snapshot}.
 */
public final class Crawl {
  /** How soon work that another process put into the store is noticed. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  /** How soon a claim is tried again that another worker was quicker to get. */
  private static final Duration TRY_AGAIN = Duration.ofMillis(100);

  /** Domains claimed at once: enough to start quickly, few enough to share with others. */
  private static final int CLAIMS_AT_ONCE = 10;

  /** How often all priorities are recomputed: they count days, so an hour is soon enough. */
  private static final Duration RECALCULATE_EVERY = Duration.ofHours(1);

  private final CrawlPlan plan;
  private final CrawlParts parts;
  private final Timeline time;
  private final CrawlStore store;
  private final RunBudget budget;
  private final CrawlContext context;
  private final TaskGroup workers;
  private final Leases leases;
  private Stagger stagger = new Stagger(Instant.MIN);
  private Instant recalculation = Instant.MAX;

  /** When others are listened to again. */
  private Instant orders = Instant.MIN;

  /** Asks for files on behalf of other crawls; none waits for it. */
  private final Signal others = new Signal();

  /** When the crawl ends by itself. */
  private volatile Instant deadline = Instant.MAX;

  /** When {@link #stop} was called. */
  private volatile Instant stoppedAt = Instant.MAX;

  /** Raised when the time of the end has changed. */
  private final Signal ending = new Signal();

  /** When the store is read again, while no worker is active. */
  private volatile Optional<Instant> idleUntil = Optional.empty();

  public Crawl(CrawlPlan plan, CrawlParts parts) {
    this(plan, parts, Run.begun(0, OptionalLong.empty()));
  }

  /** A crawl that works on this run; some of its pages may be settled already. */
  public Crawl(CrawlPlan plan, CrawlParts parts, Run run) {
    this.plan = plan;
    store = parts.store();
    time = new StoreTimeline(parts.time(), store::now);
    this.parts = parts.with(time);
    budget = new RunBudget(store, plan.limits().maxPages(), run.pages(), run.unkept());
    RunBudget images = RunBudget.ofImages(store, plan.limits().maxImages(), run.images());
    context = new CrawlContext(plan, this.parts, budget, images, run.starts());
    workers = new TaskGroup(time, context::failed, context::tell);
    leases = new Leases(store, time, context.activeDomains());
  }

  /** How a crawl ended. */
  public sealed interface End {
    /** Every URL in reach is settled. */
    record Finished() implements End {}

    /** The page budget is spent. */
    record OutOfBudget() implements End {}

    /** The image budget is spent, and every page in reach is settled. */
    record OutOfImages() implements End {}

    /** The URLs left may not be fetched before then. */
    record Parked(Instant until) implements End {}

    /** The operator has paused all domains that have URLs left. */
    record AllPaused() implements End {}

    /** The time of {@link Crawl#endAt} has come. */
    record OutOfTime() implements End {}

    /** {@link Crawl#stop} was called. */
    record Stopped() implements End {}
  }

  /**
   * Crawls until nothing is left to do. An interrupt has the effect of {@link #stop}; a second one
   * cancels the requests in flight.
   */
  public End run() throws InterruptedException {
    End end = new End.Stopped();
    context.errands().start("hurry the store", this::hurryStore);
    try {
      end = crawl();
    } finally {
      stop();
      boolean hurried = windUp();
      if (end instanceof End.Stopped || end instanceof End.OutOfTime) {
        // Later writes, such as the end of the run, must not wait for a full disk either.
        store.hurry();
      }
      rethrow();
      if (hurried) {
        Thread.currentThread().interrupt();
      }
    }
    return end;
  }

  /** Ends every task, whatever happens; answers whether this thread was interrupted meanwhile. */
  private boolean windUp() {
    boolean hurried = false;
    try {
      if (!workers.join(time.instant().plus(plan.limits().grace()))) {
        workers.interrupt();
      }
    } catch (InterruptedException _) {
      hurried = true;
      workers.interrupt();
    }
    hurried |= workers.joinAll();
    // Only now: a request in flight may have shown just now that our own network is down.
    context.errands().interrupt();
    hurried |= context.errands().joinAll();
    context.outages().takeBack();
    return hurried;
  }

  /** Sends no more requests and lets {@link #run} return, after the grace at the latest. */
  public void stop() {
    stoppedAt = earlier(stoppedAt, time.instant());
    context.stop();
    ending.raise();
  }

  /** A URL was added to the store: its domain is looked at now. Thread-safe. */
  public void arrived(CrawlUrl url) {
    context.arrived(url);
  }

  /** Ends the crawl at that time, in order, as if its pages were spent. */
  public void endAt(Instant time) {
    deadline = time;
    context.tell();
    ending.raise();
  }

  /**
   * Makes blocked writes fail once the crawl should be over and the grace has passed. Every write
   * waits while the disk is full, and the crawl's own thread may be waiting, too.
   */
  private void hurryStore() {
    try {
      while (true) {
        Instant end = earlier(deadline, stoppedAt);
        boolean known = end.isBefore(Instant.MAX);
        Instant last = known ? end.plus(plan.limits().grace()) : Instant.MAX;
        if (!time.instant().isBefore(last)) {
          store.hurry();
          return;
        }
        time.await(ending, last);
      }
    } catch (InterruptedException _) {
      // The crawl is over.
    }
  }

  /** What the crawl is doing now. Thread-safe. */
  public CrawlSnapshot snapshot() {
    return new CrawlSnapshot(
        plan.limits().maxInFlight() - context.slots().free(),
        context.slots().queuing() + context.rate().queuing(),
        context.activeDomains().jobs(),
        context.outages().isPaused(),
        idleUntil,
        context.activeDomains().workers().stream().map(ActiveWorker::glance).toList());
  }

  private End crawl() throws InterruptedException {
    stagger = new Stagger(time.instant());
    recalculation = time.instant().plus(RECALCULATE_EVERY);
    while (true) {
      if (context.failure().isPresent() || context.isStopping()) {
        return new End.Stopped();
      }
      // Read before the store: a worker that ends after the claim may have left work there.
      boolean alone = workers.size() == 0;
      context.outages().takeBack();
      if (leases.renew()) {
        context.returnUnused();
      }
      recalculatePriorities();
      obeyOthers();
      borrowSome();
      Instant now = time.instant();
      if (!now.isBefore(deadline)) {
        return new End.OutOfTime();
      }
      Optional<Wanted> wanted = context.wanted();
      int taken = wanted.isPresent() ? claimSome(wanted.get()) : 0;
      if (taken > 0) {
        continue;
      }
      Instant lookAgain = earlier(earlier(now.plus(LOOK_AGAIN), leases.next()), deadline);
      if (!alone) {
        time.await(context.news(), lookAgain);
        continue;
      }
      Optional<End> end =
          budget.isSpent() && !mayHaveImages()
              ? Optional.of(outOfBudget(now))
              : look(now, lookAgain, wanted);
      if (end.isPresent()) {
        return end.get();
      }
    }
  }

  /** The run ends with the last worker; this one can settle no more pages. */
  private End outOfBudget(Instant now) {
    store.end(RunEnding.OUT_OF_BUDGET, now);
    return new End.OutOfBudget();
  }

  private boolean mayHaveImages() {
    return context.collectsImages() && !context.imageBudget().isSpent();
  }

  /** What may be asked once budgets have room: the pages or images of others may come back. */
  private Wanted lookedFor() {
    boolean pages = !budget.isSpent();
    return Wanted.of(pages, mayHaveImages()).orElse(Wanted.ANY);
  }

  /**
   * Ends the crawl if nothing is left for any worker, and waits otherwise.
   *
   * @param wanted what the budgets have room for
   */
  private Optional<End> look(Instant now, Instant lookAgain, Optional<Wanted> wanted)
      throws InterruptedException {
    boolean room = wanted.isPresent();
    Wanted lookedFor = lookedFor();
    // Without a claim it can use none of them, and others may.
    context.returnUnused();
    switch (store.outlook(now, lookedFor)) {
      case Outlook.Nothing _ -> {
        if (lookedFor == Wanted.IMAGES) {
          return Optional.of(outOfBudget(now));
        }
        if (store.end(RunEnding.FINISHED, now)) {
          return Optional.of(new End.Finished());
        }
        if (context.collectsImages()
            && lookedFor == Wanted.PAGES
            && store.end(RunEnding.OUT_OF_IMAGES, now)) {
          return Optional.of(new End.OutOfImages());
        }
        idle(now, lookAgain, now);
      }
      case Outlook.OnlyPaused _ -> {
        return Optional.of(new End.AllPaused());
      }
      case Outlook.At(var next) -> {
        if (next.isAfter(now.plus(DomainPolicy.PARK_AFTER))) {
          return Optional.of(new End.Parked(next));
        }
        idle(now, lookAgain, room ? next : lookAgain);
      }
      case Outlook.Others(_, var next) ->
          idle(now, lookAgain, room ? next.orElse(lookAgain) : lookAgain);
    }
    return Optional.empty();
  }

  private void idle(Instant now, Instant lookAgain, Instant next) throws InterruptedException {
    Instant soon = now.plus(TRY_AGAIN);
    Instant until = earlier(next.isAfter(soon) ? next : soon, lookAgain);
    idleUntil = Optional.of(next.isAfter(now) ? next : until);
    time.await(context.news(), until);
    idleUntil = Optional.empty();
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private int claimSome(Wanted wanted) {
    int room = Math.min(CLAIMS_AT_ONCE, plan.limits().maxClaims() - workers.size());
    Deadline.AskedAt asked = Deadline.AskedAt.now(time);
    List<Claim> claims = room > 0 ? store.claim(room, asked.at(), wanted) : List.of();
    for (Claim claim : claims) {
      work(claim, false, asked);
    }
    return claims.size();
  }

  /**
   * Borrows domains that other domains need a robots.txt of and that have no worker. They do not
   * count among the claims. The asking worker holds a claim, and could wait for another forever. A
   * domain that a worker of another crawl holds is tried again at every look.
   */
  private void borrowSome() {
    for (DomainName domain : context.crossDomain().asked()) {
      if (context.activeDomains().has(domain)) {
        continue;
      }
      Deadline.AskedAt asked = Deadline.AskedAt.now(time);
      Borrowing borrowing = store.borrow(domain, asked.at());
      context.crossDomain().heldElsewhere(domain, borrowing instanceof Borrowing.HeldElsewhere);
      switch (borrowing) {
        case Borrowing.Lent(var claim) -> work(claim, true, asked);
        case Borrowing.HeldElsewhere _ ->
            context.crossDomain().filesOf(domain).forEach(store::askHolder);
        case Borrowing.Closed _ -> context.crossDomain().refuse(domain, parts.time().instant());
      }
    }
  }

  /**
   * Fetches robots.txt files of claimed domains that other crawls need, and ends the crawl if an
   * operator wants it to. The other crawl finds the file in the store.
   */
  private void obeyOthers() {
    Instant now = time.instant();
    if (now.isBefore(orders)) {
      return;
    }
    orders = now.plus(LOOK_AGAIN);
    WorkerOrders wanted = store.orders();
    wanted.files().forEach(file -> context.askFor(file, others));
    if (wanted.leave()) {
      stop();
    }
  }

  private void work(Claim claim, boolean borrowed, Deadline.AskedAt asked) {
    Instant now = time.instant();
    leases.begun(claim, now);
    Duration delay = plan.policy().pace(claim.state()).effective();
    Instant firstTurn = borrowed ? now : stagger.firstTurn(delay, now);
    Deadline deadline = asked.until(claim.until());
    DomainWorker worker =
        context
            .activeDomains()
            .enter(
                claim, job -> new DomainWorker(claim, context, job, borrowed, deadline, firstTurn));
    workers.start(claim.domain().name(), worker::run);
  }

  /** Days pass and frontiers grow, also those of domains without a worker. */
  private void recalculatePriorities() {
    Instant now = time.instant();
    if (!now.isBefore(recalculation)) {
      recalculation = now.plus(RECALCULATE_EVERY);
      context.errands().start("recalculate priorities", () -> store.recalculatePriorities(now));
    }
  }

  private void rethrow() {
    Optional<Throwable> cause = context.failure();
    if (cause.isPresent()) {
      throw new CrawlFailed(cause.get());
    }
  }
}
