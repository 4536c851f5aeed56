package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.testkit.engine.support.FleetHistory;
import org.junit.jupiter.api.Test;

/**
 * Several real engines on one store, in some hundred histories. Workers join late, die, stop and
 * lose their leases; their clocks differ, and answers of the store are lost. {@code -Pfleet} runs
 * ten thousand.
 */
class FleetSimulation {
  private static final int HISTORIES = Integer.getInteger("comity.fleet-histories", 300);
  private static final long FIRST = Long.getLong("comity.first-history", 0);

  @Test
  void every_invariant_holds_with_several_workers_on_one_store() {
    int answered = 0;
    for (long seed = FIRST; seed < FIRST + HISTORIES; seed++) {
      try {
        FleetHistory history = FleetHistory.of(seed);
        assertThat(history.broken()).as(history.given().toString()).isEmpty();
        answered += history.answered();
      } catch (AssertionError | RuntimeException failed) {
        throw new AssertionError("seed " + seed + ": " + failed.getMessage(), failed);
      }
    }
    // The generator is not to grow tame: most of a history's sites answer.
    assertThat(answered).isGreaterThan(HISTORIES * 10);
  }

  /** Its workers lose every claim within a minute, and a redirected robots.txt is refused. */
  @Test
  void a_robots_txt_that_is_refused_elsewhere_is_not_asked_for_ever_by_workers_that_lose_claims() {
    assertThat(FleetHistory.of(3199).broken()).isEmpty();
  }

  @Test
  void the_same_seed_gives_the_same_history_and_another_seed_another() {
    for (long seed = 0; seed < 10; seed++) {
      assertThat(FleetHistory.of(seed).events())
          .as("seed " + seed)
          .isEqualTo(FleetHistory.of(seed).events());
    }
    assertThat(FleetHistory.of(3).events()).isNotEqualTo(FleetHistory.of(4).events());
  }
}
