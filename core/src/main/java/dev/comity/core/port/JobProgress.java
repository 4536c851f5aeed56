package dev.comity.core.port;

import dev.comity.core.policy.JobStreak;

/**
 * How far a run has come with one domain, whoever worked on it.
 *
 * @param pages pages settled
 * @param streak URLs that failed in a row
 */
public record JobProgress(long pages, JobStreak streak) {
  /** The run has not begun with it. */
  public static final JobProgress NONE = new JobProgress(0, JobStreak.NONE);
}
