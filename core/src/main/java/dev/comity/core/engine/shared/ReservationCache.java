package dev.comity.core.engine.shared;

import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.outcome.Body;
import dev.comity.core.port.fetch.RobotsReader.Reservations;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.url.Authority;
import dev.comity.core.util.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;

/**
 * An LRU cache of what tdmrep.json files reserve, in front of the copies in the store. A copy is
 * good for a day. Thread-safe.
 */
public final class ReservationCache {
  private static final Duration LIFE = Duration.ofDays(1);

  /** How long a file that was asked for in vain counts as missing. */
  private static final Duration UNANSWERED = Duration.ofHours(1);

  private static final int MOST = 2_000;

  private record Copy(Reservations rules, Instant until) {}

  private final CrawlParts parts;
  private final Map<Authority, Copy> copies = Collections.synchronizedMap(BoundedMap.byUse(MOST));

  ReservationCache(CrawlParts parts) {
    this.parts = parts;
  }

  /** What is reserved now; empty if the file must be fetched. */
  public Optional<Reservations> find(Authority authority, Instant now) {
    Copy cached = copies.get(authority);
    if (cached == null) {
      parts
          .store()
          .tdmRep(authority)
          .ifPresent(copy -> keep(authority, read(copy.file()), copy.fetchedAt().plus(LIFE)));
      cached = copies.get(authority);
    }
    return Optional.ofNullable(cached).filter(copy -> now.isBefore(copy.until())).map(Copy::rules);
  }

  /**
   * Takes in an answer; returns the copy to store. The body of a file that says nothing is left
   * out: many sites answer every URL with a page.
   */
  public RobotsCopy answered(Authority authority, Optional<Body> file, Instant now) {
    Reservations rules = read(file);
    keep(authority, rules, now.plus(LIFE));
    return RobotsCopy.ofTdmRep(authority, file.filter(_ -> !rules.isEmpty()), now);
  }

  /** The file had no answer: for a while it counts as missing. */
  public void unanswered(Authority authority, Instant now) {
    keep(authority, Reservations.NONE, now.plus(UNANSWERED));
  }

  private Reservations read(Optional<Body> file) {
    return file.map(parts.robots()::reservations).orElse(Reservations.NONE);
  }

  private void keep(Authority authority, Reservations rules, Instant until) {
    copies.put(authority, new Copy(rules, until));
  }
}
