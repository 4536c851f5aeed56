package dev.comity.core.engine;

import dev.comity.core.port.Claim;
import dev.comity.core.port.ClaimLost;
import dev.comity.core.port.Ending;
import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  private final CrawlPlan plan;
  private final CrawlParts parts;
  private final Timeline time;
  private final Permits permits;
  private final PageBudget budget;
  private final TaskGroup workers;
  private final List<DomainWorker> active = new ArrayList<>();
  private final Signal somethingHappened = new Signal();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean stopping;

  public Crawl(CrawlPlan plan, CrawlParts parts) {
    this.plan = plan;
    this.parts = parts;
    time = parts.time();
    permits = new Permits(plan.maxInFlight());
    budget = new PageBudget(plan.maxPages());
    workers = new TaskGroup(time, this::failed, somethingHappened::raise);
  }

  /** How a run ended. */
  public sealed interface End {
    /** Every URL in reach is settled. */
    record Finished() implements End {}

    /** The page budget is spent. */
    record OutOfBudget() implements End {}

    /** What is left may not be asked before then. */
    record Parked(Instant until) implements End {}

    /** Somebody called {@link Crawl#stop}. */
    record Stopped() implements End {}
  }

  /** Crawls what is in the store until nothing is left to do. */
  public End run() throws InterruptedException {
    try {
      return crawl();
    } finally {
      stop();
      if (!workers.join(time.instant().plus(plan.grace()))) {
        workers.interrupt();
        workers.join(Instant.MAX);
      }
      rethrow();
    }
  }

  /**
   * Sends nothing more, waits for what is under way, at most for the grace, and lets {@link #run}
   * return.
   */
  public void stop() {
    stopping = true;
    synchronized (active) {
      active.forEach(DomainWorker::wake);
    }
    somethingHappened.raise();
  }

  private End crawl() throws InterruptedException {
    while (true) {
      if (failure.get() != null || stopping) {
        return new End.Stopped();
      }
      Instant now = time.instant();
      int taken = budget.hasRoom() ? claimSome(now) : 0;
      if (taken > 0) {
        continue;
      }
      if (workers.size() > 0) {
        time.await(somethingHappened, now.plus(LOOK_AGAIN));
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
      time.await(somethingHappened, next.get());
    }
  }

  private int claimSome(Instant now) {
    int room = Math.min(CLAIMS_AT_ONCE, plan.maxClaims() - workers.size());
    List<Claim> claims = room > 0 ? parts.store().claim(room, now) : List.of();
    claims.forEach(this::work);
    return claims.size();
  }

  private void work(Claim claim) {
    DomainWorker worker =
        new DomainWorker(
            claim,
            plan,
            parts,
            permits,
            budget,
            () -> stopping,
            somethingHappened::raise,
            this::failed);
    synchronized (active) {
      active.add(worker);
    }
    workers.start(claim.domain().name(), () -> workThrough(worker, claim));
  }

  private void workThrough(DomainWorker worker, Claim claim) {
    parts.listener().claimed(claim.domain());
    Ending ending = new Ending.Stopped();
    try {
      ending = worker.run();
    } catch (InterruptedException _) {
      // The crawl is stopping and its grace is over: the claim goes back with what was in flight.
    } catch (ClaimLost _) {
      ending = new Ending.Lost();
    } finally {
      synchronized (active) {
        active.remove(worker);
      }
      if (!(ending instanceof Ending.Lost)) {
        parts.store().release(claim, ending);
      }
      parts.listener().ended(claim.domain(), ending);
    }
  }

  private void failed(Throwable cause) {
    failure.compareAndSet(null, cause);
    somethingHappened.raise();
  }

  private void rethrow() {
    Throwable cause = failure.get();
    if (cause != null) {
      throw new CrawlFailed(cause);
    }
  }
}
