package dev.comity.core.policy;

import dev.comity.core.policy.Learning.Incident;
import dev.comity.core.policy.Learning.Probe;
import dev.comity.core.policy.Learning.Recheck;
import dev.comity.core.policy.Learning.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Looks for the right delay between the one that was refused and the one that holds.
 *
 * <p>A delay that has held is left for one halfway down to the refused one, or a step down if that
 * is nearer. When both are close the domain is settled, and only one question remains: is what was
 * refused still refused? It is asked ever more rarely, after successes and after time, because each
 * time it is asked a request may be lost on it; and it is asked kindly, one refusal pardoned,
 * because a limit that is really there refuses twice and noise seldom does.
 *
 * <p>Noise is known by this: going slower does not help. A delay that had nearly held when it was
 * refused becomes the <em>suspect</em>. If a clearly longer one is refused as well, once and
 * briefly, no limit can explain both, and we go back to the suspect. If the longer one holds well,
 * slower did help and the suspicion is dropped.
 */
final class MidpointSearch implements Search {
  private final LearningSettings settings;

  MidpointSearch(LearningSettings settings) {
    this.settings = settings;
  }

  @Override
  public void refused(LearningDraft draft, Duration delay, Duration base, Instant now) {
    if (draft.probe.isPresent() && delay.equals(draft.pace(base))) {
      refusedInProbe(draft, draft.probe.get(), delay, now);
    } else {
      if (draft.probe.isPresent()) {
        draft.leaveProbe(); // The request was started before it: the probe ends unproven.
      }
      refusedOutside(draft, delay, base, now);
    }
    doubt(draft, delay);
  }

  private void refusedInProbe(LearningDraft draft, Probe probe, Duration delay, Instant now) {
    if (probe.retry() && canPay(draft)) {
      pardon(draft, delay, now);
      return;
    }
    draft.leaveProbe();
    draft.open(delay, draft.learned, Verdict.REFUSED, now);
    refuse(draft, delay, now);
  }

  private void refusedOutside(LearningDraft draft, Duration delay, Duration base, Instant now) {
    int longer = delay.compareTo(draft.pace(base));
    if (longer == 0 && canPay(draft)) {
      pardon(draft, delay, now);
    } else if (longer >= 0) {
      draft.open(delay, draft.learned, Verdict.REFUSED, now);
      boolean nearlyHeld = Math.max(draft.row, draft.savings) >= settings.nearlyHeld();
      if (longer == 0 && nearlyHeld && draft.suspect.isEmpty()) {
        draft.suspect = Optional.of(delay);
      }
      leave(draft, delay, now);
    } else if (delay.compareTo(draft.learned) < 0 && isAbove(delay, draft.refused)) {
      // We are slower by now; that it was refused is still worth knowing.
      draft.open(delay, draft.learned, Verdict.REFUSED, now);
      refuse(draft, delay, now);
    } else {
      draft.open(delay, draft.learned, Verdict.RESTED, now);
    }
  }

  private void doubt(LearningDraft draft, Duration delay) {
    if (draft.suspect.isPresent()
        && ratio(delay, draft.suspect.get()) >= settings.clearlyLonger()) {
      draft.judge(draft.incident.orElseThrow().taught(), Verdict.DOUBTED);
    }
  }

  @Override
  public void refusedAgain(LearningDraft draft, Instant now) {
    draft.suspect = Optional.empty(); // Noise seldom comes twice in a row.
    Incident so = draft.incident.orElseThrow();
    switch (so.verdict()) {
      case RESTED, REFUSED -> {}
      case DOUBTED -> draft.judge(so.taught(), Verdict.REFUSED);
      case PARDONED -> {
        if (canPay(draft)) {
          draft.savings -= settings.pardonAfter();
        } else {
          withdrawPardon(draft, so.delay(), now);
        }
      }
    }
  }

  /** The streak is longer than what was saved for it. */
  private void withdrawPardon(LearningDraft draft, Duration delay, Instant now) {
    Duration grown = draft.learned;
    if (draft.probe.isPresent()) {
      draft.leaveProbe();
      refuse(draft, delay, now);
      draft.judge(draft.learned, Verdict.REFUSED);
    } else {
      leave(draft, delay, now);
    }
    draft.learned = longer(grown, draft.learned);
  }

  @Override
  public void ended(LearningDraft draft, Incident over, Instant now) {
    Duration recovery = Duration.between(over.openedAt(), now);
    switch (over.verdict()) {
      case RESTED, PARDONED -> {}
      case REFUSED -> draft.recheck = draft.recheck.recoveredIn(recovery);
      case DOUBTED -> {
        Duration soon = longer(settings.firstRest(), over.delay()).multipliedBy(3);
        if (recovery.compareTo(soon) > 0) {
          // It told us when to come back: a site that knows that has its reasons.
          draft.suspect = Optional.empty();
          draft.recheck = draft.recheck.recoveredIn(recovery);
        } else {
          backToSuspect(draft);
        }
      }
    }
  }

  /** Slower did not help, so it was not the pace. */
  private void backToSuspect(LearningDraft draft) {
    draft.learned = draft.suspect.orElseThrow();
    draft.floor = draft.suspect;
    draft.savings = settings.savings();
    draft.refused = Optional.empty();
    draft.cameFrom = Optional.empty();
    draft.suspect = Optional.empty();
    draft.probe = Optional.empty();
    draft.recheck = Recheck.NONE;
  }

