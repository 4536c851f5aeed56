package dev.comity.core.schedule;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.policy.Failures;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.settings.FailureSettings;

/**
 * Different URLs in a row of one job whose latest request failed. A job that gets nothing for so
 * long ends as failed rather than use up what others could have.
 */
public record JobStreak(int failed) {
  /** A job that has just begun. */
  public static final JobStreak NONE = new JobStreak(0);

  /**
   * The streak after one more request.
   *
   * @param failures what is known of the domain's failures after it
   */
  public JobStreak after(Attempt attempt, Fate fate, Failures failures) {
    return switch (fate) {
      case Fate.Done _, Fate.Skipped _ -> NONE;
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
