package dev.comity.core.engine.shared;

import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.JobProgress;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.schedule.Budget;
import dev.comity.core.schedule.JobStreak;
import java.util.Optional;

/**
 * One domain's share of a run. It has a page budget, which draws on the run's budget, and a streak
 * of failed URLs.
 */
public final class Job {
  private final RunBudget run;
  private final PageBudget own;
  private final RequestSlots seat = RequestSlots.single();
  private JobStreak written;
  private JobStreak decided;
  private int sitemapsAsked;

  Job(RunBudget run, long pages, JobProgress before) {
    this.run = run;
    own = new PageBudget(pages, before.pages(), before.unkept());
    written = before.streak();
    decided = written;
  }

  /** A page budget shared by many threads. */
  private static final class PageBudget {
    private Budget budget;

    /** A budget of which some pages were settled earlier. */
    PageBudget(long pages, long settled, long unkept) {
      // More may have been settled than is allowed now: an operator can make a budget smaller.
      budget = new Budget(pages, Math.min(pages, settled), Math.min(pages, unkept), 0);
    }

    private synchronized boolean reserve() {
      Optional<Budget> reserved = budget.reserve();
      if (reserved.isPresent()) {
        budget = reserved.get();
      }
      return reserved.isPresent();
    }

    private synchronized void giveBack() {
      budget = budget.giveBack();
    }

    private synchronized void settle(Fate fate) {
      budget = budget.after(fate);
    }

    private synchronized boolean hasRoom() {
      return budget.hasRoom();
    }

    private synchronized void limitTo(long pages) {
      budget = budget.withLimit(pages);
    }
  }

  /** The slot of the one worker that may work on the domain. */
  public RequestSlots seat() {
    return seat;
  }

  /** The domain may settle so many pages in the run; an operator can change that. */
  public void limitTo(long pages) {
    own.limitTo(pages);
  }

  /** Reserves a page in both budgets, or in neither. */
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

  /** Gives a reserved page back. */
  public void giveBack() {
    own.giveBack();
    run.giveBack();
  }

  /** A reserved page has met its fate. */
  public void settle(Fate fate) {
    own.settle(fate);
    run.settle(fate);
  }

  /** A worker begins: what an earlier one decided and did not write counts for nothing. */
  public void begun() {
    decided = written;
  }

  /** A settlement is decided: answers the streak of failures after it. */
  public JobStreak decided(Settlement settlement) {
    decided = settlement.after(decided);
    return decided;
  }

  /** A settlement is written: counts it in the streak of failures. */
  public void settled(Settlement settlement) {
    written = settlement.after(written);
  }

  /** Whether a page could be reserved now. */
  public boolean hasRoom() {
    return own.hasRoom() && run.hasRoom();
  }

  public void askedSitemap() {
    sitemapsAsked++;
  }

  public int sitemapsAsked() {
    return sitemapsAsked;
  }

  /** Whether the domain's own budget has no room. */
  public boolean isSpent() {
    return !own.hasRoom();
  }
}
