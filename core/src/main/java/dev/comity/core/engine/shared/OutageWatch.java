package dev.comity.core.engine.shared;

import dev.comity.core.policy.OutageGuard;
import dev.comity.core.policy.OutageGuard.Verdict;
import dev.comity.core.policy.Slots;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * The outage guard, heard from many workers, and where to knock to see whether the network is back:
 * only at doors that were open once. A domain's other authorities may be dead for good, and so may
 * be all the sites that fell silent; so every second knock is at some other site that let us in.
 */
final class OutageWatch {
  private static final int MOST_DOORS = 10_000;

  private final OutageGuard guard;

  /**
   * Where a domain last let us in, the latest last; first those that let an earlier process in and
   * not yet this one, which may have been started while the network was down.
   */
  private final LinkedHashMap<DomainName, Authority> doors = new LinkedHashMap<>();

  private int knocks;

  /** Asked before and during every request, so nobody waits for the answer. */
  private volatile boolean paused;

  OutageWatch(OutageGuard guard) {
    this.guard = guard;
  }

  boolean isPaused() {
    return paused;
  }

  synchronized Verdict saw(
      DomainName domain, Authority authority, boolean connected, Instant lastAnswer, Instant now) {
    if (connected) {
      doors.putLast(domain, authority);
    } else if (lastAnswer.isAfter(Slots.NEVER) && !doors.containsKey(domain)) {
      doors.putFirst(domain, authority);
    }
    if (doors.size() > MOST_DOORS) {
      doors.pollFirstEntry();
    }
    Verdict verdict = guard.saw(domain, connected, lastAnswer, now);
    paused = guard.paused();
    return verdict;
  }

  synchronized Verdict probed(boolean connected, Instant now) {
    Verdict verdict = guard.probed(connected, now);
    paused = guard.paused();
    return verdict;
  }

  /** Where to knock next: at this domain's door, or at another's. */
  synchronized Optional<Authority> door(DomainName silent) {
    boolean another = knocks++ % 2 == 1 || !doors.containsKey(silent);
    if (!another) {
      return Optional.ofNullable(doors.get(silent));
    }
    // Tried once, it is behind all the others.
    Optional<DomainName> latest = doors.sequencedKeySet().reversed().stream().findFirst();
    return latest.map(
        domain -> {
          Authority door = doors.get(domain);
          doors.putFirst(domain, door);
          return door;
        });
  }
}
