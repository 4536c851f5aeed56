package dev.comity.core.policy.learning;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What is counted between refusals, and what it has shown about the site. {@link BracketSearch}
 * says what for.
 *
 * @param emptyAt when the first refused request of the last incident was started: whatever limits
 *     us, a bucket or a window, was used up then
 * @param openSince when the first request was started that was served after it
 * @param served how many requests were served since
 * @param shown what earlier incidents have shown; shared by all domains that had none
 */
public record Evidence(Instant emptyAt, Instant openSince, int served, Shown shown) {

  /** No time yet. Stored as 0, which is what an empty column holds. */
  static final Instant NEVER = Instant.EPOCH;

  public static final Evidence NONE = new Evidence(NEVER, NEVER, 0, Shown.NOTHING);

  /**
   * What incidents have shown.
   *
   * @param tries refusals since the search for the delay began
   * @param searched requests served since then
   * @param spent refusals that it took to come near the delay
   * @param burst how many were served before the first incident of all
   * @param burstDelay how far apart these were
   * @param strides how often a shorter delay was found long enough since anything was refused
   * @param cost how many refusals the last retry cost
   * @param patience successes that a probe needs at least
   * @param guessed whether the delay that is long enough is a guess from the first incident
   * @param lasted how many requests the refused delay had served when it was refused
   * @param atMost the delay that suffices, by what was served between two refusals; 0 if unknown
   * @param against how often a longer delay than that was refused
   * @param closure how the site was last closed
   * @param noise refusals that no pace explains
   */
  public record Shown(
      int tries,
      int searched,
      int spent,
      int burst,
      Duration burstDelay,
      int strides,
      int cost,
      int patience,
      boolean guessed,
      int lasted,
      Duration atMost,
      int against,
      Optional<Closure> closure,
      Noise noise) {

    static final Shown NOTHING =
        new Shown(
            0,
            0,
            0,
            0,
            Duration.ZERO,
            0,
            0,
            0,
            false,
            0,
            Duration.ZERO,
            0,
            Optional.empty(),
            Noise.NONE);
  }

  /**
   * A time in which a site refused everything.
   *
   * @param length how long
   * @param served how many requests it had served before, since it opened
   */
  public record Closure(Duration length, int served) {
    /** Whether another one was about as long, after about as many: then there is a quota. */
    boolean isLike(Measured other) {
      return other.closure().compareTo(length.multipliedBy(2)) < 0
          && length.compareTo(other.closure().multipliedBy(2)) < 0
          && 4 * other.served() >= 3 * served
          && 3 * other.served() <= 4 * served;
    }
  }

  /** A request was served that started after the last incident began. */
  Evidence servedAt(Instant start) {
    boolean earlier = openSince.equals(NEVER) || start.isBefore(openSince);
    Instant since = earlier ? start : openSince;
    return new Evidence(emptyAt, since, served + 1, shown);
  }

  /** Refusals that no pace explains. */
  public Noise noise() {
    return shown.noise();
  }

  /** How the site was last closed. */
  Optional<Closure> closure() {
    return shown.closure();
  }
}
