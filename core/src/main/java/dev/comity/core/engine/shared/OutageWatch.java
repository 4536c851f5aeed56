package dev.comity.core.engine.shared;

import dev.comity.core.policy.OutageGuard;
import dev.comity.core.policy.OutageGuard.OutageVerdict;
import dev.comity.core.policy.Slots;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.BoundedMap;
import java.time.Instant;
import java.util.Optional;

/**
 * The outage guard behind a lock, and the choice of the authority to probe during an outage. Only
 * authorities that once accepted a connection are probed: others may be dead for good. The sites
 * that fell silent may be dead, too, so every second probe goes to another site.
 */
final class OutageWatch {
  private static final int MOST_REACHABLE = 10_000;

  private final OutageGuard guard;

  /**
   * The authority of each domain that last accepted a connection, the latest last. First come those
   * that only an earlier process reached: this one may have started during an outage.
   */
  private final BoundedMap<DomainName, Authority> reachable = BoundedMap.byPut(MOST_REACHABLE);

  private int probes;

  /** Read before and during every request, so it needs no lock. */
  private volatile boolean paused;

  OutageWatch(OutageGuard guard) {
    this.guard = guard;
  }

  boolean isPaused() {
    return paused;
  }

  synchronized OutageVerdict saw(
      DomainName domain, Authority authority, boolean connected, Instant lastAnswer, Instant now) {
    if (connected) {
      reachable.putLast(domain, authority);
    } else if (lastAnswer.isAfter(Slots.NEVER) && !reachable.containsKey(domain)) {
      reachable.putFirst(domain, authority);
    }
    OutageVerdict verdict = guard.saw(domain, connected, lastAnswer, now);
    paused = guard.paused();
    return verdict;
  }

  synchronized OutageVerdict probed(boolean connected, Instant now) {
    OutageVerdict verdict = guard.probed(connected, now);
    paused = guard.paused();
    return verdict;
  }

  /** The authority to probe next: this domain's, or another one. */
  synchronized Optional<Authority> probe(DomainName silent) {
    boolean another = probes++ % 2 == 1 || !reachable.containsKey(silent);
    if (!another) {
      return Optional.ofNullable(reachable.get(silent));
    }
    // A probed authority goes behind all others.
    Optional<DomainName> latest = reachable.sequencedKeySet().reversed().stream().findFirst();
    return latest.map(
        domain -> {
          Authority authority = reachable.get(domain);
          reachable.putFirst(domain, authority);
          return authority;
        });
  }
}
