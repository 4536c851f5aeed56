package dev.comity.core.policy.learning;

import static dev.comity.core.util.Delays.longer;
import static dev.comity.core.util.Delays.millis;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.policy.learning.LearnedDelay.Incident;
import dev.comity.core.policy.learning.LearnedDelay.Probe;
import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.util.Delays;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Looks for the right delay between one that was refused and one that is long enough.
 *
 * <p>Each incident gives both bounds for free ({@link Bracket}). Where they are far apart, shorter
 * delays are tried until they are within a tenth. A probe that stands costs time, one that fails
 * costs a refusal, and a site is asked to bear four of them. So the fewer are left, the smaller are
 * the steps: it is the puzzle of the eggs that are dropped from a tower.
 *
 * <p>How long a probe takes follows the burst that was seen. A bucket with room for fifty lets a
 * delay pass for long that is a little too short. A probe stands when it has served as many as
 * would have used up the burst, had the limit been a tenth longer, or as long as is known to be
 * enough.
 *
 * <p>A delay that is within a tenth is kept for a hundred requests and more before the rest is
 * looked for. That begins with a step so small that its refusal is the last one. When the bounds
 * are close the domain is <em>settled</em>. Both age: after 2,000 successes the refused delay is
 * tried again. If it is refused, that cost one request in 2,000. If it stands, the limit has moved,
 * and shorter delays are tried with growing strides until one is refused. A limit that is not sharp
 * refuses late, so the retry has to serve twice as many as were served before, 2,000 at most. A
 * refusal of the delay that was long enough moves the other bound.
 *
 * <p>Refusals that no pace explains are noise ({@link SlowerTrial}). Once their share is known they
 * are paid for as they come ({@link Noise}), and a delay counts as refused only when it is refused
 * clearly more often than that. The search then begins anew from the base.
 */
public final class BracketSearch implements Search {
  /** Bounds this close are not worth another probe: what is left costs two parts in a hundred. */
  static final double NARROW = 1.04;

  /** Where noise blurs the bounds, a finer step cannot be told from it. */
  private static final double NARROW_IN_NOISE = 1.08;

  /** One refusal in so many is half of what is promised at most, one in a thousand. */
  static final int RETRY_AFTER = 2_000;

  /** So slow a site is asked seldom, so that a delay that is wrong would stay so for days. */
  private static final Duration SLOW = Duration.ofMinutes(1);

  /** Of so slow a site one refusal in fifty is promised at most. */
  static final int RETRY_AFTER_IF_SLOW = 64;

  /** A retry in noise fails after some ten refusals, so it is made half as often. */
  private static final int COST_IN_NOISE = 2;

  /** Refusals after which a share that was overestimated is corrected. */
  private static final int ENOUGH = 32;

  /** A stride farther from a limit it would be refused this many times sooner, or more. */
  private static final int SOONER = 4;

  private final LearningSettings settings;

  BracketSearch(LearningSettings settings) {
    this.settings = settings;
  }

  @Override
  public void refused(LearningDraft draft, Attempt attempt, Duration base) {
    if (draft.probe.isPresent() && !attempt.delay().equals(draft.pace(base))) {
      draft.leaveProbe(); // The request was started before it: the probe ends unproven.
    }
    boolean shorter = draft.probe.isPresent() && !draft.probe.get().slower();
    Duration taught = shorter && !draft.noise.pays(1) ? draft.probe.get().from() : draft.learned;
    draft.open(attempt, taught);
    draft.learned = longer(taught, settings.capped(attempt.delay().plus(LearningSettings.STEP)));
  }

  @Override
  public void refusedAgain(LearningDraft draft) {
    // The delay has grown for as long as the incident lasts; what it means is seen at its end.
  }

  @Override
  public void ended(LearningDraft draft, Incident over, Instant start, Duration base) {
    draft.openSince = start;
    if (draft.emptyAt.equals(Evidence.NEVER)) {
      return; // An incident of an older store, which noted no times.
    }
    Optional<Probe> probe = draft.probe;
    if (over.served() == 0 && draft.floor.isEmpty()) {
      return; // Nothing was served before, so nothing is known about our pace.
    }
    if (probe.isPresent() && probe.get().slower()) {
      slowerRefused(draft, over, start, base);
    } else if (!isRare(draft, over)) {
      SlowerTrial.count(draft, over);
      if (draft.noise.pays(over.refusals())) {
        draft.noise = draft.noise.paid(over.refusals());
        correct(draft);
      } else {
        counted(draft, over, start, base);
      }
    }
    draft.keepOrder();
  }

