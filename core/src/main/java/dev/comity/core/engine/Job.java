package dev.comity.core.engine;

import dev.comity.core.policy.Fate;
import dev.comity.core.policy.JobStreak;
import dev.comity.core.policy.Slots;
import dev.comity.core.port.JobProgress;
import dev.comity.core.url.Authority;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * One domain's share of a run: its pages, shared with the run's own budget, how many URLs in a row
 * failed, and what outlives a claim without being worth keeping.
 */
final class Job {
  private final PageBudget run;
  private final PageBudget own;
  private final Permits seat = new Permits(1);
  private final Set<Authority> reached = new HashSet<>();
  private Instant lastAnswer = Slots.NEVER;
  private JobStreak streak;

  Job(PageBudget run, long pages, JobProgress before) {
    this.run = run;
    own = new PageBudget(pages, before.pages());
    streak = before.streak();
  }

  /** The place of the one worker that may be at it. */
  Permits seat() {
    return seat;
  }

  /** A connection was made: whatever fails from now on, it is not that nobody listens there. */
  void reached(Authority authority) {
    reached.add(authority);
  }

  boolean hasReached(Authority authority) {
    return reached.contains(authority);
  }

  /** The site has answered something. */
  void answered(Instant at) {
    lastAnswer = at;
  }

  /** When the site last answered since this process took it up. */
  Instant lastAnswer() {
    return lastAnswer;
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
