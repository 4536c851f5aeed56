package dev.comity.testkit.engine.support;

import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

/**
 * Under what a history takes place, drawn from its seed. Most are harmless in most histories, so
 * that each is also met alone.
 *
 * @param inFlight requests the crawl may have in flight
 * @param maxPages pages the run may settle
 * @param slowStore whether calls of the store take time, so that other threads come between
 * @param thieves whether claims are lost now and then
 * @param failsAt the event at which a listener fails, in the first run
 * @param interrupted whether the first run is ended by interrupts instead of being told to stop
 * @param stop when the first run is stopped
 * @param again when it is told again
 * @param killed whether the first run's process is killed at that time instead
 * @param expires whether its claims end with their leases, or when the next process starts
 * @param lease how long a claim lasts
 * @param cutOff whether leases are sometimes not renewed in time
 * @param down when our own network fails
 * @param up when it is back
 * @param maxImages images the run may keep; 0 if it collects none
 * @param sources how many sources there are; every second seed is of one
 */
public record Circumstances(
    int sites,
    int inFlight,
    long maxPages,
    boolean slowStore,
    boolean thieves,
    int failsAt,
    boolean interrupted,
    Instant stop,
    Instant again,
    boolean killed,
    boolean expires,
    Duration lease,
    boolean cutOff,
    Instant down,
    Instant up,
    long maxImages,
    int sources) {

  public static Circumstances of(long seed) {
    SplittableRandom random = new SplittableRandom(seed ^ 0x5EEDL);
    Instant stop = VirtualTimeline.START.plusMillis(random.nextInt(60_000));
    Instant down = VirtualTimeline.START.plusMillis(random.nextInt(60_000));
    int outage =
        switch (random.nextInt(6)) {
          case 0 -> random.nextInt(2_000, 8_000);
          case 1 -> random.nextInt(20_000, 90_000);
          default -> 0;
        };
    return new Circumstances(
        random.nextInt(3, 40),
        random.nextInt(3) == 0 ? random.nextInt(1, 4) : 20,
        random.nextInt(4) == 0 ? random.nextInt(5, 60) : 100_000,
        random.nextInt(2) == 0,
        random.nextInt(3) == 0,
        random.nextInt(8) == 0 ? random.nextInt(200) : Integer.MAX_VALUE,
        random.nextInt(5) == 0,
        stop,
        stop.plusMillis(random.nextInt(3_000)),
        random.nextInt(2) == 0,
        random.nextInt(2) == 0,
        Duration.ofSeconds(random.nextInt(2) == 0 ? random.nextInt(30, 300) : 1800),
        random.nextInt(3) == 0,
        down,
        down.plusMillis(outage),
        maxImages(seed),
        random.nextInt(2) == 0 ? random.nextInt(1, 4) : 0);
  }

  /** Every third history collects images, and some of these only a few. */
  static long maxImages(long seed) {
    SplittableRandom random = new SplittableRandom(seed ^ 0x1A6EL);
    if (seed % 3 != 0) {
      return 0;
    }
    return random.nextInt(3) == 0 ? random.nextInt(1, 20) : 100_000;
  }

  public boolean isDown(Instant now) {
    return !now.isBefore(down) && now.isBefore(up);
  }

  /** An outage no longer than this is over before any URL has spent its tries. */
  boolean isHarmless() {
    return Duration.between(down, up).compareTo(Duration.ofSeconds(8)) <= 0;
  }
}
