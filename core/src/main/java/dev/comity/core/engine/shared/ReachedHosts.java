package dev.comity.core.engine.shared;

import dev.comity.core.policy.Slots;
import dev.comity.core.port.store.Claim;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.BoundedMap;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;

/**
 * A cache of the hosts this process has reached, kept beyond the claims of their domains. It knows
 * which authorities accepted a connection, and when each domain last sent a response. Thread-safe.
 */
public final class ReachedHosts {
  /** Many more than are worked on at once, so an entry is not evicted while it matters. */
  private static final int MOST = 10_000;

  private final Map<Authority, Boolean> reached =
      Collections.synchronizedMap(BoundedMap.byUse(MOST));
  private final Map<DomainName, Instant> answers =
      Collections.synchronizedMap(BoundedMap.byUse(MOST));

  /** A connection was made: a later failure does not mean that no server listens there. */
  public void reached(Authority authority) {
    reached.put(authority, true);
  }

  private boolean hasReached(Authority authority) {
    // A read keeps the entry, unlike containsKey.
    return reached.get(authority) != null;
  }

  /** Whether neither this process nor an earlier claim had a response from the authority. */
  public boolean isStranger(Authority authority, Claim claim) {
    return !hasReached(authority) && !claim.state().heard().by().equals(Optional.of(authority));
  }

  /** The domain has sent a response. */
  public void answered(DomainName domain, Instant at) {
    answers.put(domain, at);
  }

  /**
   * When the domain last sent a response, as far as it says anything about this authority. An
   * authority that never accepted a connection may always have been dead.
   */
  public Instant lastAnswer(Authority authority, Claim claim) {
    if (hasReached(authority)) {
      Instant last = answers.get(claim.domain());
      return last == null ? Slots.NEVER : last;
    }
    return isStranger(authority, claim) ? Slots.NEVER : claim.state().heard().lastAnswer();
  }
}
