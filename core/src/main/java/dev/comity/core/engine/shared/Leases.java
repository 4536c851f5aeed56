package dev.comity.core.engine.shared;

import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Renews the leases of all active domains together, when a third of the earliest has passed.
 * Confined to the claiming thread.
 */
public final class Leases {
  private final CrawlStore store;
  private final ActiveDomains activeDomains;
  private Instant renewal = Instant.MAX;

  public Leases(CrawlStore store, ActiveDomains activeDomains) {
    this.store = store;
    this.activeDomains = activeDomains;
  }

  public void begun(Claim claim, Instant now) {
    renewBefore(claim.until(), now);
  }

  /** Renews all leases, if it is time. */
  public void renew(Instant now) {
    if (now.isBefore(renewal)) {
      return;
    }
    List<ActiveWorker> held = activeDomains.workers();
    renewal = Instant.MAX;
    if (held.isEmpty()) {
      return;
    }
    Renewal done = store.renew(held.stream().map(ActiveWorker::claim).toList(), now);
    renewBefore(done.until(), now);
    for (ActiveWorker worker : held) {
      boolean lost = done.lost().contains(worker.claim().domain());
      worker.renewed(lost ? Instant.MIN : done.until());
    }
  }

  private void renewBefore(Instant until, Instant now) {
    Instant third = now.plus(Duration.between(now, until).dividedBy(3));
    if (third.isBefore(renewal)) {
      renewal = third;
    }
  }
}
