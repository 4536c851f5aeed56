package dev.comity.core.port.store;

import dev.comity.core.policy.lifecycle.Standing;
import java.time.Instant;

/** Why a worker released a domain. */
public sealed interface Ending {
  /** Nothing is queued, deferred or in flight. */
  record Exhausted() implements Ending {}

  /** No request may be sent to it before then. */
  record RestUntil(Instant at, String why) implements Ending {}

  /** All its URLs wait for their sources until then; a URL that arrives need not wait. */
  record DueLater(Instant at, String why) implements Ending {}

  /** The site's behaviour closed it: blocked or unreachable, for the reason its standing gives. */
  record Closed(Standing standing) implements Ending {}

  /** This run fetches no more of it: too many URLs in a row failed or were refused. */
  record JobFailed(String why) implements Ending {}

  /** Its own pages for this run are spent; the frontier stays as it is. */
  record DomainOutOfBudget() implements Ending {}

  /** The pages of the whole run are spent or reserved; if some come back, it is claimed again. */
  record RunOutOfBudget() implements Ending {}

  /**
   * It was borrowed to fetch a robots.txt for another domain, and that is done. Its own work and
   * its share of the run are as before.
   */
  record Borrowed() implements Ending {}

  /** The operator has paused it. */
  record Paused() implements Ending {}

  /** The crawl was told to stop. */
  record Stopped() implements Ending {}

  /** The store cannot read its data, and lets no worker claim it until it is repaired. */
  record SetAside(String why) implements Ending {}

  /** Another worker may hold it by now: its lease was over before it could be renewed. */
  record Lost() implements Ending {}
}
