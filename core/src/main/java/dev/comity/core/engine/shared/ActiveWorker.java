package dev.comity.core.engine.shared;

import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.port.store.Claim;
import java.time.Instant;

/**
 * What a crawl knows of a worker: its claim, what it is doing, and what it must be told. Any thread
 * may call these methods.
 */
public interface ActiveWorker {
  Claim claim();

  /** Makes the worker look again. */
  void wake();

  /** The claim lasts until then. */
  void renewed(Instant until);

  /** What was counted against the domain since then was an outage of the crawler's network. */
  void takeBack(Instant since);

  /** What the worker is doing now. */
  CrawlSnapshot.AtWork glance();
}
