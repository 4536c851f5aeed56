package dev.comity.core.engine.shared;

import dev.comity.core.port.Timeline;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimStore;
import dev.comity.core.port.store.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Renews the leases of all active domains together, when a third of the earliest has passed.
 * Confined to the claiming thread.
 */
public final class Leases {
  private final ClaimStore store;
  private final Timeline time;
  private final ActiveDomains activeDomains;
  private Instant renewal = Instant.MAX;

  public Leases(ClaimStore store, Timeline time, ActiveDomains activeDomains) {
    this.store = store;
    this.time = time;
    this.activeDomains = activeDomains;
  }

  /** When leases are renewed next: a wait must not be longer. */
  public Instant next() {
    return renewal;
  }

  public void begun(Claim claim, Instant now) {
    renewBefore(claim.until(), now);
  }

  /** Renews all leases, if it is time; answers whether a claim is lost. */
  public boolean renew() {
    Deadline.AskedAt asked = Deadline.AskedAt.now(time);
    if (asked.at().isBefore(renewal)) {
      return false;
    }
    List<ActiveWorker> held = activeDomains.workers();
    renewal = Instant.MAX;
    if (held.isEmpty()) {
      return false;
    }
    Renewal done = store.renew(held.stream().map(ActiveWorker::claim).toList(), asked.at());
    renewBefore(done.until(), asked.at());
    for (ActiveWorker worker : held) {
      if (done.lost().contains(worker.claim().domain())) {
        worker.lost();
      } else {
        worker.renewed(asked.until(done.until()));
      }
    }
    return !done.lost().isEmpty();
  }

  private void renewBefore(Instant until, Instant now) {
    Instant third = now.plus(Duration.between(now, until).dividedBy(3));
    if (third.isBefore(renewal)) {
      renewal = third;
    }
  }
}
