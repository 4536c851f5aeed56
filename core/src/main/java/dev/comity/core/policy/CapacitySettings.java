package dev.comity.core.policy;

import java.time.Duration;
import java.time.Instant;

/**
 * What one worker holds at a time, whatever the sites would allow.
 *
 * @param inFlight requests in flight in all
 * @param perAddress requests in flight to one IP address, so that many domains on one server do not
 *     add up
 * @param idleAfter how long after its last use a domain may leave memory
 * @param sweepEvery how often such domains are looked for
 * @param deliveries how often a URL may take its worker down before it is set aside
 * @param pagesPerRun pages of one domain in one run
 */
public record CapacitySettings(
    int inFlight,
    int perAddress,
    Duration idleAfter,
    Duration sweepEvery,
    int deliveries,
    int pagesPerRun) {

  public static final CapacitySettings DEFAULTS =
      new CapacitySettings(256, 20, Duration.ofHours(1), Duration.ofMinutes(5), 3, 1000);

  public CapacitySettings {
    Sane.atLeast(1, inFlight, "in-flight");
    Sane.atLeast(1, perAddress, "per-address");
    Sane.positive(idleAfter, "idle-after");
    Sane.positive(sweepEvery, "sweep-every");
    Sane.atLeast(1, deliveries, "deliveries");
    Sane.atLeast(1, pagesPerRun, "pages-per-run");
  }

  /**
   * Whether a domain last used then may leave memory. Never before its next request is due: a pace
   * that is forgotten is a pace that is broken.
   *
   * @param next when the domain's next request may start
   */
  public boolean mayForget(Instant lastUsed, Instant next, Instant now) {
    return !now.isBefore(lastUsed.plus(idleAfter)) && !now.isBefore(next);
  }
}
