package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.comity.app.support.KillLoop;
import dev.comity.app.support.ManyHosts;
import dev.comity.app.support.StoredFacts;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A crawl that is killed again and again. A few times in every build; {@code mvn -Pchaos verify}
 * does it two hundred times, {@code -Dcomity.kills} and {@code -Dcomity.seed} say otherwise.
 */
class KillLoopIT {
  private static final int KILLS = Integer.getInteger("comity.kills", 5);
  private static final long SEED = Long.getLong("comity.seed", 1);
  private static final Duration DELAY = Duration.ofMillis(100);

  @TempDir private Path directory;

  @Test
  void killed_at_any_moment_nothing_is_lost_doubled_or_hurried() throws Exception {
    // More than can be had between kills: one that comes when the run is over leads to a new run.
    try (ManyHosts site = new ManyHosts(40, KILLS * 12 + 60)) {
      assumeTrue(site.isPossible(), "this system has one loopback address only");
      KillLoop loop = new KillLoop(directory, site, DELAY, SEED);
      loop.run(KILLS, Math.max(1, KILLS / 40));
      System.out.println("seed " + SEED + ": " + loop.figures());
      assertThat(loop.complaints()).as("seed " + SEED).isEmpty();
      // Within a life the log is exact, while a busy machine lets the server notice requests late.
      assertThat(StoredFacts.shortestGap(directory.resolve("comity-data")))
          .isGreaterThanOrEqualTo(DELAY);
      assertThat(loop.shortestGap(true)).isGreaterThanOrEqualTo(DELAY);
    }
  }
}
