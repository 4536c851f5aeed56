package dev.comity.core.engine.shared;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.SharedBudgets;
import dev.comity.core.policy.Sharing;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Signal;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The budgets shared by domains of one server. The policy decides ({@link SharedBudgets}); this
 * class adds the lock and wakes the member that is next. Thread-safe.
 *
 * <p>No method waits. A waiting member holds nothing but its place in the line. While no domains
 * share a budget, only starts and refusals take the lock.
 */
public final class ServerBudgets {
  private final SharedBudgets budgets;
  private final CrawlListener listener;

  /** The signal of each member in a line, raised when it should ask again. */
  private final Map<DomainName, Signal> waiting = new HashMap<>();

  /** Changes to report once the lock is free. */
  private final List<SharedBudgets.BudgetChange> changes = new ArrayList<>();

  /** Whether any domains share a budget; written under the lock, read without it. */
  private volatile boolean grouped;

  ServerBudgets(DomainPolicy policy, CrawlListener listener) {
    budgets = policy.sharedBudgets(changes::add);
    this.listener = listener;
  }

  /**
   * When this domain should ask again; empty if it may start. Then no other member starts before it
   * has started or left.
   */
  public Optional<Instant> ask(String address, DomainName domain, Signal wake, Instant now) {
    if (!grouped) {
      return Optional.empty();
    }
    synchronized (this) {
      Optional<Instant> again = budgets.ask(address, domain, now);
      if (again.isPresent()) {
        waiting.put(domain, wake);
      } else {
        waiting.remove(domain);
      }
      return again;
    }
  }

  /** The domain does not want to start, or could not. */
  public void leave(String address, DomainName domain) {
    if (grouped) {
      synchronized (this) {
        waiting.remove(domain);
        budgets.leave(address, domain);
        wakeNext(address);
      }
    }
  }

  /** Whether a request of the domain may write its first byte now. */
  public synchronized SharedBudgets.Start started(String address, DomainName domain, Instant at) {
    return budgets.started(address, domain, at);
  }

  /** The first byte of the domain's request was written. */
  public void left(String address, DomainName domain, Instant at) {
    if (grouped) {
      synchronized (this) {
        budgets.left(address, domain, at);
        wakeNext(address);
      }
    }
  }

  private void wakeNext(String address) {
    Optional<Signal> next =
        budgets.next(address).flatMap(domain -> Optional.ofNullable(waiting.get(domain)));
    next.ifPresent(Signal::raise);
  }

  /** The domain was answered; returns what it has learned by that. */
  public LearnedDelay answered(
      String address,
      DomainName domain,
      Attempt attempt,
      Optional<Duration> shared,
      FetchOutcome outcome,
      LearnedDelay before,
      LearnedDelay after,
      Instant now) {
    if (!grouped && !(outcome instanceof RateLimited)) {
      return after;
    }
    LearnedDelay learned;
    List<SharedBudgets.BudgetChange> told;
    synchronized (this) {
      learned = budgets.answered(address, domain, attempt, shared, outcome, before, after, now);
      told = List.copyOf(changes);
      changes.clear();
      grouped = budgets.isGroupAnywhere();
      if (!grouped) {
        waiting.clear();
      }
    }
    told.forEach(listener::shared);
    return learned;
  }

  /** The budget that the domain shares, if there is one. */
  public Optional<Sharing> sharing(String address, DomainName domain, Instant now) {
    if (!grouped) {
      return Optional.empty();
    }
    synchronized (this) {
      return budgets.sharing(address, domain, now);
    }
  }
}
