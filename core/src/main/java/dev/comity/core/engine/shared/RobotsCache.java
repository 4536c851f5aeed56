package dev.comity.core.engine.shared;

import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.port.fetch.RobotsRules;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.url.Authority;
import dev.comity.core.util.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;

/**
 * An LRU cache of robots.txt files, in front of the copies in the store. A copy is good for a day.
 * If the file cannot be fetched then, the copy holds for up to a month. The file is tried again at
 * growing intervals. Thread-safe.
 */
public final class RobotsCache {
  /** How long a file of another domain counts as out of reach. */
  private static final Duration UNREAD = Duration.ofHours(1);

  /** How long a copy is good for: RFC 9309 allows no more than a day. */
  static final Duration LIFE = Duration.ofDays(1);

  private static final Duration LAST_RESORT = Duration.ofDays(30);
  private static final Duration FIRST_WAIT = Duration.ofMinutes(5);
  private static final int MOST_DOUBLINGS = 6;
  private static final int MOST = 10_000;

  /**
   * @param until when the file is fetched again
   * @param failures how many fetches failed since it was read
   */
  private record Copy(RobotsRules rules, Instant readAt, Instant until, int failures) {}

  private final CrawlParts parts;
  private final Map<Authority, Copy> copies = Collections.synchronizedMap(BoundedMap.byUse(MOST));

  RobotsCache(CrawlParts parts) {
    this.parts = parts;
  }

  /** The rules in force now; empty if the file must be fetched. */
  public Optional<RobotsRules> find(Authority authority, Instant now) {
    Optional<Copy> copy = known(authority);
    return copy.isPresent() && now.isBefore(copy.get().until())
        ? Optional.of(copy.get().rules())
        : Optional.empty();
  }

  /** The rules in force now, without a look into the store. */
  public Optional<RobotsRules> findCached(Authority authority, Instant now) {
    return Optional.ofNullable(copies.get(authority))
        .filter(copy -> now.isBefore(copy.until()))
        .map(Copy::rules);
  }

  public void keep(Authority authority, RobotsRules rules, Instant readAt) {
    Instant until = readAt.plus(isElsewhere(rules) ? UNREAD : LIFE);
    copies.put(authority, new Copy(rules, readAt, until, 0));
  }

  /** A fetch of the file failed; answers whether its last good copy holds for a while longer. */
  public boolean lasts(Authority authority, Instant now) {
    Optional<Copy> good =
        known(authority)
            .filter(copy -> !isElsewhere(copy.rules()))
            .filter(copy -> now.isBefore(copy.readAt().plus(LAST_RESORT)));
    good.ifPresent(copy -> copies.put(authority, longer(copy, now)));
    return good.isPresent();
  }

  /** The stored copy of an authority's file, if it is still good. */
  public Optional<RobotsCopy> copyOf(Authority authority, Instant now) {
    return parts
        .store()
        .robots(authority)
        .filter(copy -> now.isBefore(copy.fetchedAt().plus(LIFE)))
        .filter(copy -> copy.file().isPresent() || copy.allowed());
  }

  /** Whether these rules stand for a file that another domain keeps and that was not read. */
  public static boolean isElsewhere(RobotsRules rules) {
    return rules instanceof RobotsRules.Everything(var allowed) && !allowed;
  }

  public RobotsRules rulesOf(RobotsCopy copy) {
    return copy.file()
        .map(parts.robots()::read)
        .orElseGet(() -> new RobotsRules.Everything(copy.allowed()));
  }

  private static Copy longer(Copy copy, Instant now) {
    Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(copy.failures(), MOST_DOUBLINGS));
    return new Copy(copy.rules(), copy.readAt(), now.plus(wait), copy.failures() + 1);
  }

  private Optional<Copy> known(Authority authority) {
    Copy cached = copies.get(authority);
    if (cached != null) {
      return Optional.of(cached);
    }
    parts
        .store()
        .robots(authority)
        .ifPresent(copy -> keep(authority, rulesOf(copy), copy.fetchedAt()));
    return Optional.ofNullable(copies.get(authority));
  }
}
