package dev.comity.core.engine.shared;

import dev.comity.core.policy.Fate;
import dev.comity.core.schedule.Budget;
import java.util.Optional;

/** A budget that many threads take from. */
public final class PageBudget {
  private Budget budget;

  /** A budget of which others have already had some. */
  public PageBudget(long pages, long settled, long unkept) {
    // More may have been settled than is allowed now: an operator can make a budget smaller.
    budget = new Budget(pages, Math.min(pages, settled), Math.min(pages, unkept), 0);
  }

  synchronized boolean reserve() {
    Optional<Budget> reserved = budget.reserve();
    if (reserved.isPresent()) {
      budget = reserved.get();
    }
    return reserved.isPresent();
  }

  synchronized void giveBack() {
    budget = budget.giveBack();
  }

  /** A reserved URL has met its fate. */
  synchronized void settle(Fate fate) {
    budget = budget.after(fate);
  }

  /** Whether all there may be has its answer, so that none comes back. */
  public synchronized boolean isSpent() {
    return budget.spent();
  }

  /** Whether a URL could be taken now. */
  public synchronized boolean hasRoom() {
    return budget.hasRoom();
  }
}
