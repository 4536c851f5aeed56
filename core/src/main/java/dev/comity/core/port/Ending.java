package dev.comity.core.port;

import java.time.Instant;

/** Why a worker gave a domain back. */
public sealed interface Ending {
  /** Nothing is queued, deferred or in flight. */
  record Exhausted() implements Ending {}

  /** It may not be asked before then. */
  record RestUntil(Instant at, String why) implements Ending {}

  /** It will not be asked again for now. */
  record Closed(String reason) implements Ending {}

  /** This run's pages are spent; the frontier stays as it is. */
  record OutOfBudget() implements Ending {}

  /** The crawl was told to stop. */
  record Stopped() implements Ending {}

  /** Someone else holds it by now; there was nothing to give back. */
  record Lost() implements Ending {}
}
