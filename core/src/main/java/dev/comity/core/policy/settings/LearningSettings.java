package dev.comity.core.policy.settings;

import dev.comity.core.util.Delays;
import dev.comity.core.util.Require;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * How refusals teach a delay and successes undo it.
 *
 * @param style how a shorter delay is looked for
 * @param cap how far refusals in a row raise the delay; what was served may teach a longer one
 * @param cancelAfter refusals in a row, the delay at its cap, that cancel the job; if set, nothing
 *     is blocked for refusals
 */
public record LearningSettings(ProbeStyle style, Duration cap, OptionalInt cancelAfter) {

  /** What a refusal adds: limits are mostly whole seconds, and a longer step would overshoot. */
  public static final Duration STEP = Duration.ofSeconds(1);

  public static final LearningSettings DEFAULTS =
      new LearningSettings(ProbeStyle.MIDPOINT, Duration.ofSeconds(60), OptionalInt.empty());

  public LearningSettings {
    Require.positive(cap, "learning-cap");
    Require.that(
        cap.compareTo(STEP) >= 0,
        "learning-cap",
        cap.toMillis() + "ms",
        "must not be shorter than 1s, which is what each refusal adds");
    Require.atLeast(1, cancelAfter.orElse(1), "refusals-cancel-after");
  }

  /** The longest delay that is ever learnt: what was served may teach more than the cap. */
  public Duration longest() {
    return Delays.longer(cap, style == ProbeStyle.STEP ? cap : Delays.LONGEST);
  }

  /** A delay that refusals have raised, no longer than the cap. */
  public Duration capped(Duration raised) {
    return raised.compareTo(cap) > 0 ? cap : raised;
  }

  /** These settings with another way of looking for a shorter delay. */
  public LearningSettings withStyle(ProbeStyle other) {
    return new LearningSettings(other, cap, cancelAfter);
  }

  /** These settings with a number of refusals at the cap that cancels the job. */
  public LearningSettings withCancelAfter(int refusals) {
    return new LearningSettings(style, cap, OptionalInt.of(refusals));
  }
}
