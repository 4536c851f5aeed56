package dev.comity.core.port.store;

import dev.comity.core.policy.lifecycle.Standing;
import java.time.Instant;

/** Why a worker gave a domain back. */
public sealed interface Ending {
  /** Nothing is queued, deferred or in flight. */
  record Exhausted() implements Ending {}

  /** It may not be asked before then. */
  record RestUntil(Instant at, String why) implements Ending {}

  /** The site's behaviour closed it: blocked or unreachable, for the reason its standing gives. */
  record Closed(Standing standing) implements Ending {}

  /** This run gets nothing more out of it: too many URLs in a row failed or were refused. */
  record JobFailed(String why) implements Ending {}

  /** Its own pages for this run are spent; the frontier stays as it is. */
  record OutOfBudget() implements Ending {}

  /**
   * The whole run's pages are spent or set aside; should some come back, it may be claimed again.
   */
  record RunOutOfBudget() implements Ending {}

  /**
   * It was borrowed to ask for something on another domain's behalf, and that is done: its own work
   * and its share of the run are as before.
   */
  record Borrowed() implements Ending {}

  /** The crawl was told to stop. */
  record Stopped() implements Ending {}

  /** The store cannot read what it keeps of it, and gives it to no worker until it is mended. */
  record SetAside(String why) implements Ending {}

  /** Someone else holds it by now, or might: its lease was over before it could be renewed. */
  record Lost() implements Ending {}
}
