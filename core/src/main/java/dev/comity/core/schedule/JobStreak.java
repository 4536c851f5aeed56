package dev.comity.core.schedule;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.policy.Failures;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.settings.FailureSettings;

/**
 * How many different URLs of one job failed in a row. A job with a long streak ends as failed, so
 * that its requests go to other domains.
 */
public record JobStreak(int failed) {
  /** The streak of a new job. */
  public static final JobStreak NONE = new JobStreak(0);

  /**
   * The streak after one more request.
   *
   * @param failures the domain's failures after the request
   */
  public JobStreak after(Attempt attempt, Fate fate, Failures failures) {
    return switch (fate) {
      case Fate.Done _, Fate.Skipped _ -> NONE;
      case Fate.Denied(var wish) when wish.isPresent() -> NONE;
      case Fate.Failed done when done.answered() -> NONE;
      case Fate.Failed _ when attempt.ordinal() == 1 -> new JobStreak(failed + 1);
      case Fate.Failed _, Fate.Retry _ ->
          failures.beganWith(attempt) ? new JobStreak(failed + 1) : this;
      case Fate.Denied _, Fate.Suppressed _, Fate.Moved _, Fate.Returned _ -> this;
    };
  }

  /** Whether the job is to end as failed. */
  public boolean endsJob(FailureSettings settings) {
    return failed >= settings.jobFailsAfter();
  }
}
