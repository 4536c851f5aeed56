package dev.comity.testkit.engine.support;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.policy.Change;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.DomainName;
import java.time.Instant;

/** Passes on what it hears, and once fails at it. */
public final class FailingListener implements CrawlListener {
  private final CrawlListener listener;
  private final int failsAt;
  private int events;

  public FailingListener(CrawlListener listener, int failsAt) {
    this.listener = listener;
    this.failsAt = failsAt;
  }

  public boolean hasFailed() {
    return events > failsAt;
  }

  private void hear(Runnable event) {
    event.run();
    if (events++ == failsAt) {
      throw new IllegalStateException("a listener failed");
    }
  }

  @Override
  public void claimed(DomainName domain) {
    hear(() -> listener.claimed(domain));
  }

  @Override
  public void started(DomainName domain, Attempt attempt) {
    hear(() -> listener.started(domain, attempt));
  }

  @Override
  public void settled(DomainName domain, Settlement settlement) {
    hear(() -> listener.settled(domain, settlement));
  }

  @Override
  public void changed(DomainName domain, Change change) {
    hear(() -> listener.changed(domain, change));
  }

  @Override
  public void outage(boolean ours) {
    hear(() -> listener.outage(ours));
  }

  @Override
  public void waiting(DomainName domain, Instant until, String why) {
    hear(() -> listener.waiting(domain, until, why));
  }

  @Override
  public void ended(DomainName domain, Ending ending) {
    hear(() -> listener.ended(domain, ending));
  }
}
