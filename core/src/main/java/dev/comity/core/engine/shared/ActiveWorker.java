package dev.comity.core.engine.shared;

import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.port.store.Claim;
import java.time.Instant;

/** A worker as the crawl knows it: its claim, its activity, and messages to it. Thread-safe. */
public interface ActiveWorker {
  Claim claim();

  /** Makes the worker look again. */
  void wake();

  /** The claim lasts until then. */
  void renewed(Deadline until);

  /** The claim is lost. */
  void lost();

  /** Failures counted against the domain since then were an outage of the crawler's network. */
  void takeBack(Instant since);

  /** What the worker is doing now. */
  CrawlSnapshot.AtWork glance();
}
