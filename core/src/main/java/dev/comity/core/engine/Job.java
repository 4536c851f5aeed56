package dev.comity.core.engine;

import dev.comity.core.policy.Fate;
import dev.comity.core.policy.JobStreak;

/**
 * One domain's share of a run: its pages, shared with the run's own budget, and how many URLs in a
 * row failed.
 */
final class Job {
  private final PageBudget run;
  private final PageBudget own;
  private JobStreak streak = JobStreak.NONE;

  Job(PageBudget run, long pages) {
    this.run = run;
    own = new PageBudget(pages);
  }

  /** Sets a page aside in both budgets, or in neither. */
  boolean reserve() {
    if (!own.reserve()) {
      return false;
    }
    if (!run.reserve()) {
      own.giveBack();
      return false;
    }
    return true;
  }

  void giveBack() {
    own.giveBack();
    run.giveBack();
  }

  void settle(Fate fate) {
    own.settle(fate);
    run.settle(fate);
    streak = streak.after(fate);
  }

  /** Whether it is the domain's own budget that has no room. */
  boolean isSpent() {
    return !own.hasRoom();
  }

  JobStreak streak() {
    return streak;
  }
}
