package dev.comity.core.engine;

import dev.comity.core.policy.Fate;
import dev.comity.core.policy.JobStreak;
import dev.comity.core.port.JobProgress;
import dev.comity.core.port.Settlement;

/**
 * One domain's share of a run: its pages, shared with the run's own budget, and how many different
 * URLs in a row failed.
 */
final class Job {
  private final PageBudget run;
  private final PageBudget own;
  private final Permits seat = new Permits(1);
  private JobStreak streak;
  private int sitemapsAsked;

  Job(PageBudget run, long pages, JobProgress before) {
    this.run = run;
    own = new PageBudget(pages, before.pages(), before.unkept());
    streak = before.streak();
  }

  /** The place of the one worker that may be at it. */
  Permits seat() {
    return seat;
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
  }

  /** It is written. */
  void settled(Settlement settlement) {
    streak = settlement.after(streak);
  }

  /** Whether another page could be had now. */
  boolean hasRoom() {
    return own.hasRoom() && run.hasRoom();
  }

  void askedSitemap() {
    sitemapsAsked++;
  }

  int sitemapsAsked() {
    return sitemapsAsked;
  }

  /** Whether it is the domain's own budget that has no room. */
  boolean isSpent() {
    return !own.hasRoom();
  }

  JobStreak streak() {
    return streak;
  }
}
