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
 * @param suspect a refused delay that had nearly held, so that its refusal may have been noise
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
    Optional<Duration> suspect,
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
   * @param verdict what is made of them so far
   */
  public record Incident(
      int refusals, Duration delay, Duration taught, Verdict verdict, Instant openedAt) {}

  /** What is made of an incident. */
  public enum Verdict {
    /** The delay is as long as it gets: we rest and learn nothing. */
    RESTED,
    /** The delay has paid for them and stays. */
    PARDONED,
    /** The delay is too short. */
    REFUSED,
    /** The delay is too short, unless the next request succeeds: then it was noise. */
    DOUBTED
  }

  /**
   * How long a refused delay is left alone.
   *
   * @param about the refused delay it was last about, kept when that is forgotten
   * @param doublings how often that delay, or one near it, was refused again
   * @param recovery from its refusal to the next success
   * @param since when it was refused
   * @param successes counted since
   */
  public record Recheck(
      Duration about, int doublings, Duration recovery, Instant since, int successes) {
    static final Recheck NONE = new Recheck(Duration.ZERO, 0, Duration.ZERO, Slots.NEVER, 0);

    Recheck served() {
      return new Recheck(about, doublings, recovery, since, successes + 1);
    }

    Recheck recoveredIn(Duration time) {
      return new Recheck(about, doublings, time, since, successes);
    }

    Recheck sinceNotAfter(Instant now) {
      return since.isAfter(now) ? new Recheck(about, doublings, recovery, now, successes) : this;
    }
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
        suspect,
        newRow,
        newSavings,
        probe,
        incident,
        lastRefusal,
        recheck);
  }
}
