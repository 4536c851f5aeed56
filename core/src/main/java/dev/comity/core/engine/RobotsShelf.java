package dev.comity.core.engine;

import dev.comity.core.port.RobotsRules;
import dev.comity.core.url.Authority;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The robots.txt files a run has read, for a day each; the least recently used go first when there
 * are too many.
 */
final class RobotsShelf {
  private static final Duration LIFE = Duration.ofDays(1);
  private static final int MOST = 10_000;

  private record Copy(RobotsRules rules, Instant until) {}

  private final Map<Authority, Copy> copies =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Authority, Copy> eldest) {
          return size() > MOST;
        }
      };

  synchronized Optional<RobotsRules> find(Authority authority, Instant now) {
    return Optional.ofNullable(copies.get(authority))
        .filter(copy -> now.isBefore(copy.until()))
        .map(Copy::rules);
  }

  synchronized void keep(Authority authority, RobotsRules rules, Instant now) {
    copies.put(authority, new Copy(rules, now.plus(LIFE)));
  }
}
