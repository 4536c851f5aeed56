package dev.comity.core.policy.learning;

import static dev.comity.core.util.Delays.millis;

import dev.comity.core.util.Delays;
import java.time.Duration;

/**
 * Which shorter delay is tried next, and how many requests it has to serve.
 *
 * <p>The bracket is cut into steps of a tenth. A site is asked to bear four refusals until the
 * delay is within one step of its limit, and each probe takes time. So the next probe goes as many
 * steps down as makes the fewest probes in the worst case, given how many refusals are left: the
 * puzzle of the eggs that are dropped from a tower.
 */
final class ProbePlan {
  /** So many refusals a site may be asked to bear until the delay is near. */
  static final int MOST_SPENT = 4;

  /** A delay that is near is kept for a hundred requests, and some for chance. */
  private static final int KEPT = 120;

  /** Successes at a delay that is long enough before a shorter one is tried. */
  private static final int LEAST = 3;

  /** A probe that takes longer shows nothing that still matters. */
  private static final int MOST_NEEDED = 20_000;

  /** The first stride below a bound that has fallen; each further one squares it. */
  static final double STRIDE = 1.06;

  /** The largest stride is 2.5 times shorter: a limit is overrun once, and then bracketed. */
  private static final int MOST_STRIDES = 4;

  /** Without any burst the first request at a delay that is too short is refused. */
  private static final int NEEDED_WITHOUT_BURST = 1;

  /** A limit that is not sharp lets one pass by chance; where there is time, two are asked. */
  private static final int NEEDED_WITHOUT_HURRY = 2;

  /**
   * A limit of a second is to be used within fifteen, so delays up to half above it are in a hurry.
   */
  private static final double HURRY = 1_500;

  /** Before the last refusal is spent, a limit that is not sharp is given a minute to show. */
  private static final double SHOWS_WITHIN = 60_000;

  /** For limits below a second these are seconds: such a site is to be used within fifteen. */
  private static final double SHOWS_WITHIN_IF_FAST = 3_000;

  private static final double FAST = 900;

  /** More requests than this show hardly more about such a limit. */
  private static final double SHOWN_BY = 20;

  /** Refusals by noise that a probe lasts for: four tell a share within a half, 16 a quarter. */
  private static final double NOISE_IN_PROBE = 4;

  private static final double NOISE_IN_FINE_PROBE = 16;

  /** A long limit seldom lets more pass, and noise seldom refuses one of so few. */
  private static final int NEEDED_AT_HALF = 4;

  private ProbePlan() {}

  /** Whether the delay is as near to the limit as has to be found out at once. */
  static boolean isNear(LearningDraft draft) {
    return draft.refused.isPresent()
        && ((draft.spent >= MOST_SPENT && draft.noise.share() == 0)
            || millis(draft.floor.orElse(draft.learned))
                <= Bracket.NEAR * millis(draft.refused.get()) + 1);
  }

  /** How many successes the present delay needs before a shorter one is tried. */
  static int successesBefore(LearningDraft draft) {
    return Math.max(isNear(draft) ? KEPT : LEAST, draft.patience);
  }

  static int longerStride(int strides) {
    return Math.min(MOST_STRIDES, strides + 1);
  }

  /** The delay to be tried next; it may be shorter than the base. */
  static Duration target(LearningDraft draft) {
    double high = millis(draft.floor.orElseThrow());
    boolean noisy = draft.noise.share() > 0;
    if (draft.refused.isEmpty()) {
      // What was refused by noise says nothing, so all is tried anew.
      return noisy ? Duration.ZERO : Delays.of(high / Math.pow(STRIDE, 1 << draft.strides));
    }
    double low = Math.max(1, millis(draft.refused.get()));
    double steps = Math.log(high / low) / Math.log(Bracket.NEAR);
    // Without a burst a probe is a request or two: one refusal is kept for a limit that wavers.
    int most = draft.burst == 1 ? MOST_SPENT - 1 : MOST_SPENT;
    int left = noisy ? MOST_SPENT : Math.max(1, most - draft.spent);
    double stride =
        isNear(draft) && !noisy ? fine(draft) : Math.pow(Bracket.NEAR, stride(steps, left));
    return Delays.of(Math.max(high / stride, Math.sqrt(low * high)));
  }

  /**
   * Near the limit the first step is so small that its refusal settles the delay. Each that stands
   * makes the next one larger.
   */
  private static double fine(LearningDraft draft) {
    return Math.min(Bracket.NEAR, Math.pow(BracketSearch.NARROW, 1 << draft.strides));
  }

  /**
   * How many of so many steps are tried at once, if so many refusals are left. Probes that tell n
   * delays apart cut a bracket into n + 1 steps.
   */
  static int stride(double steps, int refusals) {
    int probes = 1;
    while (told(refusals, probes) + 1 < steps) {
      probes++;
    }
    return told(refusals - 1, probes - 1) + 1;
  }

  /** How many steps can be told apart by so many probes, of which so many may be refused. */
  private static int told(int refusals, int probes) {
    return refusals == 0 || probes == 0
        ? 0
        : told(refusals - 1, probes - 1) + told(refusals, probes - 1) + 1;
  }

  /** How many requests a delay must serve to be long enough. */
  static int needed(LearningDraft draft, Duration target, boolean retry) {
    boolean near = isNear(draft);
    double share = draft.noise.share();
    int needed = Math.max(toUseUpTheBurst(draft, target), draft.patience);
    if (share > 0) {
      double refusals = near ? NOISE_IN_FINE_PROBE : NOISE_IN_PROBE;
      needed = Math.max(needed, (int) (refusals / share));
    }
    if (retry || draft.refused.isEmpty()) {
      // A delay that serves as many as a settled one is as good, however late it was refused once.
      needed = Math.max(needed, Math.min(BracketSearch.RETRY_AFTER, 2 * draft.lasted));
    }
    return near ? Math.max(needed, KEPT) : needed;
  }

  /** How many requests half of a long delay must serve. */
  static int neededAtHalf(LearningDraft draft, Duration target) {
    return Math.max(NEEDED_AT_HALF, toUseUpTheBurst(draft, target));
  }

  /**
   * As many as use up the burst, were the limit what is known to be allowed, or so little longer
   * that it does not matter.
   */
  private static int toUseUpTheBurst(LearningDraft draft, Duration target) {
    boolean careful = draft.spent >= MOST_SPENT - 1;
    double delay = millis(target);
    if (draft.burst == 1 && draft.noise.share() == 0) {
      double time = delay < FAST ? SHOWS_WITHIN_IF_FAST : SHOWS_WITHIN;
      double shown = careful ? Math.min(SHOWN_BY, time / delay) : 0;
      int least = delay < HURRY ? NEEDED_WITHOUT_BURST : NEEDED_WITHOUT_HURRY;
      return (int) Math.max(least, shown);
    }
    double limit = Math.min(millis(draft.floor.orElseThrow()), Bracket.NEAR * delay);
    double faster = Math.max(1.0 / MOST_NEEDED, 1 - delay / limit);
    double burst = (careful ? 2 : 1) * draft.drawn(limit);
    return (int) Math.min(MOST_NEEDED, Math.max(LEAST, Math.ceil(1 + burst / faster)));
  }
}
