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
 * One run: claims domains, gives each to a worker, and ends when there is nothing left that may be
 * asked soon. Runs in the thread that calls {@link #run}; {@link #stop} may come from any other.
 */
public final class Crawl {
  /** How soon work that someone else put into the store is noticed. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  /** Domains claimed in one go: enough to start quickly, few enough to share with others. */
  private static final int CLAIMS_AT_ONCE = 10;

  /** How often all priorities are computed anew: days count in them, so an hour is soon enough. */
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

  /** Ends by itself then. */
  private volatile Instant deadline = Instant.MAX;

  /** When it was told to end. */
  private volatile Instant stoppedAt = Instant.MAX;

  /** Raised when it is known anew when the crawl ends. */
  private final Signal ending = new Signal();

  /** Nobody is at work and the store is looked at again then. */
  private volatile Optional<Instant> idleUntil = Optional.empty();

  public Crawl(CrawlPlan plan, CrawlParts parts) {
    this(plan, parts, Run.begun(0, OptionalLong.empty()));
  }

  /** A crawl that works on this run, of which some pages may be settled. */
  public Crawl(CrawlPlan plan, CrawlParts parts, Run run) {
    this.plan = plan;
    this.parts = parts;
    time = parts.time();
    budget = new PageBudget(plan.limits().maxPages(), run.pages(), run.unkept());
    context = new CrawlContext(plan, parts, budget, run.starts());
    workers = new TaskGroup(time, context::failed, context::tell);
    leases = new Leases(parts.store(), context.activeDomains());
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
    End end = new End.Stopped();
    context.errands().start("hurry the store", this::hurryStore);
    try {
      end = crawl();
    } finally {
      stop();
      boolean hurried = windUp();
      if (end instanceof End.Stopped || end instanceof End.OutOfTime) {
        // What is still to be written, the run's end say, must not wait for a full disk either.
        parts.store().hurry();
      }
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
      if (!workers.join(time.instant().plus(plan.limits().grace()))) {
        workers.interrupt();
      }
    } catch (InterruptedException _) {
      hurried = true;
      workers.interrupt();
    }
    hurried |= workers.joinAll();
    // Only now: an answer under way may just have shown that our own network is down.
    context.errands().interrupt();
    hurried |= context.errands().joinAll();
    context.outages().takeBack();
    return hurried;
  }

  /**
   * Sends nothing more, waits for what is under way, at most for the grace, and lets {@link #run}
   * return.
   */
  public void stop() {
    stoppedAt = earlier(stoppedAt, time.instant());
    context.stop();
    ending.raise();
  }

  /** Ends by itself at that time, in order and as if its pages were spent. */
  public void endAt(Instant time) {
    deadline = time;
    context.tell();
    ending.raise();
  }

  /**
   * Every write waits while the disk is full, and this crawl's own thread may be among those that
   * wait. Once the crawl should be over and the grace has passed, it gives up what cannot be
   * written.
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

  /** What it is doing now; any thread may ask. */
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
      // Asked before the store is: whoever ends after it was looked at may have left work there.
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
   * Borrows domains that others want something of and nobody works on. They are no part of the run,
   * and not counted among its claims: whoever asks holds one, and would wait for a place that never
   * becomes free.
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

  /** Days pass and frontiers grow, also of domains nobody works on. */
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
