package dev.comity.core.policy.learning;

import static dev.comity.core.util.Delays.longer;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.policy.learning.LearnedDelay.Incident;
import dev.comity.core.policy.learning.LearnedDelay.Probe;
import dev.comity.core.policy.settings.LearningSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One step up with every refusal, one step down after a row of successes, and never again below the
 * delay that a refused probe fell back to. Simple to predict, blind to anything finer than a step,
 * and it does not forget: choose it for sites that are known to be touchy.
 */
public final class StepSearch implements Search {
  /** Successes before a shorter delay is tried: 20, by the rule this search comes from. */
  public static final int PROBE_AFTER = 20;

  /** Successes after which the shorter delay stands: as many as it took to try it. */
  public static final int STANDS_AFTER = 20;

  private final LearningSettings settings;

  StepSearch(LearningSettings settings) {
    this.settings = settings;
  }

  @Override
  public void refused(LearningDraft draft, Attempt attempt, Duration base) {
    Duration delay = attempt.delay();
    boolean inProbe = draft.probe.isPresent() && delay.equals(draft.pace(base));
    if (draft.probe.isPresent()) {
      draft.leaveProbe();
    }
    if (inProbe) {
      draft.floor = Optional.of(draft.learned);
    } else {
      draft.learned = settings.capped(longer(delay, draft.pace(base)).plus(LearningSettings.STEP));
    }
    draft.open(attempt, draft.learned);
  }

  @Override
  public void refusedAgain(LearningDraft draft) {
    draft.teach(draft.learned); // What was added stays.
  }

  @Override
  public void ended(LearningDraft draft, Incident over, Instant start, Duration base) {
    draft.row = 0; // What the refusals added stays, and nothing else is kept.
  }

  @Override
  public void held(LearningDraft draft, Duration base) {
    if (draft.probe.isPresent()) {
      if (draft.row >= STANDS_AFTER) {
        draft.probe = Optional.empty();
        draft.row = 0;
      }
    } else if (draft.row >= PROBE_AFTER) {
      Duration least = longer(draft.floor.orElse(Duration.ZERO), base);
      Duration target = longer(draft.learned.minus(LearningSettings.STEP), least);
      if (target.compareTo(draft.learned) < 0) {
        draft.begin(target, new Probe(draft.learned, false, false, STANDS_AFTER, 0));
      }
    }
  }
}
