package dev.comity.core.engine.shared;

import dev.comity.core.policy.Fate;
import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.RunStore;
import dev.comity.core.schedule.Budget;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * The page budget of the run, or its budget of images. Other workers may draw on it as well. This
 * one draws a portion from the store, uses it up and draws the next. Without a claim it gives back
 * what it did not use. Thread-safe.
 *
 * <p>Every page passes here twice, so no lock is taken for that. Drawing waits for the disk, and is
 * done by one caller at a time. It is done when half of the last portion is used, so that the other
 * domains can go on meanwhile.
 */
public final class RunBudget {
  private final Drawing store;
  private final AtomicReference<Pages> pages;

  /** How portions are drawn and given back. */
  private interface Drawing {
    Portion draw(long most);
  }

  /** Held while the store is asked. */
  private final ReentrantLock drawing = new ReentrantLock();

  /**
   * @param whole what the plan allows, with the pages that were settled before this crawl
   * @param portion what was drawn of it
   * @param drawAgainAt pages left in the portion when the next one is drawn
   * @param spent whether the store has nothing left that could come back
   */
  private record Pages(Budget whole, Budget portion, long drawAgainAt, boolean spent) {
    Pages with(UnaryOperator<Budget> change) {
      return new Pages(change.apply(whole), change.apply(portion), drawAgainAt, spent);
    }

    Pages and(Portion drawn) {
      return new Pages(
          whole,
          portion.withLimit(portion.limit() + drawn.granted()),
          drawn.granted() / 2,
          drawn.spent());
    }

    boolean hasRoom() {
      return whole.hasRoom() && portion.hasRoom();
    }
  }

  public RunBudget(RunStore store, long pages, long settled, long unkept) {
    this(store::draw, pages, settled, unkept);
  }

  private RunBudget(Drawing store, long pages, long settled, long unkept) {
    this.store = store;
    // More may have been settled than is allowed now: an operator can make a budget smaller.
    Budget whole = new Budget(pages, Math.min(pages, settled), Math.min(pages, unkept), 0);
    this.pages = new AtomicReference<>(new Pages(whole, Budget.of(0), 0, false));
  }

  /** The budget of images; 0 for a crawl that collects none. */
  public static RunBudget ofImages(RunStore store, long images, long kept) {
    return new RunBudget(store::drawImages, images, kept, 0);
  }

  /** Reserves one, if there is room. */
  public boolean reserve() {
    while (hasRoom()) {
      Pages before = pages.get();
      if (before.hasRoom() && pages.compareAndSet(before, before.with(RunBudget::reserved))) {
        return true;
      }
    }
    return false;
  }

  private static Budget reserved(Budget budget) {
    Optional<Budget> reserved = budget.reserve();
    return reserved.orElseThrow();
  }

  /** Gives back what was reserved. */
  public void giveBack() {
    pages.updateAndGet(now -> now.with(Budget::giveBack));
  }

  /** What was reserved is used up. */
  public void spend() {
    pages.updateAndGet(now -> now.with(Budget::settle));
  }

  void settle(Fate fate) {
    pages.updateAndGet(now -> now.with(budget -> budget.after(fate)));
  }

  /** Whether a page could be reserved now. */
  public boolean hasRoom() {
    Pages now = pages.get();
    if (!now.whole().hasRoom()) {
      return false;
    }
    if (!now.portion().hasRoom()) {
      drawing.lock();
    } else if (now.portion().left() > now.drawAgainAt() || !drawing.tryLock()) {
      return true;
    }
    try {
      // Another caller may have drawn since.
      Pages latest = pages.get();
      if (latest.portion().left() <= latest.drawAgainAt()) {
        Portion drawn = store.draw(latest.whole().limit());
        pages.updateAndGet(held -> held.and(drawn));
      }
    } finally {
      drawing.unlock();
    }
    return pages.get().hasRoom();
  }

  /** Pages that could be reserved, as far as this worker knows. */
  long left() {
    return pages.get().whole().left();
  }

  /** Whether every page of the run is settled, so that no reservation comes back. */
  public boolean isSpent() {
    return pages.get().whole().spent() || (!hasRoom() && pages.get().spent());
  }

  /**
   * Gives back what is not reserved. Called without claims, and after a claim was lost: the store
   * may have given this worker's pages to others.
   */
  public void returnUnused() {
    drawing.lock();
    try {
      Pages before = pages.getAndUpdate(RunBudget::withoutUnused);
      long unused = before.portion().limit() - withoutUnused(before).portion().limit();
      if (unused > 0) {
        store.draw(-unused);
      }
    } finally {
      drawing.unlock();
    }
  }

  private static Pages withoutUnused(Pages pages) {
    return new Pages(pages.whole(), pages.portion().withLimit(0), 0, pages.spent());
  }
}
