package dev.comity.core.engine.shared;

import dev.comity.core.policy.Fate;
import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.RunStore;
import dev.comity.core.schedule.Budget;
import java.util.Optional;

/**
 * The page budget of the run. Other workers may draw on it as well. This one draws a portion from
 * the store, uses it up and draws the next. Without a claim it gives back what it did not use.
 * Thread-safe.
 */
public final class RunBudget {
  private final RunStore store;

  /** What the plan allows, with the pages that were settled before this crawl. */
  private Budget whole;

  /** What was drawn of it. */
  private Budget portion = Budget.of(0);

  /** Whether the store has nothing left that could come back. */
  private boolean spent;

  public RunBudget(RunStore store, long pages, long settled, long unkept) {
    this.store = store;
    // More may have been settled than is allowed now: an operator can make a budget smaller.
    whole = new Budget(pages, Math.min(pages, settled), Math.min(pages, unkept), 0);
  }

  synchronized boolean reserve() {
    if (!hasRoom()) {
      return false;
    }
    whole = reserved(whole);
    portion = reserved(portion);
    return true;
  }

  private static Budget reserved(Budget budget) {
    Optional<Budget> reserved = budget.reserve();
    return reserved.orElseThrow();
  }

  synchronized void giveBack() {
    whole = whole.giveBack();
    portion = portion.giveBack();
  }

  synchronized void settle(Fate fate) {
    whole = whole.after(fate);
    portion = portion.after(fate);
  }

  /** Whether a page could be reserved now. */
  public synchronized boolean hasRoom() {
    if (!whole.hasRoom()) {
      return false;
    }
    if (!portion.hasRoom()) {
      Portion drawn = store.draw(whole.limit());
      portion = portion.withLimit(portion.limit() + drawn.granted());
      spent = drawn.spent();
    }
    return portion.hasRoom();
  }

  /** Whether every page of the run is settled, so that no reservation comes back. */
  public synchronized boolean isSpent() {
    return whole.spent() || (!hasRoom() && spent);
  }

  /**
   * Gives back what is not reserved. Called without claims, and after a claim was lost: the store
   * may have given this worker's pages to others.
   */
  public synchronized void returnUnused() {
    Budget used = portion.withLimit(0);
    if (used.limit() < portion.limit()) {
      store.draw(used.limit() - portion.limit());
      portion = used;
    }
  }
}
