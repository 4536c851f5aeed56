package dev.comity.core.port.store;

import dev.comity.core.schedule.JobStreak;

/**
 * The progress of a run with one domain, over all its workers.
 *
 * @param pages pages settled
 * @param unkept answers that were not kept
 * @param streak URLs that failed in a row
 */
public record JobProgress(long pages, long unkept, JobStreak streak) {
  /** The run has not begun with the domain. */
  public static final JobProgress NONE = new JobProgress(0, 0, JobStreak.NONE);

  /** Shared: a store in memory has many domains with one page. */
  private static final JobProgress ONE_PAGE = new JobProgress(1, 0, JobStreak.NONE);

  /** The same job after one more URL was settled. */
  public JobProgress after(Settlement settlement) {
    JobProgress after =
        new JobProgress(
            pages + (settlement.isPage() ? 1 : 0),
            unkept + (settlement.isUnkept() ? 1 : 0),
            settlement.after(streak));
    return after.equals(ONE_PAGE) ? ONE_PAGE : after;
  }
}
