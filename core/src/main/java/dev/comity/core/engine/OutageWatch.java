package dev.comity.core.engine;

import dev.comity.core.policy.OutageGuard;
import dev.comity.core.policy.OutageGuard.Verdict;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The outage guard, heard from many workers, and where to knock to see whether the network is back.
 */
final class OutageWatch {
  private static final int MOST_DOORS = 10_000;

  private final OutageGuard guard = new OutageGuard(OutageGuard.Settings.DEFAULTS);
  private final Map<DomainName, Authority> doors =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<DomainName, Authority> eldest) {
          return size() > MOST_DOORS;
        }
      };

  synchronized boolean isPaused() {
    return guard.paused();
  }

  synchronized Verdict saw(
      DomainName domain, Authority authority, boolean connected, Instant lastAnswer, Instant now) {
    doors.put(domain, authority);
    return guard.saw(domain, connected, lastAnswer, now);
  }

  synchronized Verdict probed(boolean connected, Instant now) {
    return guard.probed(connected, now);
  }

  synchronized Optional<Authority> door(DomainName domain) {
    return Optional.ofNullable(doors.get(domain));
  }
}
