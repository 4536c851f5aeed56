package dev.comity.core.port.store;

import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.SourceWaits;
import java.time.Instant;
import java.util.Optional;

/** The URLs of a claimed domain that are known and not finished. */
public interface Frontier {

  /**
   * Takes the best URL that is due: redirect targets first, then by depth, then by age. URLs that
   * were tried before come last. It stays in the frontier, in flight, until it is settled.
   *
   * @param waits sources whose URLs are passed over now
   */
  Next next(Claim claim, Instant now, Wanted wanted, SourceWaits waits);

  /** Takes the best URL of that kind, whatever its source. */
  default Next next(Claim claim, Instant now, Wanted wanted) {
    return next(claim, now, wanted, SourceWaits.NONE);
  }

  /** Takes the best URL of any kind. */
  default Next next(Claim claim, Instant now) {
    return next(claim, now, Wanted.ANY);
  }

  /** Whether no such URL is queued or deferred, and none of any kind is in flight. */
  boolean isEmpty(Claim claim, Wanted wanted);

  /** Whether no URL is queued, deferred or in flight. */
  default boolean isEmpty(Claim claim) {
    return isEmpty(claim, Wanted.ANY);
  }

  /** The next URL of a frontier, if there is one. */
  sealed interface Next {
    /** This URL is due. */
    record Ready(QueuedUrl entry) implements Next {}

    /**
     * No URL is due; the first deferred URL is due then.
     *
     * @param source the source that it waits for, if it waits for one
     */
    record DueAt(Instant at, Optional<String> source) implements Next {
      /** A URL that waits for no source. */
      public DueAt(Instant at) {
        this(at, Optional.empty());
      }
    }

    /** No URL is queued or deferred. */
    record Empty() implements Next {}
  }
}
