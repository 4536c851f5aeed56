package dev.comity.core.engine.domain;

import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.port.store.Ending;
import java.time.Instant;

/** What a look at its domain came to, and what the worker does next. */
sealed interface Step {

  /** What needs no further word. */
  enum Plain implements Step {
    /** Something was done: look again. */
    DONE,
    /** A request was sent off: look again. */
    SENT,
    /** There is no place for a request: look again when one was set aside, or at any news. */
    QUEUE,
    /** Nothing can be done before there is news. */
    WAIT
  }

  /**
   * Nothing can be done before there is news, or before then.
   *
   * @param said as who watches is told
   */
  record WaitUntil(CrawlSnapshot.Wait said) implements Step {}

  /**
   * The domain shares a budget and is not next before then. It keeps its place in the line.
   *
   * @param said as who watches is told
   */
  record TakeTurns(CrawlSnapshot.Wait said) implements Step {}

  /** There is no start for a request before then: look again then, or at any news. */
  record QueueUntil(Instant at) implements Step {}

  /** The work is over. */
  record End(Ending ending) implements Step {}
}
