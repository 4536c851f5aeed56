package dev.comity.core.policy;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * How refusals teach a delay and successes undo it.
 *
 * @param style how a shorter delay is looked for
 * @param step what each further refusal in a row adds while they last
 * @param cap how far these go; what was served may teach a longer delay
 * @param firstRest the rest after the first refusal in a row; it doubles with each further one
 * @param longestRest where the doubling ends
 * @param probeAfter successes at a delay before a shorter one is tried, in steps
 * @param standsAfter successes after which a probe in steps stands
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
    Sane.atLeast(0, blockAfter, "refusals-block-after");
    Sane.atLeast(1, cancelAfter.orElse(1), "refusals-cancel-after");
  }

  /** The longest delay that is ever learnt: what was served may teach more than the cap. */
  public Duration longest() {
    return Delays.longer(cap, style == ProbeStyle.STEP ? cap : Delays.LONGEST);
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
        probing, step, cap, firstRest, longestRest, probeAfter, standsAfter, block, cancel);
  }
}
