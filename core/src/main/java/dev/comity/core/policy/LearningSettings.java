package dev.comity.core.policy;

import dev.comity.core.policy.Learning.Recheck;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * How refusals teach a delay and successes undo it.
 *
 * @param style how a shorter delay is looked for
 * @param step what one refusal adds, and the most one probe takes away
 * @param cap the longest delay that is learned
 * @param firstRest the rest after the first refusal in a row; it doubles with each further one
 * @param longestRest where the doubling ends
 * @param probeAfter successes at a delay before a shorter one is tried
 * @param standsAfter successes after which a probe stands
 * @param pardonAfter successes that pay for one refusal, and after which a delay counts as held
 * @param pardons how many refusals a delay can have paid for in advance
 * @param nearlyHeld successes in a row after which a refusal may be noise
 * @param clearlyLonger how many times longer a delay must be for a limit to be out of the question
 * @param settledShare a refused delay this close below the present one, as a share, ends the search
 * @param settledWithin the same as an absolute distance; the larger of both counts
 * @param retryAfter successes before a refused delay is tried once more
 * @param retryRecoveries how many times the time of recovery must have passed as well
 * @param retryStandsAfter successes after which such a retry stands
 * @param retryDoublings how often both double when it is refused again
 * @param retryAtLeastEvery the successes double on while they come in less than this
 * @param retryTimeCap the longest a retry is put off for the sake of time
 * @param blockAfter refusals in a row that block the domain, if they took more than a day; 0 for
 *     never
 * @param cancelAfter refusals in a row, the delay at its cap, that cancel the job; if set, nothing
 *     is blocked for refusals
 */
public record LearningSettings(
    ProbeStyle style,
    Duration step,
    Duration cap,
    Duration firstRest,
    Duration longestRest,
    int probeAfter,
    int standsAfter,
    int pardonAfter,
    int pardons,
    int nearlyHeld,
    double clearlyLonger,
    double settledShare,
    Duration settledWithin,
    int retryAfter,
    int retryRecoveries,
    int retryStandsAfter,
    int retryDoublings,
    Duration retryAtLeastEvery,
    Duration retryTimeCap,
    int blockAfter,
    OptionalInt cancelAfter) {

  public static final LearningSettings DEFAULTS =
      new LearningSettings(
          ProbeStyle.MIDPOINT,
          Duration.ofSeconds(1),
          Duration.ofSeconds(60),
          Duration.ofSeconds(2),
          Duration.ofSeconds(300),
          20,
          20,
          100,
          3,
          25,
          1.25,
          0.1,
          Duration.ofMillis(50),
          200,
          20,
          100,
          3,
          Duration.ofHours(1),
          Duration.ofDays(7),
          20,
          OptionalInt.empty());

  /** More successes than any site is asked for in a row; multiplied, they are still counted. */
  private static final int MOST = 1_000_000;

  public LearningSettings {
    Sane.positive(step, "learning-step");
    Sane.positive(cap, "learning-cap");
    Sane.ordered(step, "learning-step", cap, "learning-cap");
    Sane.positive(firstRest, "learning-first-rest");
    Sane.positive(longestRest, "learning-longest-rest");
    Sane.ordered(firstRest, "learning-first-rest", longestRest, "learning-longest-rest");
    Sane.within(1, MOST, probeAfter, "learning-probe-after");
    Sane.within(1, MOST, standsAfter, "learning-stands-after");
    Sane.within(1, MOST, pardonAfter, "learning-pardon-after");
    Sane.within(1, 1000, pardons, "learning-pardons");
    Sane.within(1, MOST, nearlyHeld, "learning-nearly-held");
    Sane.within(1.01, 100, clearlyLonger, "learning-clearly-longer");
    Sane.within(0, 0.99, settledShare, "learning-settled-share");
    Sane.notNegative(settledWithin, "learning-settled-within");
    Sane.within(1, MOST, retryAfter, "learning-retry-after");
    Sane.within(1, MOST, retryRecoveries, "learning-retry-recoveries");
    Sane.within(1, MOST, retryStandsAfter, "learning-retry-stands-after");
    Sane.within(0, 20, retryDoublings, "learning-retry-doublings");
    Sane.positive(retryAtLeastEvery, "learning-retry-at-least-every");
    Sane.positive(retryTimeCap, "learning-retry-time-cap");
    Sane.atLeast(0, blockAfter, "refusals-block-after");
    Sane.atLeast(1, cancelAfter.orElse(1), "refusals-cancel-after");
  }

  /** The most that can be saved up for pardons, in successes. */
  int savings() {
    return pardonAfter * pardons;
  }

  /** How many successes at this delay must come before the refused one is tried again. */
  long successesBeforeRetry(Recheck recheck, Duration delay) {
    long comeInTime = retryAtLeastEvery.toMillis() / Math.max(1, delay.toMillis());
    long most = Math.max((long) retryAfter << retryDoublings, comeInTime);
    return Math.min(most, (long) retryAfter << Math.min(20, recheck.doublings()));
  }

  /** How long after its refusal the refused delay is left alone, whatever succeeds meanwhile. */
  Duration timeBeforeRetry(Recheck recheck) {
    Duration once = recheck.recovery().multipliedBy(retryRecoveries);
    return Doubling.after(once, Math.min(recheck.doublings(), retryDoublings), retryTimeCap);
  }

  /** Whether a refused delay is so close below another that no third is looked for between them. */
  boolean settled(Duration delay, Duration refused) {
    Duration share = Duration.ofMillis((long) (delay.toMillis() * settledShare));
    Duration near = share.compareTo(settledWithin) > 0 ? share : settledWithin;
    return delay.minus(refused).compareTo(near) <= 0;
  }

  /** These settings with another way of looking for a shorter delay. */
  public LearningSettings withStyle(ProbeStyle other) {
    return with(other, blockAfter, cancelAfter);
  }

  /** These settings with another number of refusals in a row that block; 0 for never. */
  public LearningSettings withBlockAfter(int other) {
    return with(style, other, cancelAfter);
  }

  /** These settings with a number of refusals at the cap that cancels the job. */
  public LearningSettings withCancelAfter(int refusals) {
    return with(style, blockAfter, OptionalInt.of(refusals));
  }

  private LearningSettings with(ProbeStyle probing, int block, OptionalInt cancel) {
    return new LearningSettings(
        probing,
        step,
        cap,
        firstRest,
        longestRest,
        probeAfter,
        standsAfter,
        pardonAfter,
        pardons,
        nearlyHeld,
        clearlyLonger,
        settledShare,
        settledWithin,
        retryAfter,
        retryRecoveries,
        retryStandsAfter,
        retryDoublings,
        retryAtLeastEvery,
        retryTimeCap,
        block,
        cancel);
  }
}
