package dev.comity.core.policy;

import dev.comity.core.policy.learning.DelayLearning;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.util.Doubling;
import java.time.Duration;
import java.time.Instant;

/**
 * What becomes of a site that refuses every page. It may have a quota that opens in an hour or
 * tomorrow, so it is parked, for longer each time. It is blocked when a day has shown that no quota
 * opens.
 */
final class RefusalsInARow {
  /** More than a site refuses by chance, and few enough to be polite to one that means it. */
  static final int BLOCK_AFTER = 20;

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
   * only.
   */
  Duration park(DomainState state, Instant now) {
    Duration refusing = Duration.between(state.heard().refusedSince(), now);
    boolean isShort = refusing.compareTo(DomainPolicy.PARK_AFTER) < 0;
    return isShort || state.heard().refusals() < FEWEST
        ? Duration.ZERO
        : untilItOpens(state, refusing, now);
  }

  /**
   * Until the next window opens, or else for 1 h, 2 h, 4 h and so on: the first of these that is
   * longer than the site has refused so far.
   */
  private static Duration untilItOpens(DomainState state, Duration refusing, Instant now) {
    // A quota by the hour opens an hour after its first request at the latest.
    Instant opens = state.heard().servedSince().plus(Duration.ofHours(1));
    if (opens.isAfter(now)) {
      return Duration.between(now, opens);
    }
    Duration park = FIRST_PARK;
    while (park.compareTo(refusing) <= 0 && park.compareTo(LONGEST_PARK) < 0) {
      park = park.plus(park);
    }
    return park.compareTo(LONGEST_PARK) > 0 ? LONGEST_PARK : park;
  }

  /** How long the domain rests after its latest refusal. */
  Duration rest(DomainState state, DelayLearning delayLearning, Instant now) {
    // The refusals of a domain that shares a budget are the group's, so it waits for no window.
    Duration told =
        state.slots().shared().isPresent()
            ? Doubling.rest(state.learning().refusalsInARow())
            : delayLearning.rest(state.learning());
    return longer(longer(told, Pace.effective(state, settings)), park(state, now));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** Whether the latest refusal cancels the domain's job. */
  boolean cancelJob(DomainState state) {
    return settings.learning().cancelAfter().isPresent()
        && state.learning().refusalsInARow() >= settings.learning().cancelAfter().getAsInt()
        && Pace.effective(state, settings).compareTo(settings.learning().cap()) >= 0;
  }

  /** Whether the latest refusal blocks the domain. */
  boolean block(DomainState state, Instant now) {
    return mayBlock() && state.heard().refusals() >= BLOCK_AFTER && !now.isBefore(sureAt(state));
  }

  /** Whether refusals ever block a domain. */
  boolean mayBlock() {
    return settings.learning().cancelAfter().isEmpty();
  }

  /** Before this time no refusal blocks the domain. */
  Instant sureAt(DomainState state) {
    return state.heard().refusedSince().plus(SURE_AFTER);
  }
}
