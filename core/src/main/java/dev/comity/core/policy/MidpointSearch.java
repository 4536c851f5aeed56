package dev.comity.core.policy;

import dev.comity.core.policy.Learning.Probe;
import dev.comity.core.policy.Learning.Recheck;
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
 */
final class MidpointSearch implements Search {
  private final LearningSettings settings;

  MidpointSearch(LearningSettings settings) {
    this.settings = settings;
  }

  @Override
  public void refused(LearningDraft draft, Duration delay, Duration base, Instant now) {
    boolean present = delay.equals(draft.pace(base));
    if (draft.probe.isPresent()) {
      if (present && draft.probe.get().retry() && canPay(draft)) {
        pardon(draft, delay, now);
        return;
      }
      draft.leaveProbe(); // Refused if it was the probe's own request, else merely unproven.
      if (present) {
        draft.open(delay, draft.learned, false, now);
        refuse(draft, delay, now);
        draft.judge(draft.learned, false, true);
        return;
      }
      present = delay.equals(draft.pace(base));
    }
    if (present && canPay(draft)) {
      pardon(draft, delay, now);
      return;
    }
    draft.open(delay, draft.learned, false, now);
    if (present || delay.compareTo(draft.pace(base)) > 0) {
      leaveFor(slower(draft, delay), draft, delay, now);
    } else if (delay.compareTo(draft.learned) < 0 && isAbove(delay, draft.refused)) {
      refuse(
          draft, delay, now); // We are slower by now; that it was refused is still worth knowing.
      draft.judge(draft.learned, false, true);
    }
  }

  @Override
  public void refusedAgain(LearningDraft draft, Instant now) {
    if (!draft.incident.orElseThrow().pardoned()) {
      return;
    }
    if (canPay(draft)) {
      draft.savings -= settings.pardonAfter();
      return;
    }
    Duration grown = draft.learned;
    Duration delay = draft.incident.orElseThrow().delay();
    if (draft.probe.isPresent()) {
      draft.leaveProbe();
      refuse(draft, delay, now);
      draft.judge(draft.learned, false, true);
    } else {
      leaveFor(slower(draft, delay), draft, delay, now);
    }
    draft.learned = longer(grown, draft.learned);
  }

  @Override
  public void held(LearningDraft draft, Duration base, Instant now) {
    Duration pace = draft.learned;
    if (draft.savings >= settings.pardonAfter()
        && isAbove(pace, draft.refused)
        && (draft.floor.isEmpty() || pace.compareTo(draft.floor.get()) < 0)) {
      draft.floor = Optional.of(pace);
    }
    if (draft.probe.isPresent()) {
      Probe probe = draft.probe.get();
      if (draft.row >= (probe.retry() ? settings.retryStandsAfter() : settings.standsAfter())) {
        stood(draft, probe);
      }
    } else if (draft.row >= settings.probeAfter() && pace.compareTo(base) > 0) {
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
      draft.recheck = Recheck.NONE;
    }
  }

  private boolean canPay(LearningDraft draft) {
    return draft.savings >= settings.pardonAfter();
  }

  private void pardon(LearningDraft draft, Duration delay, Instant now) {
    draft.savings -= settings.pardonAfter();
    draft.open(delay, draft.learned, true, now);
    draft.learned = atMostCap(delay.plus(settings.step()));
  }

  private void leaveFor(Duration slower, LearningDraft draft, Duration delay, Instant now) {
    refuse(draft, delay, now);
    draft.learned = slower;
    draft.savings = 0;
    draft.judge(slower, false, true);
  }

  /** Marks a delay as too short. Twice the same one in succession: it is left alone for longer. */
  private static void refuse(LearningDraft draft, Duration delay, Instant now) {
    boolean same = draft.refused.isPresent() && draft.refused.get().equals(delay);
    draft.refused = Optional.of(delay);
    draft.recheck = new Recheck(same ? draft.recheck.doublings() + 1 : 0, Duration.ZERO, now, 0);
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
    return atMostCap(delay.plus(settings.step()));
  }

  private Duration target(LearningDraft draft) {
    Duration step = draft.learned.minus(settings.step());
    if (draft.refused.isEmpty()) {
      return step;
    }
    // In whole milliseconds, as it is stored.
    long halfway = draft.refused.get().plus(draft.learned).toMillis() / 2;
    return longer(step, Duration.ofMillis(halfway));
  }

  private boolean settled(LearningDraft draft) {
    if (draft.refused.isEmpty()) {
      return false;
    }
    Duration share = Duration.ofMillis((long) (draft.learned.toMillis() * settings.settledShare()));
    Duration gap = draft.learned.minus(draft.refused.get());
    return gap.compareTo(longer(share, settings.settledWithin())) <= 0;
  }

  private boolean isRecheckDue(LearningDraft draft, Instant now) {
    Recheck recheck = draft.recheck;
    long successes = (long) settings.retryAfter() << Math.min(20, recheck.doublings());
    Duration once = recheck.recovery().multipliedBy(settings.retryRecoveries());
    Duration time = Doubling.after(once, recheck.doublings(), settings.retryTimeCap());
    return recheck.successes() >= Math.min(successes, settings.retrySuccessesCap())
        && !now.isBefore(recheck.since().plus(time));
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
