package dev.comity.core.engine;

import dev.comity.core.port.RobotsCopy;
import dev.comity.core.port.RobotsRules;
import dev.comity.core.url.Authority;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The robots.txt files that were read in the last day: those of this run at hand, the least
 * recently used going first when there are too many, and those of earlier ones in the store.
 */
final class RobotsShelf {
  private static final Duration LIFE = Duration.ofDays(1);
  private static final int MOST = 10_000;

  private record Copy(RobotsRules rules, Instant until) {}

  private final CrawlParts parts;
  private final Recent<Authority, Copy> copies = new Recent<>(MOST);

  RobotsShelf(CrawlParts parts) {
    this.parts = parts;
  }

  Optional<RobotsRules> find(Authority authority, Instant now) {
    Optional<RobotsRules> atHand = atHand(authority, now);
    return atHand.isPresent() ? atHand : fetch(authority, now);
  }

  void keep(Authority authority, RobotsRules rules, Instant readAt) {
    copies.keep(authority, new Copy(rules, readAt.plus(LIFE)));
  }

  private Optional<RobotsRules> atHand(Authority authority, Instant now) {
    return copies.find(authority).filter(copy -> now.isBefore(copy.until())).map(Copy::rules);
  }

  private Optional<RobotsRules> fetch(Authority authority, Instant now) {
    Optional<RobotsCopy> stored =
        parts.store().robots(authority).filter(copy -> now.isBefore(copy.fetchedAt().plus(LIFE)));
    return stored.map(
        copy -> {
          RobotsRules rules =
              copy.file()
                  .map(parts.robots()::read)
                  .orElseGet(() -> new RobotsRules.Everything(copy.allowed()));
          keep(authority, rules, copy.fetchedAt());
          return rules;
        });
  }
}
