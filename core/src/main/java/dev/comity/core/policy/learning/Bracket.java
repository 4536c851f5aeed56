package dev.comity.core.policy.learning;

import static dev.comity.core.util.Delays.millis;

import dev.comity.core.policy.learning.Evidence.Closure;
import dev.comity.core.util.Delays;
import java.time.Duration;
import java.util.Optional;

/**
 * The bracket that an incident leaves: below {@code low} a delay is too short, at {@code high} it
 * is long enough.
 *
 * <p>At a refusal whatever limits us is used up: a bucket is empty, a window full. So what was
 * served from one refusal to the next is no more than what was allowed in that time, and the delay
 * that was refused is too short:
 *
 * <pre>    delay  &lt;  1 / rate  ≤  time from refusal to refusal / served</pre>
 *
 * <p>The upper bound is exact for a bucket that did not overflow while we rested. For a small one
 * it is too long, and probes make up for it. A window is measured from opening to opening, because
 * it fills at whatever pace we had. How long it stayed closed bounds its length from below: all
 * that was served came out of one window.
 *
 * @param low in milliseconds, like the others
 * @param best where in the bracket the limit is likely to be; 0 if there is no telling
 * @param spent how many refusals of a search the measurement stands for
 */
record Bracket(double low, double high, double best, int spent) {
  /** Above a measured spacing: a site measures a little differently, and so does the network. */
  static final double MARGIN = 1.02;

  /** The least that a refusal adds: less than that, and a limit that wavers refuses every step. */
  private static final double LEAST_STEP = 1.03;

  /** The most: one that is far from enough is refused again soon, and then the next is larger. */
  private static final double MOST_STEP = 1.25;

  /** What is served in this many requests or fewer is too few to be divided by. */
  private static final int FEW = 3;

  /** A delay that was refused sooner than this is replaced by one twice as far away. */
  private static final int MANY = 100;

  /** A delay this near is good enough for now: nine tenths of what is allowed. */
  static final double NEAR = 1.1;

  /** Lengths that people give to a window, in seconds. */
  private static final long[] USUAL = {
    10, 15, 20, 30, 60, 120, 300, 600, 900, 1_200, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600,
    28_800, 43_200, 86_400, 604_800
  };

  /** The bracket after an incident, given what was known before it. */
  static Bracket after(Measured it, LearningDraft known) {
    double enough = known.floor.map(Delays::millis).orElse(Double.MAX_VALUE);
    double proven = known.guessed ? Double.MAX_VALUE : enough;
    double low = Math.max(it.delay(), known.refused.map(Delays::millis).orElse(0.0));
    if (it.first() && it.served() <= FEW) {
      // Hardly a burst and no quota: what was waited in vain is too short for each of them.
      double wanted = it.waited() / it.served();
      return of(it, Math.max(low, wanted), MARGIN * it.opening(), 0, 0);
    }
    if (it.lasting()) {
      boolean again = known.closure.isPresent() && known.closure.get().isLike(it);
      double claims = it.told() ? it.opening() : it.closed();
      return !again && claims > (known.guessed ? 2 : 1) * enough
          ? shutOut(it, low, enough)
          : window(it, low, proven);
    }
    if (it.first()) {
      double high = MARGIN * it.opening();
      return of(it, low, high, high, 0);
    }
    return bucket(it, known, low, proven);
  }

  /** Closed for longer than all that was served before allows: it is no quota but a ban. */
  private static Bracket shutOut(Measured it, double low, double enough) {
    double high = Math.max(enough, it.delay() * LEAST_STEP);
    return of(it, low, high, high, it.told() ? 0 : ProbePlan.MOST_SPENT);
  }

  private static Bracket window(Measured it, double low, double proven) {
    double cycle = it.first() || it.told() ? 0 : it.cycle();
    double high = MARGIN * Math.max(cycle, it.opening());
    double length = usual(it.closed() * it.served(), it.opening() * it.served());
    return of(
        it,
        low,
        proven > low ? Math.min(high, proven) : high,
        MARGIN * length / it.served(),
        ProbePlan.MOST_SPENT);
  }

  private static Bracket bucket(Measured it, LearningDraft known, double low, double proven) {
    boolean quiet = known.noise.share() == 0;
    double measured = MARGIN * it.cycle();
    double full = it.spacingIfFull(known.burst, millis(known.burstDelay));
    if (quiet && full > 0) {
      double best = MARGIN * full;
      double enough = proven > low ? proven : best;
      boolean precise = it.moreThan(known.burst) > FEW;
      boolean agreed = enough <= NEAR * best;
      double high = precise ? Math.min(best, enough) : enough;
      int spent = precise || agreed ? ProbePlan.MOST_SPENT : 0;
      return of(it, low, Math.min(measured, high), best, spent);
    }
    if (quiet && known.guessed && it.served() > FEW) {
      return large(it);
    }
    if (proven > low) {
      return of(it, low, Math.min(measured, proven), 0, 0);
    }
    double below = known.refused.map(Delays::millis).orElse(it.delay());
    double step = Math.min(MOST_STEP, Math.max(LEAST_STEP, it.delay() / below));
    double high = it.delay() * (it.row() < MANY ? step * step : step);
    return of(it, low, Math.min(measured, high), high, 0);
  }

  /** Nothing overflowed in between, so what was served is what came in, give or take one. */
  private static Bracket large(Measured it) {
    double all = it.cycle() * it.served();
    return of(
        it,
        Math.max(it.delay(), all / (it.served() + 1)),
        MARGIN * all / (it.served() - 1),
        MARGIN * it.cycle(),
        ProbePlan.MOST_SPENT - 1);
  }

  private static Bracket of(Measured it, double low, double high, double best, int spent) {
    double refused = high <= low ? it.delay() : low;
    return new Bracket(
        refused, Math.max(Math.max(high, refused * LEAST_STEP), refused + 1), best, spent);
  }

  /** The longest usual time between these, in milliseconds; the longer one if there is none. */
  private static double usual(double above, double upTo) {
    for (int i = USUAL.length - 1; i >= 0; i--) {
      double millis = USUAL[i] * 1000.0;
      if (millis > above && millis <= upTo) {
        return millis;
      }
    }
    return upTo;
  }

  /** Takes the place of what was known. */
  void replace(LearningDraft draft, Measured it, int refusals) {
    if (it.lasting() && (it.told() || refusals > 2)) {
      draft.closure = Optional.of(new Closure(it.closure(), it.served()));
    }
    draft.guessed = it.first() && it.served() > 1 && spent == 0;
    draft.spent = Math.max(draft.spent, spent);
    Duration enough = Delays.of(high);
    draft.floor = Optional.of(enough);
    draft.refused = Optional.of(Duration.ofMillis((long) Math.min(low, millis(enough) - 1)));
    draft.learned = enough;
    draft.row = 0;
  }

  /** The likely delay, if it is clearly shorter than the one that is long enough. */
  Optional<Duration> likely(LearningDraft draft) {
    Duration target = Delays.of(best);
    boolean clearly = best > low && best < high / CLEARLY;
    return clearly && target.compareTo(draft.floor.orElseThrow()) < 0
        ? Optional.of(target)
        : Optional.empty();
  }

  /** A delay closer to another is not worth a probe of its own. */
  private static final double CLEARLY = 1.03;
}
