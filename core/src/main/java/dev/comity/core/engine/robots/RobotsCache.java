package dev.comity.core.engine.robots;

import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.port.fetch.RobotsRules;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.url.Authority;
import dev.comity.core.util.Recent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The robots.txt files that were read: those of this run at hand, the least recently used going
 * first when there are too many, and those of earlier ones in the store. A copy is good for a day.
 * Where the file cannot be had then, the copy holds for want of a better one, up to a month, and
 * the file is asked for again and again, less and less often.
 */
public final class RobotsCache {
  /** How long a file counts as out of reach that another domain keeps. */
  private static final Duration UNREAD = Duration.ofHours(1);

  /** How long a copy is good for: RFC 9309 allows no more than a day. */
  private static final Duration LIFE = Duration.ofDays(1);

  private static final Duration LAST_RESORT = Duration.ofDays(30);
  private static final Duration FIRST_WAIT = Duration.ofMinutes(5);
  private static final int MOST_DOUBLINGS = 6;
  private static final int MOST = 10_000;

  /**
   * @param until when it is asked for again
   * @param failures how often that was in vain
   */
  private record Copy(RobotsRules rules, Instant readAt, Instant until, int failures) {}

  private final CrawlParts parts;
  private final Recent<Authority, Copy> copies = new Recent<>(MOST);

  public RobotsCache(CrawlParts parts) {
    this.parts = parts;
  }

  /** The rules to go by now; empty when the file is to be asked for. */
  Optional<RobotsRules> find(Authority authority, Instant now) {
    Optional<Copy> copy = known(authority);
    return copy.isPresent() && now.isBefore(copy.get().until())
        ? Optional.of(copy.get().rules())
        : Optional.empty();
  }

  void keep(Authority authority, RobotsRules rules, Instant readAt) {
    Instant until = readAt.plus(isElsewhere(rules) ? UNREAD : LIFE);
    copies.keep(authority, new Copy(rules, readAt, until, 0));
  }

  /**
   * The file was asked for in vain; answers whether its last good copy holds for a while longer.
   */
  boolean lasts(Authority authority, Instant now) {
    Optional<Copy> good =
        known(authority)
            .filter(copy -> !isElsewhere(copy.rules()))
            .filter(copy -> now.isBefore(copy.readAt().plus(LAST_RESORT)));
    good.ifPresent(copy -> copies.keep(authority, longer(copy, now)));
    return good.isPresent();
  }

  /** What another authority was served, if that is still good. */
  public Optional<RobotsCopy> copyOf(Authority authority, Instant now) {
    return parts
        .store()
        .robots(authority)
        .filter(copy -> now.isBefore(copy.fetchedAt().plus(LIFE)))
        .filter(copy -> copy.file().isPresent() || copy.allowed());
  }

  /** Whether these stand for a file that another domain keeps and nobody has read. */
  static boolean isElsewhere(RobotsRules rules) {
    return rules instanceof RobotsRules.Everything(var allowed) && !allowed;
  }

  RobotsRules rulesOf(RobotsCopy copy) {
    return copy.file()
        .map(parts.robots()::read)
        .orElseGet(() -> new RobotsRules.Everything(copy.allowed()));
  }

  private static Copy longer(Copy copy, Instant now) {
    Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(copy.failures(), MOST_DOUBLINGS));
    return new Copy(copy.rules(), copy.readAt(), now.plus(wait), copy.failures() + 1);
  }

  private Optional<Copy> known(Authority authority) {
    Optional<Copy> atHand = copies.find(authority);
    if (atHand.isPresent()) {
      return atHand;
    }
    parts
        .store()
        .robots(authority)
        .ifPresent(copy -> keep(authority, rulesOf(copy), copy.fetchedAt()));
    return copies.find(authority);
  }
}
