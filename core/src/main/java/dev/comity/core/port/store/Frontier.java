package dev.comity.core.port.store;

import java.time.Instant;

/** The URLs of a claimed domain that are known and not finished. */
public interface Frontier {

  /**
   * Takes the best URL that is due: redirect targets first, then by depth, then by age; what was
   * tried before comes last. It stays in the frontier, in flight, until it is settled.
   */
  Next next(Claim claim, Instant now);

  /** Whether nothing is queued, deferred or in flight. It takes nothing. */
  boolean isEmpty(Claim claim);

  /** What there is to ask. */
  sealed interface Next {
    /** This one, now. */
    record Ready(QueuedUrl entry) implements Next {}

    /** Nothing yet; the first deferred URL is due then. */
    record DueAt(Instant at) implements Next {}

    /** Nothing queued and nothing deferred. */
    record Empty() implements Next {}
  }
}
