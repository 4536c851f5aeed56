package dev.comity.core.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a domain's refusals have taught. {@link Lessons} explains the rules.
 *
 * @param learned the delay learned so far; zero if nothing was
 * @param refused the delay that was last found too short
 * @param floor the shortest delay above the refused one that has held
 * @param cameFrom the delay the last probe that stood came from
 * @param row successes in a row at the present delay
 * @param savings successes at the present delay that can still pay for refusals
 * @param probe the search under way for a shorter delay
 * @param incident the refusals since the last success
 * @param lastRefusal when the last counted refusal arrived; what started earlier teaches nothing
 * @param recheck when the refused delay may be tried again
 */
public record Learning(
    Duration learned,
    Optional<Duration> refused,
    Optional<Duration> floor,
    Optional<Duration> cameFrom,
    int row,
    int savings,
    Optional<Probe> probe,
    Optional<Incident> incident,
    Instant lastRefusal,
    Recheck recheck) {

  /** No refusal was ever seen. */
  static final Learning NOTHING =
      new Learning(
          Duration.ZERO,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          0,
          0,
          Optional.empty(),
          Optional.empty(),
          Slots.NEVER,
          Recheck.NONE);

  /**
   * A shorter delay being tried.
   *
   * @param from the delay to go back to
   * @param savedBefore what that delay had saved up
   * @param retry whether it is the refused delay itself
   */
  public record Probe(Duration from, int savedBefore, boolean retry) {}

  /**
   * Refusals in a row.
   *
   * @param delay the delay under which the first of them was started
   * @param taught what the learned delay falls back to at the next success
   * @param pardoned whether that delay has so far paid for all of them
   * @param recovery whether the time to the next success says when to try again
   */
  public record Incident(
      int refusals,
      Duration delay,
      Duration taught,
      boolean pardoned,
      boolean recovery,
      Instant openedAt) {}

  /**
   * How long a refused delay is left alone.
   *
   * @param doublings how often it was refused again
   * @param recovery from its refusal to the next success
   * @param since when it was refused
   * @param successes counted since
   */
  public record Recheck(int doublings, Duration recovery, Instant since, int successes) {
    static final Recheck NONE = new Recheck(0, Duration.ZERO, Slots.NEVER, 0);
  }

  /** The delay the rules of learning speak of: the longer of what is set and what is learned. */
  Duration pace(Duration base) {
    return learned.compareTo(base) > 0 ? learned : base;
  }

  /** How many refusals were counted since the last success. */
  public int refusalsInARow() {
    return incident.isPresent() ? incident.get().refusals() : 0;
  }

  Learning counted(int newRow, int newSavings) {
    return new Learning(
        learned,
        refused,
        floor,
        cameFrom,
        newRow,
        newSavings,
        probe,
        incident,
        lastRefusal,
        recheck);
  }
}
