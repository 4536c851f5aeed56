package dev.comity.core.port.run;

import dev.comity.core.url.CrawlUrl;
import java.time.Instant;

/** The runs of a store: their beginning, their page budget and their end. Thread-safe. */
public interface RunStore {

  /**
   * Joins a run, before the first claim. An unfinished run on the same terms is joined. Or else the
   * last run from the same seeds is joined if these terms are wider. Or else a new run begins.
   * Wider terms open domains again that have spent their pages. An unfinished run on other terms is
   * closed.
   *
   * @throws RunInUse if another worker holds a domain, and an unfinished run would be closed;
   *     nothing was changed
   */
  Run begin(RunTerms terms, Instant now);

  /**
   * What a worker without a claim can expect. The end of a cooldown does not count, and a run does
   * not wait for the end of an operator's pause.
   *
   * @param wanted other work does not count
   */
  Outlook outlook(Instant now, Wanted wanted);

  /** What to expect of work of any kind. */
  default Outlook outlook(Instant now) {
    return outlook(now, Wanted.ANY);
  }

  /**
   * Draws pages of the run's budget for this worker, or gives unused ones back. A worker without a
   * claim has none: they go back to the run by themselves.
   *
   * @param pages the most to draw; negative to give so many back
   */
  Portion draw(long pages);

  /** Draws images of the run's budget, as pages are drawn. */
  Portion drawImages(long images);

  /**
   * Takes what others want of this worker, and shows them that it is alive. Each file is taken
   * once. A store that one process has wants nothing.
   */
  default WorkerOrders orders() {
    return WorkerOrders.NONE;
  }

  /** Asks the worker that holds the domain of this robots.txt to fetch it. */
  default void askHolder(CrawlUrl file) {}

  /**
   * Leaves the run, or ends it. A run that is out of work or budget ends only if no domain is held
   * and, if it is to be out of work, none can be claimed.
   *
   * @return whether the run is over
   */
  boolean end(RunEnding ending, Instant now);
}
