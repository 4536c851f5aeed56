package dev.comity.core.policy;

import static dev.comity.core.policy.Delays.longer;
import static dev.comity.core.policy.Delays.millis;

import dev.comity.core.policy.Learning.Incident;
import dev.comity.core.policy.Learning.Probe;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Looks for the right delay between one that was refused and one that is long enough.
 *
 * <p>Each incident gives both bounds for free ({@link Bracket}), so a domain is near its limit
 * after two of them. From there probes narrow the bracket: a delay between the two bounds is tried,
 * nearer to the long one, because a probe that stands costs nothing and one that fails costs a
 * refusal.
 *
 * <p>How long a probe takes follows the burst that was seen. A bucket with room for fifty lets a
 * delay pass for long that is a little too short. A probe stands when it has served twice as many
 * as would have used up the burst, had the rate been what is known to be allowed.
 *
 * <p>When the bounds are close the domain is <em>settled</em>. Both age: after 2,000 successes the
 * refused delay is tried again. If it is refused, that cost one request in 2,000. If it stands, the
 * limit has moved, and shorter delays are tried with growing strides until one is refused. A
 * refusal of the delay that was long enough moves the other bound.
 *
 * <p>A bound that only follows from how long the site was closed is tried sooner: refusals that
 * count, or a ban, look like a window too.
 *
 * <p>Refusals that no pace explains are noise ({@link SlowerTrial}). Once their share is known they
 * are paid for as they come ({@link Noise}), and a delay counts as refused only when it is refused
 * clearly more often than that.
 */
final class BracketSearch implements Search {
  /** Bounds this close are not worth another probe: what is left costs two parts in a hundred. */
  private static final double NARROW = 1.04;

  /** Where noise blurs the bounds, a finer step cannot be told from it. */
  private static final double NARROW_IN_NOISE = 1.08;

  /** A bound that is only inferred may be far off, so it is tried instead of being approached. */
  private static final double NARROW_IF_INFERRED = 1.15;

  /** One refusal in so many is half of what is promised at most, one in a thousand. */
  static final int RETRY_AFTER = 2_000;

  /** An inferred bound is tried after this many, or twice as many as the site once served. */
  private static final int TRY_INFERRED_AFTER = 5;

  /** A site that served fewer than this before it closed has shown nothing like a quota. */
  private static final int FEW = 10;

  /** How much shorter than such a bound is tried: a wrong one shows after a few requests. */
  private static final double BELOW_INFERRED = 1.6;

  /** Successes at a delay that is long enough before a shorter one is tried. */
  private static final int LEAST = 3;

  /** A probe that takes longer shows nothing that still matters. */
  private static final int MOST_NEEDED = 20_000;

  /** The first stride below a bound that has fallen; each further one squares it. */
  private static final double STRIDE = 1.06;

  /** The largest stride is 2.5 times shorter: a limit is overrun once, and then bracketed. */
  private static final int MOST_STRIDES = 4;

  /** Where nothing but an inferred bound fell, strides begin large. */
  private static final int STRIDES_IF_INFERRED = 3;

  /** How near to the long bound a probe lies, as an exponent: it stands two times in three. */
  private static final double CAUTION = 0.7;

  /** Of a bracket wider than this the middle is tried, to be near the limit soon. */
  private static final double WIDE = 3;

  /** The burst that is reckoned with where noise ended the first run before the limit did. */
  private static final double BURST_IN_NOISE = 2;

  /** Alarms in a row after which the share of noise is measured again. */
  private static final int MOST_ALARMS = 3;

