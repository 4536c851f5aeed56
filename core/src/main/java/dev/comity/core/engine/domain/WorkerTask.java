package dev.comity.core.engine.domain;

import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.Permits;
import dev.comity.core.port.Signal;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Ending;
import dev.comity.core.url.DomainName;

/** A worker's time with its domain: from waiting for its seat to giving the claim back. */
public final class WorkerTask {
  private final CrawlContext context;
  private final CrawlParts parts;
  private final DomainWorker worker;
  private final Claim claim;
  private final DomainName domain;

  public WorkerTask(CrawlContext context, DomainWorker worker) {
    this.context = context;
    parts = context.parts();
    this.worker = worker;
    claim = worker.claim();
    domain = claim.domain();
  }

  /**
   * A domain can be claimed again before the last worker has quite left it, be it that its claim
   * was lost or only that it has not said so yet. What that one has in flight ends first.
   */
  public void run() {
    Permits seat = worker.seat();
    Signal free = new Signal();
    Permits.Pass pass = new Permits.Pass(free);
    try {
      while (!seat.take(pass)) {
        parts.time().await(free);
      }
    } catch (InterruptedException _) {
      // Never begun, so nobody hears of it.
      seat.withdraw(pass);
      giveBack(new Ending.Lost());
      return;
    }
    try {
      workThrough();
    } finally {
      seat.release();
      context.activeDomains().forgetJob(domain);
    }
  }

  private void workThrough() {
    Ending ending = new Ending.Stopped();
    try {
      parts.listener().claimed(claim);
      ending = worker.run();
    } catch (InterruptedException _) {
      // The crawl is stopping and its grace is over: the claim goes back with what was in flight.
    } catch (ClaimLost lost) {
      ending = lost.ending();
    } catch (Throwable unexpected) {
      // Told first: giving the domain back may fail for the same reason, and hide it.
      context.failed(unexpected);
    }
    if (worker.isBorrowed()) {
      ending = returned(ending);
    }
    parts.listener().ended(domain, giveBack(ending));
  }

  /** However it ended with a borrowed domain: its own work is not begun and not over. */
  private Ending returned(Ending ending) {
    return switch (ending) {
      case Ending.Lost _ -> ending;
      case Ending.Stopped _, Ending.Borrowed _ -> new Ending.Borrowed();
      case Ending.SetAside _ -> {
        context.crossDomain().refuse(domain);
        yield ending;
      }
      case Ending _ -> {
        context.crossDomain().refuse(domain);
        yield new Ending.Borrowed();
      }
    };
  }

  /**
   * Answers how it ended after all: the claim may be found lost only now. One that was given up
   * because it could not be renewed in time may still be ours in the store; left there, the domain
   * would be nobody's until the lease ends.
   */
  private Ending giveBack(Ending ending) {
    try {
      Ending kept = worker.isBorrowed() ? new Ending.Borrowed() : new Ending.Stopped();
      Ending said = isUnheld(ending) ? kept : ending;
      parts.store().release(claim, worker.state(), said, parts.time().instant());
      return ending;
    } catch (ClaimLost lost) {
      return isUnheld(ending) ? ending : lost.ending();
    } finally {
      context.activeDomains().leave(worker);
      worker.unheard().forEach(since -> context.outages().unheard(domain, since));
    }
  }

  private static boolean isUnheld(Ending ending) {
    return ending instanceof Ending.Lost || ending instanceof Ending.SetAside;
  }
}
