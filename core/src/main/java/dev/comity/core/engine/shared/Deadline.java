package dev.comity.core.engine.shared;

import dev.comity.core.port.Timeline;
import java.time.Duration;
import java.time.Instant;

/**
 * When a worker must stop. The claim is over as soon as one of the clocks says so: the wall clock
 * may be set back, and the other one stands still while the machine is suspended.
 *
 * @param at by the timeline
 * @param wall by the wall clock
 */
public record Deadline(Instant at, Instant wall) {
  /** The claim is lost; a time of which every clock can reckon. */
  public static final Deadline PASSED = new Deadline(Instant.EPOCH, Instant.EPOCH);

  public boolean isOver(Timeline time) {
    return !time.instant().isBefore(at) || !time.wall().isBefore(wall);
  }

  /** Both clocks at the moment when a worker asks for a claim or a renewal. */
  public record AskedAt(Instant at, Instant wall) {

    /** The clocks now. */
    public static AskedAt now(Timeline time) {
      return new AskedAt(time.instant(), time.wall());
    }

    /** The deadline that the store answers, as a time of the timeline. */
    public Deadline until(Instant time) {
      return new Deadline(time, wall.plus(Duration.between(at, time)));
    }
  }
}
