package dev.comity.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.policy.settings.ProbeStyle;
import dev.comity.testkit.sim.support.RandomHistory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The invariants, in histories nobody would think of. A failure prints its seed. */
class RandomHistoryProperties {

  @Test
  void the_invariants_hold_in_every_history() {
    for (long seed = 1; seed <= 400; seed++) {
      check(seed, PolicySettings.DEFAULTS);
    }
  }

  @Test
  void the_invariants_hold_with_plain_steps_too() {
    PolicySettings steps =
        PolicySettings.DEFAULTS.with(PolicySettings.DEFAULTS.learning().withStyle(ProbeStyle.STEP));
    for (long seed = 1; seed <= 100; seed++) {
      check(seed, steps);
    }
  }

  @Test
  void the_histories_are_wild_enough_to_visit_every_corner() {
    RandomHistory.Seen seen = new RandomHistory.Seen();
    for (long seed = 1; seed <= 400; seed++) {
      new RandomHistory(PolicySettings.DEFAULTS, seed, seen).run(2_000);
    }
    // What was refused is tried again after thousands of requests only.
    new RandomHistory(PolicySettings.DEFAULTS, 401, seen)
        .runLimited(Duration.ofMillis(1_300), 20_000);
    assertThat(seen.missing()).isEmpty();
  }

  private static void check(long seed, PolicySettings settings) {
    try {
      new RandomHistory(settings, seed, new RandomHistory.Seen()).run(2_000);
    } catch (AssertionError | RuntimeException broken) {
      fail("seed " + seed, broken);
    }
  }
}
