package dev.comity.testkit.engine.support;

import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Under what several workers share a store, drawn from a seed.
 *
 * @param maxPages pages the run may settle
 * @param lease how long a claim lasts
 * @param slowStore whether calls of the store take time
 * @param cutOff whether leases are sometimes not renewed in time
 * @param unanswered whether a call is sometimes carried out and not answered, and so repeated
 * @param workers what becomes of each worker
 * @param maxImages images the run may keep; 0 if it collects none
 * @param operated whether an operator pauses domains, slows them down and ends claims meanwhile
 * @param sources how many sources there are; every second seed is of one
 */
public record FleetCircumstances(
    int sites,
    long maxPages,
    Duration lease,
    boolean slowStore,
    boolean cutOff,
    boolean unanswered,
    List<Fortune> workers,
    long maxImages,
    boolean operated,
    int sources) {

  /**
   * What becomes of one worker.
   *
   * @param ahead how far its clock is ahead of the store's
   * @param joins when it joins the run
   * @param dies when its process is killed
   * @param stops when it is told to stop
   */
  public record Fortune(Duration ahead, Instant joins, Instant dies, Instant stops) {}

  public static FleetCircumstances of(long seed) {
    SplittableRandom random = new SplittableRandom(seed ^ 0xF1EE7L);
    int many = random.nextInt(2, 5);
    boolean skewed = random.nextInt(2) == 0;
    List<Fortune> workers = new ArrayList<>();
    for (int number = 0; number < many; number++) {
      Instant joins = VirtualTimeline.START.plusMillis(random.nextInt(number == 0 ? 1 : 20_000));
      workers.add(
          new Fortune(
              Duration.ofMillis(skewed ? random.nextInt(-600_000, 600_000) : 0),
              joins,
              random.nextInt(3) == 0 ? joins.plusMillis(random.nextInt(60_000)) : Instant.MAX,
              random.nextInt(5) == 0 ? joins.plusMillis(random.nextInt(60_000)) : Instant.MAX));
    }
    return new FleetCircumstances(
        random.nextInt(2, 16),
        random.nextInt(4) == 0 ? random.nextInt(3, 60) : 100_000,
        random.nextInt(2) == 0
            ? Duration.ofMillis(random.nextInt(3_000, 20_000))
            : Duration.ofSeconds(random.nextInt(30, 300)),
        random.nextInt(2) == 0,
        random.nextInt(3) == 0,
        random.nextInt(3) == 0,
        List.copyOf(workers),
        Circumstances.maxImages(seed),
        random.nextInt(3) == 0,
        random.nextInt(2) == 0 ? random.nextInt(1, 4) : 0);
  }
}
