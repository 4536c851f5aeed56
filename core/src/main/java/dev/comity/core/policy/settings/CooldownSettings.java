package dev.comity.core.policy.settings;

import dev.comity.core.util.Require;
import java.time.Duration;
import java.util.List;

/**
 * How long a closed domain is left alone.
 *
 * @param times whatever closed it: the first time, the next, and so on, the last one repeating;
 *     empty where each reason has its own time
 */
public record CooldownSettings(List<Duration> times) {

  public static final CooldownSettings DEFAULTS = new CooldownSettings(List.of());

  public CooldownSettings {
    times = List.copyOf(times);
    for (Duration cooldown : times) {
      Require.positive(cooldown, "cooldown");
    }
  }
}
