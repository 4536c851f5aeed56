package dev.comity.core.policy;

import dev.comity.core.policy.Learning.Incident;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What becomes of a site that refuses everything. It may have a quota that opens in an hour or
 * tomorrow, so it is parked, for longer each time, and blocked only when a day has shown that no
 * quota opens.
 */
final class RefusalsInARow {
  private static final Duration FIRST_PARK = Duration.ofHours(1);

  /** A daily quota opens within a day, so nothing is gained by a longer park. */
  private static final Duration LONGEST_PARK = Duration.ofDays(1);

  /** A day, and an hour for a clock that differs from ours. */
  private static final Duration SURE_AFTER = Duration.ofHours(25);

  /** A site that named a long wait and was asked a moment too early has refused twice. */
  private static final int FEWEST = 3;

  private final PolicySettings settings;

  RefusalsInARow(PolicySettings settings) {
    this.settings = settings;
  }

  /**
   * How long a site is parked after its latest refusal; zero while it has refused for a short time
   * only. 1 h, 2 h, 4 h and so on: the first of these that is longer than it has refused so far.
   */
  Duration park(Learning learning, Instant now) {
    Optional<Incident> incident = learning.incident();
    if (incident.isEmpty() || incident.get().refusals() < FEWEST) {
      return Duration.ZERO;
    }
    Duration refusing = Duration.between(incident.get().openedAt(), now);
    if (refusing.compareTo(settings.pace().parkAfter()) < 0) {
      return Duration.ZERO;
    }
    Duration park = FIRST_PARK;
    while (park.compareTo(refusing) <= 0 && park.compareTo(LONGEST_PARK) < 0) {
      park = park.plus(park);
    }
    return park.compareTo(LONGEST_PARK) > 0 ? LONGEST_PARK : park;
  }

  /** Whether the latest refusal blocks the domain. */
  boolean block(Learning learning, Instant now) {
    return mayBlock()
        && learning.refusalsInARow() >= settings.learning().blockAfter()
        && learning.incident().isPresent()
        && !now.isBefore(sureAt(learning.incident().get()));
  }

  /** Whether refusals ever block a domain. */
  boolean mayBlock() {
    return settings.learning().blockAfter() > 0 && settings.learning().cancelAfter().isEmpty();
  }

  /** Before this time no refusal blocks the domain. */
  Instant sureAt(Incident incident) {
    return incident.openedAt().plus(SURE_AFTER);
  }
}
