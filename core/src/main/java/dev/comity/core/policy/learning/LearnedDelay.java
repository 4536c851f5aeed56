package dev.comity.core.policy.learning;

import dev.comity.core.util.Delays;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a domain's refusals have taught. {@link DelayLearning} explains the rules.
 *
 * @param learned the delay learned so far; zero if nothing was
 * @param refused the longest delay that was found too short
 * @param floor the shortest delay that is known to be long enough
 * @param row successes at the present delay
 * @param probe the delay being tried instead of one that is known to be long enough
 * @param incident the refusals since the last success
 * @param lastRefusal when the last counted refusal arrived; what started earlier teaches nothing
 * @param evidence what was counted to get there
 */
public record LearnedDelay(
    Duration learned,
    Optional<Duration> refused,
    Optional<Duration> floor,
    int row,
    Optional<Probe> probe,
    Optional<Incident> incident,
    Instant lastRefusal,
    Evidence evidence) {

  /** No refusal was ever seen. */
  public static final LearnedDelay NOTHING =
      new LearnedDelay(
          Duration.ZERO,
          Optional.empty(),
          Optional.empty(),
          0,
          Optional.empty(),
          Optional.empty(),
          Evidence.NEVER,
          Evidence.NONE);

  /**
   * Another delay being tried.
   *
   * @param from the delay to go back to
   * @param retry whether the refused delay itself is tried again
   * @param slower whether it is a longer delay, tried to see whether slower helps
   * @param needed successes after which it stands
   * @param refusals what it was refused so far
   */
  public record Probe(Duration from, boolean retry, boolean slower, int needed, int refusals) {}

  /**
   * Refusals in a row.
   *
   * @param refusals how many
   * @param delay the delay under which the first of them was started
   * @param taught what the learned delay falls back to at the next success, as far as is known
   * @param emptyBefore when the incident before this one began
   * @param openSince when the first request after that one was served
   * @param served how many were served since
   * @param lastTry when the last refused request was started
   * @param waited the longest time between two of them
   */
  public record Incident(
      int refusals,
      Duration delay,
      Duration taught,
      Instant emptyBefore,
      Instant openSince,
      int served,
      Instant lastTry,
      Duration waited) {

    Incident again(Instant start) {
      Duration longest = Delays.longer(waited, Duration.between(lastTry, start));
      return new Incident(
          refusals + 1, delay, taught, emptyBefore, openSince, served, start, longest);
    }

    /** A request was served that was on its way when the first refusal arrived. */
    Incident servedBefore() {
      return new Incident(
          refusals, delay, taught, emptyBefore, openSince, served + 1, lastTry, waited);
    }

    Incident teaching(Duration other) {
      return new Incident(refusals, delay, other, emptyBefore, openSince, served, lastTry, waited);
    }
  }

  /** The delay the rules of learning speak of: the longer of what is set and what is learned. */
  public Duration pace(Duration base) {
    return Delays.longer(learned, base);
  }

  /** How many refusals were counted since the last success. */
  public int refusalsInARow() {
    return incident.isPresent() ? incident.get().refusals() : 0;
  }

  public LearnedDelay with(Evidence other) {
    return new LearnedDelay(learned, refused, floor, row, probe, incident, lastRefusal, other);
  }

  /** A request was served that was started before the open incident began. */
  LearnedDelay servedBefore() {
    return new LearnedDelay(
        learned,
        refused,
        floor,
        row,
        probe,
        incident.map(Incident::servedBefore),
        lastRefusal,
        evidence);
  }

  LearnedDelay counted(int newRow) {
    return new LearnedDelay(
        learned, refused, floor, newRow, probe, incident, lastRefusal, evidence);
  }
}
