package dev.comity.core.engine.domain;

import dev.comity.core.url.Authority;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.Set;

/**
 * Which address a domain's authorities are at, for as long as that is likely to hold. Known to one
 * worker and its thread.
 */
final class AddressCache {
  private static final Duration GOOD_FOR = Duration.ofMinutes(5);

  /** More hosts than that in one domain are looked up again when they have their next turn. */
  private static final int MOST = 100;

  private final LinkedHashMap<Authority, Found> found = new LinkedHashMap<>();
  private final Set<Authority> sought = new HashSet<>();

  private record Found(String address, Instant at) {}

  /** Where it is, if that is known. */
  Optional<String> of(Authority authority, Instant now) {
    Found known = found.get(authority);
    return known != null && now.isBefore(known.at().plus(GOOD_FOR))
        ? Optional.of(known.address())
        : Optional.empty();
  }

  /** Whether somebody has to look it up; says so once until it is found. */
  boolean seek(Authority authority) {
    return sought.add(authority);
  }

  void found(Authority authority, String address, Instant at) {
    sought.remove(authority);
    found.putLast(authority, new Found(address, at));
    if (found.size() > MOST) {
      found.pollFirstEntry();
    }
  }
}