  /** A refusal that comes so seldom is no reason to be slower. */
  private static boolean isRare(LearningDraft draft, Incident over) {
    return draft.probe.isEmpty()
        && over.refusals() == 1
        && over.served() >= RETRY_AFTER
        && draft.floor.isPresent()
        && over.delay().compareTo(draft.floor.get()) >= 0;
  }

  private static void correct(LearningDraft draft) {
    if (draft.probe.isEmpty() && !draft.guessed && draft.tries >= ENOUGH) {
      if (SlowerTrial.isMoreThanNoise(draft)) {
        SlowerTrial.begin(draft, draft.learned);
      } else {
        draft.noise = draft.noise.atMost(SlowerTrial.atMost(draft.tries) / draft.searched);
        draft.forgetCounts();
      }
    }
  }

  private void counted(LearningDraft draft, Incident over, Instant start, Duration base) {
    draft.spent += over.refusals();
    boolean noisy = draft.noise.share() > 0;
    draft.noise = draft.noise.full();
    draft.strides = 0;
    int row = draft.row;
    draft.row = 0;
    if (draft.probe.isPresent()) {
      boolean retry = draft.probe.get().retry();
      draft.leaveProbe();
      if (retry || noisy) {
        draft.lasted = retry ? Math.max(draft.lasted, row) : row;
        probeRefused(draft, over, retry, noisy, base);
        return;
      }
    }
    boolean against = SlowerTrial.isAgainst(draft, over);
    draft.against += against ? 1 : 0;
    if (over.refusals() == 1 && draft.floor.isPresent() && (noisy || draft.against > 1)) {
      if (isSlow(over.delay())) {
        draft.forgetCounts();
        tryHalf(draft, base);
      } else {
        SlowerTrial.begin(draft, over.delay());
      }
    } else if (!against) {
      judge(draft, over, row, start, base);
    }
  }

  private void probeRefused(
      LearningDraft draft, Incident over, boolean retry, boolean noisy, Duration base) {
    draft.cost = retry ? (noisy ? COST_IN_NOISE : over.refusals()) : draft.cost;
    draft.refuse(over.delay());
    if (noisy) {
      draft.forgetSearch();
      draft.floor = Optional.of(longer(draft.floor.orElse(draft.learned), aboveRefused(draft)));
      draft.learned = draft.floor.get();
    }
    if (!retry) {
      next(draft, base);
    }
  }

  private static Duration aboveRefused(LearningDraft draft) {
    return Delays.of(millis(draft.refused.orElseThrow()) * ProbePlan.STRIDE + 1);
  }

  private void slowerRefused(LearningDraft draft, Incident over, Instant start, Duration base) {
    if (!SlowerTrial.refused(draft, over)) {
      return;
    }
    if (SlowerTrial.isChanged(draft)) {
      draft.forgetSearch();
      draft.leaveProbe();
      draft.noise = Noise.NONE;
      draft.guessed = true;
      judge(draft, over, 0, start, base);
    } else {
      SlowerTrial.compare(draft);
      next(draft, base);
    }
  }

  private void judge(LearningDraft draft, Incident over, int row, Instant start, Duration base) {
    draft.lasted = row;
    Measured measured = Measured.of(over, row, draft.emptyAt, start);
    Bracket bracket = Bracket.after(measured, draft);
    bracket.replace(draft, measured, over.refusals());
    noteBurst(draft, measured);
    SlowerTrial.bound(draft, measured);
    Optional<Duration> likely = bracket.likely(draft);
    if (likely.isPresent()) {
      tryDelay(draft, likely.get(), false);
    } else if (bracket.best() == 0) {
      next(draft, base);
    }
  }

  /** Only the first requests of all meet a bucket that is certainly full. */
  private static void noteBurst(LearningDraft draft, Measured it) {
    if (it.first() && it.served() < RETRY_AFTER) { // More than that were no burst.
      draft.burst = it.burst();
      draft.burstDelay = it.spread().multipliedBy(it.served()).dividedBy(draft.burst);
    }
  }

  @Override
  public void held(LearningDraft draft, Duration base) {
    boolean probing = draft.probe.isPresent();
    if (draft.noise.isOver(draft.served)) {
      draft.noise = Noise.NONE;
    }
    draft.noise = draft.noise.served(probing);
    if (probing) {
      if (draft.row >= draft.probe.orElseThrow().needed()) {
        stood(draft, draft.probe.orElseThrow(), base);
      }
    } else if (draft.learned.compareTo(base) > 0) {
      kept(draft, base);
    }
    draft.keepOrder();
  }

