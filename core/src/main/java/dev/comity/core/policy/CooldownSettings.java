package dev.comity.core.policy;

import java.time.Duration;
import java.util.List;

/**
 * How long a closed domain is left alone.
 *
 * @param unreachable one after the other, as it stays unreachable; the last one repeats
 * @param permanentAfter cooldowns in a row without a success, after which the next has no end
 */
public record CooldownSettings(
    Duration loginRequired,
    Duration robotsDenied,
    Duration forbidden,
    Duration rateLimited,
    Duration serverErrors,
    Duration challenge,
    List<Duration> unreachable,
    int permanentAfter) {

  public static final CooldownSettings DEFAULTS =
      new CooldownSettings(
          Duration.ofDays(30),
          Duration.ofDays(90),
          Duration.ofDays(14),
          Duration.ofDays(7),
          Duration.ofDays(1),
          Duration.ofDays(14),
          List.of(Duration.ofHours(1), Duration.ofDays(1), Duration.ofDays(7)),
          3);

  public CooldownSettings {
    Sane.positive(loginRequired, "cooldown-login-required");
    Sane.positive(robotsDenied, "cooldown-robots-denied");
    Sane.positive(forbidden, "cooldown-forbidden");
    Sane.positive(rateLimited, "cooldown-rate-limited");
    Sane.positive(serverErrors, "cooldown-server-errors");
    Sane.positive(challenge, "cooldown-challenge");
    unreachable = List.copyOf(unreachable);
    Sane.that(
        !unreachable.isEmpty(), "cooldown-unreachable", unreachable, "needs at least one time");
    for (Duration cooldown : unreachable) {
      Sane.positive(cooldown, "cooldown-unreachable");
    }
    Sane.atLeast(1, permanentAfter, "permanent-after");
  }
}
