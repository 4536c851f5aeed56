package dev.comity.core.engine.shared;

import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.JobProgress;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.schedule.JobStreak;

/**
 * One domain's share of a run: its pages, shared with the run's own budget, and how many different
 * URLs in a row failed.
 */
public final class Job {
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
  public Permits seat() {
    return seat;
  }

  /** Sets a page aside in both budgets, or in neither. */
  public boolean reserve() {
    if (!own.reserve()) {
      return false;
    }
    if (!run.reserve()) {
      own.giveBack();
      return false;
    }
    return true;
  }

  public void giveBack() {
    own.giveBack();
    run.giveBack();
  }

  public void settle(Fate fate) {
    own.settle(fate);
    run.settle(fate);
  }

  /** It is written. */
  public void settled(Settlement settlement) {
    streak = settlement.after(streak);
  }

  /** Whether another page could be had now. */
  public boolean hasRoom() {
    return own.hasRoom() && run.hasRoom();
  }

  public void askedSitemap() {
    sitemapsAsked++;
  }

  public int sitemapsAsked() {
    return sitemapsAsked;
  }

  /** Whether it is the domain's own budget that has no room. */
  public boolean isSpent() {
    return !own.hasRoom();
  }

  public JobStreak streak() {
    return streak;
  }
}