  /** Refusals after which a share that was overestimated is corrected. */
  private static final int ENOUGH = 32;

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
    Duration grown = attempt.delay().plus(LearningSettings.STEP);
    draft.learned = longer(taught, grown.compareTo(settings.cap()) > 0 ? taught : grown);
  }

  @Override
  public void refusedAgain(LearningDraft draft) {
    // The delay has grown for as long as the incident lasts; what it means is seen at its end.
  }

  @Override
  public void ended(LearningDraft draft, Incident over, Instant start, Duration base) {
    draft.openSince = start;
    if (draft.emptyAt.equals(Slots.NEVER)) {
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
        draft.learned = probe.isPresent() ? over.delay() : draft.learned;
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
    if (draft.probe.isEmpty() && draft.tries >= ENOUGH) {
      draft.noise = draft.noise.seen(draft.tries, draft.searched);
      draft.forgetCounts();
    }
  }

  private void counted(LearningDraft draft, Incident over, Instant start, Duration base) {
    boolean noisy = draft.noise.share() > 0;
    draft.noise = draft.noise.full();
    draft.strides = 0;
    draft.row = 0;
    if (draft.probe.isPresent()) {
      boolean retry = draft.probe.get().retry();
      draft.leaveProbe();
      if (retry || noisy) {
        probeRefused(draft, over, retry, noisy, base);
        return;
      }
    }
    boolean aimless = over.refusals() == 1 && draft.floor.isPresent();
    if (noisy && draft.alarms < MOST_ALARMS) {
      draft.alarms++;
      draft.refuse(over.delay());
      draft.floor = Optional.of(aboveRefused(draft));
      next(draft, base);
    } else if (aimless && (noisy || SlowerTrial.isDue(draft, over))) {
      SlowerTrial.begin(draft, over);
    } else {
      judge(draft, over, start, base);
    }
  }

  private void probeRefused(
      LearningDraft draft, Incident over, boolean retry, boolean noisy, Duration base) {
    draft.cost = retry ? over.refusals() : draft.cost;
    draft.refused = draft.inferred ? Optional.empty() : draft.refused;
    draft.inferred = false;
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
    return Delays.of(millis(draft.refused.orElseThrow()) * STRIDE + 1);
  }

  private void slowerRefused(LearningDraft draft, Incident over, Instant start, Duration base) {
    if (!SlowerTrial.refused(draft, over)) {
      return;
    }
    if (SlowerTrial.isChanged(draft)) {
      draft.forgetSearch();
      draft.leaveProbe();
      draft.noise = Noise.NONE;
      draft.alarms = 0;
      draft.guessed = true;
      judge(draft, over, start, base);
    } else {
      SlowerTrial.compare(draft);
      next(draft, base);
    }
  }

  private void judge(LearningDraft draft, Incident over, Instant start, Duration base) {
    Measured measured = Measured.of(over, draft.emptyAt, start);
    Bracket bracket = Bracket.after(measured, draft);
    bracket.replace(draft, measured, over.refusals());
    noteBurst(draft, measured);
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
      draft.burst = it.served();
      draft.burstDelay = it.spread();
    }
  }

  @Override
  public void held(LearningDraft draft, Duration base) {
    boolean probing = draft.probe.isPresent();
    if (draft.noise.isOver(draft.served)) {
      draft.noise = Noise.NONE;
      draft.alarms = 0;
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
    } else if (draft.row >= RETRY_AFTER) {
      draft.alarms = 0;
    }
    if (draft.row < successesNeeded(draft)) {
      return;
    }
    if (!isSettled(draft)) {
      next(draft, base);
      return;
    }
    boolean few = draft.inferred && draft.burst < FEW;
    Duration refused = draft.refused.orElseThrow();
    Duration target = few ? Delays.of(millis(refused) / BELOW_INFERRED) : refused;
    if (longer(target, base).compareTo(draft.learned) < 0) {
      tryDelay(draft, longer(target, base), true);
    }
  }

  private static int successesNeeded(LearningDraft draft) {
    if (!isSettled(draft)) {
      return Math.max(LEAST, draft.patience);
    }
    if (draft.inferred) {
      return Math.max(TRY_INFERRED_AFTER, 2 * draft.burst);
    }
    return RETRY_AFTER * Math.max(1, draft.noise.share() > 0 ? 1 : draft.cost);
  }

  /** How many successes are missing until another delay is tried. */
  static int successesBeforeNext(Learning learning) {
    LearningDraft draft = new LearningDraft(learning);
    return Math.max(0, successesNeeded(draft) - learning.row());
  }

  /** Whether the bounds are so close that nothing between them is tried. */
  static boolean isSettled(Learning learning) {
    return isSettled(new LearningDraft(learning));
  }

  private static boolean isSettled(LearningDraft draft) {
    if (draft.refused.isEmpty()) {
      return false;
    }
    if (draft.inferred && draft.burst < FEW) {
      return true;
    }
    double ratio =
        draft.inferred ? NARROW_IF_INFERRED : draft.noise.share() > 0 ? NARROW_IN_NOISE : NARROW;
    return millis(draft.floor.orElse(draft.learned)) <= ratio * millis(draft.refused.get()) + 1;
  }

  private void stood(LearningDraft draft, Probe probe, Duration base) {
    if (probe.slower()) {
      SlowerTrial.compare(draft);
      next(draft, base);
      return;
    }
    draft.probe = Optional.empty();
    draft.noise = draft.noise.full();
    draft.floor = Optional.of(draft.learned);
    draft.guessed = false;
    if (draft.noise.share() > 0) {
      draft.forgetCounts();
    }
    if (probe.retry()) {
      draft.forgetSearch();
      draft.strides = draft.inferred ? STRIDES_IF_INFERRED : 0;
      draft.refused = Optional.empty();
      draft.inferred = false;
      draft.cost = 0;
      draft.alarms = 0;
      draft.closure = Optional.empty();
    } else if (draft.refused.isEmpty()) {
      draft.strides = Math.min(MOST_STRIDES, draft.strides + 1);
    }
    next(draft, base);
  }

  /** Tries a delay between what is refused and what is long enough, if there is room. */
  private void next(LearningDraft draft, Duration base) {
    Duration from = draft.floor.orElseThrow();
    draft.learned = from;
    draft.row = 0;
    if (isSettled(draft)) {
      return;
    }
    double high = millis(from);
    double target = high / Math.pow(STRIDE, 1 << draft.strides);
    if (draft.refused.isPresent()) {
      double low = Math.max(1, millis(draft.refused.get()));
      double caution = high > WIDE * low ? 0.5 : CAUTION;
      target = Math.pow(low, 1 - caution) * Math.pow(high, caution);
    }
    Duration shorter = longer(Delays.of(target), base);
    if (shorter.compareTo(from) < 0) {
      tryDelay(draft, shorter, false);
    }
  }

  private static void tryDelay(LearningDraft draft, Duration target, boolean retry) {
    int needed = needed(draft, target);
    draft.begin(target, new Probe(draft.floor.orElseThrow(), retry, false, needed, 0));
    draft.noise = draft.noise.forProbe(needed);
  }

  private static int needed(LearningDraft draft, Duration target) {
    double enough = millis(draft.floor.orElseThrow());
    double faster = Math.max(0.001, 1 - millis(target) / enough);
    // One request is served even where there is no burst at all; noise may have hidden one.
    double least = draft.noise.share() > 0 ? BURST_IN_NOISE : 0.7;
    double burst = Math.max(least, draft.drawn(enough) - 0.3);
    double needed = Math.max(Math.max(LEAST, draft.patience), Math.ceil(2 * burst / faster));
    return (int) Math.min(MOST_NEEDED, needed);
  }
}
