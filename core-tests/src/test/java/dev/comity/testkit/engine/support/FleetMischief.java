package dev.comity.testkit.engine.support;

import dev.comity.core.port.Signal;
import dev.comity.core.port.store.Claim;
import dev.comity.testkit.engine.support.DoorwayStore.Door;
import dev.comity.testkit.engine.support.DoorwayStore.Keeper;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;

/** What goes wrong between one worker and the store: calls take time, renewals come too late. */
final class FleetMischief implements Keeper {
  /** A line that is cut for ever lets no worker finish. */
  private static final int MOST_CUTS = 4;

  private final SplittableRandom random;
  private final FleetCircumstances given;
  private final VirtualTimeline time;
  private int cuts;

  FleetMischief(long seed, FleetCircumstances given, VirtualTimeline time) {
    random = new SplittableRandom(seed);
    this.given = given;
    this.time = time;
  }

  @Override
  public void before(Door door, Optional<Claim> claim) {
    dawdle(door);
    if (door == Door.RENEW && given.cutOff() && cuts < MOST_CUTS && random.nextInt(3) == 0) {
      cuts++;
      pass(given.lease().multipliedBy(random.nextInt(5, 15)).dividedBy(10));
    }
  }

  @Override
  public void after(Door door, Optional<Claim> claim) {
    dawdle(door);
  }

  /** In a fleet the interval of a source counts from the turns, so these take no time. */
  private void dawdle(Door door) {
    if (given.slowStore() && door != Door.TURN && random.nextInt(4) == 0) {
      pass(Duration.ofMillis(random.nextInt(50) == 0 ? 5000 : random.nextInt(50)));
    }
  }

  private void pass(Duration duration) {
    Instant until = time.instant().plus(duration);
    try {
      time.await(new Signal(), until);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
