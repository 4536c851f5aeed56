package dev.comity.testkit.sim;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** What is counted of one simulated domain, and what must never happen to it. */
public final class SimTally {
  private Instant judgedFrom = Instant.MIN;
  private Instant lastStart = Instant.MIN;
  private Duration lastDelay = Duration.ZERO;
  private static final int ROW = 100;

  private Duration expected = Duration.ZERO;
  private Optional<Instant> firstRefusal = Optional.empty();
  private Optional<Settled> settled = Optional.empty();
  private final Deque<Instant> row = new ArrayDeque<>();
  private int refusals;
  private final List<Standing> closings = new ArrayList<>();
  private long asked;
  private long served;
  private long refused;
  private long done;
  private long failed;
  private long lostToRefusals;
  private long violations;
  private long probes;

  /** Counts only requests started from here on. */
  public void judgeFrom(Instant from) {
    judgedFrom = from;
  }

  /** The delay that a client would keep who knows the limit. */
  public void expect(Duration oracle) {
    expected = oracle;
  }

  void started(Instant now, Duration delay, int limit, int inFlight) {
    if (lastStart.isAfter(Instant.MIN) && Duration.between(lastStart, now).compareTo(delay) < 0) {
      violations++;
    }
    if (inFlight > limit) {
      violations++;
    }
    lastStart = now;
    lastDelay = delay;
  }

  void ended(Attempt attempt, FetchOutcome outcome, Decision decision, Instant now) {
    Category category = outcome.category();
    if (!attempt.startedAt().isBefore(judgedFrom)) {
      asked++;
      if (category == Category.SUCCESS) {
        served++;
      } else if (category == Category.RATE_LIMITED) {
        refused++;
      }
    }
    switch (decision.fate()) {
      case Fate.Done _ -> done++;
      case Fate.Failed(Category reason) -> {
        failed++;
        if (reason == Category.RATE_LIMITED) {
          lostToRefusals++;
        }
      }
      case Fate.Retry _,
          Fate.Denied _,
          Fate.Suppressed _,
          Fate.Skipped _,
          Fate.Moved _,
          Fate.Returned _ -> {}
    }
    for (Change change : decision.changes()) {
      if (change instanceof Change.ProbeBegun) {
        probes++;
      }
    }
    settle(attempt, category);
  }

  /**
   * When the search was over.
   *
   * @param refusals how many there had been
   * @param after from the first refusal to then
   */
  public record Settled(int refusals, Duration after) {
    Settled worse(Settled other) {
      return new Settled(
          Math.max(refusals, other.refusals),
          after.compareTo(other.after) > 0 ? after : other.after);
    }
  }

  private void settle(Attempt attempt, Category category) {
    if (settled.isPresent()) {
      return;
    }
    Instant start = attempt.startedAt();
    if (category == Category.RATE_LIMITED) {
      refusals++;
      firstRefusal = firstRefusal.or(() -> Optional.of(start));
      row.clear();
    } else if (category == Category.SUCCESS && firstRefusal.isPresent()) {
      row.addLast(start);
      if (row.size() > ROW) {
        row.removeFirst();
        double pace =
            Duration.between(row.getFirst(), row.getLast()).toNanos() / (double) (ROW - 1);
        double share = expected.toNanos() / pace;
        if (share >= 0.9 && share <= 1.02) {
          settled =
              Optional.of(
                  new Settled(refusals, Duration.between(firstRefusal.get(), row.getFirst())));
        }
      }
    }
  }

  void closed(Standing standing) {
    closings.add(standing);
  }

  public long asked() {
    return asked;
  }

  public long served() {
    return served;
  }

  public long refused() {
    return refused;
  }

  public long done() {
    return done;
  }

  public long failed() {
    return failed;
  }

  public long probes() {
    return probes;
  }

  /** URLs given up because of refusals; there must be none. */
  public long lostToRefusals() {
    return lostToRefusals;
  }

  /** Starts closer together than the delay, or more in flight than allowed; there must be none. */
  public long violations() {
    return violations;
  }

  /** When the delay was first nearly as good as the oracle's. */
  public Optional<Settled> settled() {
    return settled;
  }

  /** The delay of the last request. */
  public Duration lastDelay() {
    return lastDelay;
  }

  /** Every time the domain was closed, and why. */
  public List<Standing> closings() {
    return List.copyOf(closings);
  }
}