  private void kept(LearningDraft draft, Duration base) {
    if (draft.floor.isEmpty() || draft.floor.get().compareTo(draft.learned) > 0) {
      draft.floor = Optional.of(draft.learned); // A state of an older store.
    }
    if (draft.row >= RETRY_AFTER && draft.noise.share() == 0) {
      draft.forgetCounts();
      draft.spent = 0;
    }
    if (draft.row < successesNeeded(draft)) {
      return;
    }
    if (!isSettled(draft)) {
      tryShorter(draft, base);
      return;
    }
    if (draft.noise.share() > 0 && draft.guessed) {
      SlowerTrial.begin(draft, draft.learned);
      return;
    }
    if (isSlow(draft.learned)) {
      tryHalf(draft, base);
      return;
    }
    Duration target = longer(draft.refused.orElseThrow(), base);
    if (target.compareTo(draft.learned) < 0) {
      tryDelay(draft, target, true);
    }
  }

  private static boolean isSlow(Duration delay) {
    return delay.compareTo(SLOW) >= 0;
  }

  private static int successesNeeded(LearningDraft draft) {
    if (!isSettled(draft)) {
      return ProbePlan.successesBefore(draft);
    }
    return (isSlow(draft.learned) ? RETRY_AFTER_IF_SLOW : RETRY_AFTER) * Math.max(1, draft.cost);
  }

  /** How many successes are missing until another delay is tried. */
  public static int successesBeforeNext(LearnedDelay learning) {
    LearningDraft draft = new LearningDraft(learning);
    return Math.max(0, successesNeeded(draft) - learning.row());
  }

  /** The delay that a settled site is asked with next, for a try. */
  public static Duration retried(LearnedDelay learning) {
    return isSlow(learning.learned())
        ? half(new LearningDraft(learning))
        : learning.refused().orElseThrow();
  }

  private static Duration half(LearningDraft draft) {
    return draft.floor.orElse(draft.learned).dividedBy(2);
  }

  /** Whether the bounds are so close that nothing between them is tried. */
  public static boolean isSettled(LearnedDelay learning) {
    return isSettled(new LearningDraft(learning));
  }

  private static boolean isSettled(LearningDraft draft) {
    if (draft.refused.isEmpty()) {
      return false;
    }
    double ratio = draft.noise.share() > 0 ? NARROW_IN_NOISE : NARROW;
    return millis(draft.floor.orElse(draft.learned)) <= ratio * millis(draft.refused.get()) + 1;
  }

  private void stood(LearningDraft draft, Probe probe, Duration base) {
    if (probe.slower()) {
      SlowerTrial.compare(draft);
      next(draft, base);
      return;
    }
    boolean wasNear = ProbePlan.isNear(draft);
    draft.probe = Optional.empty();
    draft.noise = draft.noise.full();
    draft.floor = Optional.of(draft.learned);
    draft.guessed = draft.noise.share() > 0;
    if (draft.noise.share() > 0) {
      draft.forgetCounts();
    }
    if (probe.retry()) {
      draft.forgetSearch();
      draft.refused = Optional.empty();
      draft.cost = 0;
      draft.closure = Optional.empty();
      draft.lasted /= SOONER;
    } else if (draft.refused.isEmpty()) {
      draft.lasted /= SOONER;
      draft.strides = ProbePlan.longerStride(draft.strides);
    } else if (wasNear) {
      draft.strides = ProbePlan.longerStride(draft.strides);
    }
    next(draft, base);
  }

  /** Tries a delay between what is refused and what is long enough, if there is room. */
  private void next(LearningDraft draft, Duration base) {
    Duration from = draft.floor.orElseThrow();
    draft.learned = from;
    draft.row = 0;
    if (!isSettled(draft) && !ProbePlan.isNear(draft)) {
      tryShorter(draft, base);
    }
  }

  private void tryShorter(LearningDraft draft, Duration base) {
    Duration shorter = longer(ProbePlan.target(draft), base);
    if (shorter.compareTo(draft.floor.orElseThrow()) < 0) {
      tryDelay(draft, shorter, false);
    }
  }

  /**
   * A site that is so slow is asked too seldom to compare how often it refuses. Half the delay is
   * refused by such a limit at once.
   */
  private static void tryHalf(LearningDraft draft, Duration base) {
    Duration half = longer(half(draft), base);
    draft.lasted = 0;
    draft.begin(
        half,
        new Probe(draft.floor.orElseThrow(), true, false, ProbePlan.neededAtHalf(draft, half), 0));
  }

  private static void tryDelay(LearningDraft draft, Duration target, boolean retry) {
    int needed = ProbePlan.needed(draft, target, retry);
    draft.begin(target, new Probe(draft.floor.orElseThrow(), retry, false, needed, 0));
    draft.noise = draft.noise.forProbe(needed);
  }
}
