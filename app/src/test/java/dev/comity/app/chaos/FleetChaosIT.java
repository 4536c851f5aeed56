package dev.comity.app.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.chaos.ChaosPlan.FaultKind;
import dev.comity.store.ServerDatabase;
import dev.comity.store.doctor.Doctor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workers, their database and their network fail, and the fleet keeps what must hold. A little of
 * it in every build. {@code mvn -Pfleet-chaos -pl app -am verify} breaks something every few
 * seconds for ten minutes; {@code -Dcomity.scenario} names another scenario, {@code
 * -Dcomity.minutes} and {@code -Dcomity.seed} change it.
 */
class FleetChaosIT {
  private static final String SCENARIO = System.getProperty("comity.scenario", "small");
  private static final int MINUTES = Integer.getInteger("comity.minutes", 0);
  private static final long SEED = Long.getLong("comity.seed", 1);

  @TempDir private Path directory;

  private ChaosPlan plan() {
    return switch (SCENARIO) {
      case "small" -> ChaosPlan.small(SEED);
      case "faults" -> ChaosPlan.faults(SEED, Math.max(1, MINUTES));
      case "redis" -> ChaosPlan.redis(SEED, MINUTES == 0 ? 5 : MINUTES);
      case "many" -> ChaosPlan.many(SEED);
      case "one-worker" -> ChaosPlan.quiet(SEED, 1, 300, 60);
      case "three-workers" -> ChaosPlan.quiet(SEED, 3, 900, 60);
      case "takeover" -> ChaosPlan.one(SEED, FaultKind.KILL);
      case "away" -> ChaosPlan.one(SEED, FaultKind.AWAY);
      case "clocks" -> ChaosPlan.clocks(SEED);
      default ->
          throw new IllegalArgumentException(
              "comity.scenario is "
                  + SCENARIO
                  + ": it must be small, faults, many, one-worker, three-workers, takeover, away,"
                  + " clocks or redis");
    };
  }

  @Test
  void whatever_breaks_the_fleet_keeps_what_must_hold() throws Exception {
    ChaosPlan plan = plan();
    try (ChaosOrigin origin = new ChaosOrigin(plan.hosts(), plan.pages(), plan.retryAfter());
        ChaosDatabase database = ChaosDatabase.start(plan.workers(), plan.needsStandby());
        ChaosFleet fleet = new ChaosFleet(plan, directory, origin, database)) {
      Instant start = Instant.now();
      fleet.start();
      fleet.breakThings();
      fleet.finish(plan.breaking().plus(Duration.ofMinutes(30)));
      ChaosHistory history = fleet.history();
      System.out.println(new ChaosFigures(history, start, Instant.now()).words(SCENARIO, SEED));
      assertThat(fleet.complaints()).isEmpty();
      assertThat(HistoryChecker.broken(history))
          .as("seed %d, faults %s, %s", SEED, fleet.faults(), fleet.said())
          .isEmpty();
      assertThat(new Doctor(ServerDatabase.at(database.url())).examine(_ -> {}))
          .filteredOn(check -> !check.isSound())
          .as("seed %d, faults %s", SEED, fleet.faults())
          .isEmpty();
    }
  }
}
