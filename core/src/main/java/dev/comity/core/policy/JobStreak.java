package dev.comity.core.policy;

/**
 * Failed URLs in a row of one job. A job that gets nothing for so long ends as failed rather than
 * use up what others could have.
 */
public record JobStreak(int failed) {
  /** A job that has just begun. */
  public static final JobStreak NONE = new JobStreak(0);

  /** The streak after one more URL was settled. */
  public JobStreak after(Fate fate) {
    return switch (fate) {
      case Fate.Done _, Fate.Skipped _ -> NONE;
      case Fate.Failed done -> done.answered() ? NONE : new JobStreak(failed + 1);
      case Fate.Retry _, Fate.Denied _, Fate.Suppressed _, Fate.Moved _, Fate.Returned _ -> this;
    };
  }

  /** Whether the job is to end as failed. */
  public boolean endsJob(FailureSettings settings) {
    return failed >= settings.jobFailsAfter();
  }
}
