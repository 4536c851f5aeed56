package dev.comity.core.engine;

import dev.comity.core.engine.domain.DomainWorker;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.engine.shared.ActiveWorker;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.Job.PageBudget;
import dev.comity.core.engine.shared.Leases;
import dev.comity.core.engine.shared.Stagger;
import dev.comity.core.engine.shared.TaskGroup;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Run;
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

  /** Domains claimed at once: enough to start quickly, few enough to share with others. */
  private static final int CLAIMS_AT_ONCE = 10;

  /** How often all priorities are recomputed: they count days, so an hour is soon enough. */
  private static final Duration RECALCULATE_EVERY = Duration.ofHours(1);

  private final CrawlPlan plan;
  private final CrawlParts parts;
  private final Timeline time;
  private final PageBudget budget;
  private final CrawlContext context;
  private final TaskGroup workers;
  private final Leases leases;
  private Stagger stagger = new Stagger(Instant.MIN);
  private Instant recalculation = Instant.MAX;

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
    this.parts = parts;
    time = parts.time();
    budget = new PageBudget(plan.limits().maxPages(), run.pages(), run.unkept());
    context = new CrawlContext(plan, parts, budget, run.starts());
    workers = new TaskGroup(time, context::failed, context::tell);
    leases = new Leases(parts.store(), context.activeDomains());
  }

  /** How a crawl ended. */
  public sealed interface End {
    /** Every URL in reach is settled. */
    record Finished() implements End {}

    /** The page budget is spent. */
    record OutOfBudget() implements End {}

    /** The URLs left may not be fetched before then. */
    record Parked(Instant until) implements End {}

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
        parts.store().hurry();
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
          parts.store().hurry();
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
      leases.renew(time.instant());
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
        time.await(context.news(), lookAgain);
        continue;
      }
      if (budget.isSpent()) {
        return new End.OutOfBudget();
      }
      Optional<Instant> next = parts.store().nextClaimable(now);
      if (next.isEmpty()) {
        return new End.Finished();
      }
      if (next.get().isAfter(now.plus(DomainPolicy.PARK_AFTER))) {
        return new End.Parked(next.get());
      }
      idleUntil = next;
      time.await(context.news(), earlier(next.get(), lookAgain));
      idleUntil = Optional.empty();
    }
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private int claimSome(Instant now) {
    int room = Math.min(CLAIMS_AT_ONCE, plan.limits().maxClaims() - workers.size());
    List<Claim> claims = room > 0 ? parts.store().claim(room, now) : List.of();
    for (Claim claim : claims) {
      work(claim, false, now);
    }
    return claims.size();
  }

  /**
   * Borrows domains that other domains need a robots.txt of and that have no worker. They do not
   * count among the claims. The asking worker holds a claim, and could wait for another forever.
   */
  private void borrowSome() {
    for (DomainName domain : context.crossDomain().asked()) {
      if (context.activeDomains().has(domain)) {
        continue;
      }
      Instant now = time.instant();
      Optional<Claim> claim = parts.store().borrow(domain, now);
      if (claim.isEmpty()) {
        context.crossDomain().refuse(domain);
      } else {
        work(claim.get(), true, now);
      }
    }
  }

  private void work(Claim claim, boolean borrowed, Instant now) {
    leases.begun(claim, now);
    Duration delay = plan.policy().pace(claim.state()).effective();
    Instant firstTurn = borrowed ? now : stagger.firstTurn(delay, now);
    DomainWorker worker =
        context
            .activeDomains()
            .enter(claim, job -> new DomainWorker(claim, context, job, borrowed, firstTurn));
    workers.start(claim.domain().name(), worker::run);
  }

  /** Days pass and frontiers grow, also those of domains without a worker. */
  private void recalculatePriorities() {
    Instant now = time.instant();
    if (!now.isBefore(recalculation)) {
      recalculation = now.plus(RECALCULATE_EVERY);
      context
          .errands()
          .start("recalculate priorities", () -> parts.store().recalculatePriorities(now));
    }
  }

  private void rethrow() {
    Optional<Throwable> cause = context.failure();
    if (cause.isPresent()) {
      throw new CrawlFailed(cause.get());
    }
  }
}