  @Override
  public void held(LearningDraft draft, Duration base, Instant now) {
    Duration pace = draft.learned;
    if (canPay(draft)
        && isAbove(pace, draft.refused)
        && (draft.floor.isEmpty() || pace.compareTo(draft.floor.get()) < 0)) {
      draft.floor = Optional.of(pace);
    }
    if (draft.probe.isPresent()) {
      Probe probe = draft.probe.get();
      if (draft.row >= (probe.retry() ? settings.retryStandsAfter() : settings.standsAfter())) {
        stood(draft, probe);
      }
      return;
    }
    if (draft.savings >= settings.savings()) {
      draft.suspect = Optional.empty(); // Slower did help.
    }
    if (draft.row >= settings.probeAfter() && pace.compareTo(base) > 0) {
      if (!settled(draft)) {
        draft.begin(longer(target(draft), base), false, 0);
      } else if (isRecheckDue(draft, now)) {
        draft.begin(longer(draft.refused.orElseThrow(), base), true, settings.pardonAfter());
      }
    }
  }

  private static void stood(LearningDraft draft, Probe probe) {
    draft.probe = Optional.empty();
    draft.cameFrom = Optional.of(probe.from());
    draft.row = 0;
    if (probe.retry()) {
      draft.refused = Optional.empty();
      draft.floor = Optional.of(draft.learned);
    }
  }

  private boolean canPay(LearningDraft draft) {
    return draft.savings >= settings.pardonAfter();
  }

  private void pardon(LearningDraft draft, Duration delay, Instant now) {
    draft.savings -= settings.pardonAfter();
    draft.open(delay, draft.learned, Verdict.PARDONED, now);
    draft.learned = atMostCap(delay.plus(settings.step()));
  }

  private void leave(LearningDraft draft, Duration delay, Instant now) {
    Duration slower = slower(draft, delay);
    refuse(draft, delay, now);
    draft.learned = slower;
    draft.savings = 0;
    draft.judge(slower, Verdict.REFUSED);
  }

  /**
   * Marks a delay as too short. If it, or one near it, had been refused and was tried again, it is
   * the same limit still, and is left alone for longer.
   */
  private void refuse(LearningDraft draft, Duration delay, Instant now) {
    boolean again = draft.refused.isEmpty() || draft.refused.get().equals(delay);
    int before = isNear(delay, draft.recheck.about()) ? draft.recheck.doublings() : -1;
    int doublings = before < 0 ? 0 : again ? before + 1 : before;
    draft.refused = Optional.of(delay);
    draft.recheck = new Recheck(delay, doublings, Duration.ZERO, now, 0);
    draft.floor = draft.floor.filter(floor -> floor.compareTo(delay) > 0);
    draft.cameFrom = draft.cameFrom.filter(from -> from.compareTo(delay) > 0);
  }

  /** What to try instead of a delay that is too short. */
  private Duration slower(LearningDraft draft, Duration delay) {
    if (draft.floor.isPresent() && draft.floor.get().compareTo(delay) > 0) {
      return draft.floor.get();
    }
    if (draft.cameFrom.isPresent() && draft.cameFrom.get().compareTo(delay) > 0) {
      return draft.cameFrom.get();
    }
    boolean heldOnce = draft.floor.isPresent() && draft.floor.get().equals(delay);
    Duration little = delay.dividedBy(10).plusMillis(1);
    // What once held is nearly right: a whole step would throw away what is known.
    boolean nearlyRight = heldOnce && little.compareTo(settings.step()) < 0;
    return atMostCap(
        delay.plus(nearlyRight ? Duration.ofMillis(little.toMillis()) : settings.step()));
  }

  /**
   * The next delay to try: halfway to the refused one. Where nothing is refused, down by twice what
   * the last probe gained, so that a limit that moved a little is not overrun by a whole step.
   */
  private Duration target(LearningDraft draft) {
    Duration step = draft.learned.minus(settings.step());
    if (draft.refused.isPresent()) {
      // In whole milliseconds, as it is stored.
      long halfway = draft.refused.get().plus(draft.learned).toMillis() / 2;
      return longer(step, Duration.ofMillis(halfway));
    }
    if (isAbove(draft.learned, draft.cameFrom)) {
      return step;
    }
    Duration gained = draft.cameFrom.orElseThrow().minus(draft.learned);
    return longer(step, draft.learned.minus(gained.multipliedBy(2)));
  }

  private boolean settled(LearningDraft draft) {
    return draft.refused.isPresent() && settings.settled(draft.learned, draft.refused.get());
  }

  /**
   * Asking costs at most two refusals. So the wait doubles while the answer stays the same, but no
   * further than costs next to nothing: a limit that is lifted should not go unnoticed for a day.
   */
  private boolean isRecheckDue(LearningDraft draft, Instant now) {
    Recheck recheck = draft.recheck;
    return recheck.successes() >= settings.successesBeforeRetry(recheck, draft.learned)
        && !now.isBefore(recheck.since().plus(settings.timeBeforeRetry(recheck)));
  }

  private boolean isNear(Duration delay, Duration other) {
    double ratio = ratio(delay, other);
    return ratio < settings.clearlyLonger() && 1 / ratio < settings.clearlyLonger();
  }

  private static double ratio(Duration delay, Duration other) {
    return (double) delay.toMillis() / Math.max(1, other.toMillis());
  }

  private Duration atMostCap(Duration delay) {
    return delay.compareTo(settings.cap()) > 0 ? settings.cap() : delay;
  }

  private static boolean isAbove(Duration delay, Optional<Duration> refused) {
    return refused.isEmpty() || delay.compareTo(refused.get()) > 0;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
