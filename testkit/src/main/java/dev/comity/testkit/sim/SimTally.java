package dev.comity.testkit.sim;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.Attempt;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.Learning;
import dev.comity.core.policy.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is counted of one simulated domain, and what must never happen to it. */
public final class SimTally {
  private Instant judgedFrom = Instant.MIN;
  private Instant lastStart = Instant.MIN;
  private Duration lastDelay = Duration.ZERO;
  private Optional<Instant> settledAt = Optional.empty();
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
    Learning learning = decision.state().learning();
    if (settledAt.isEmpty() && settled(learning)) {
      settledAt = Optional.of(now);
    }
  }

  private static boolean settled(Learning learning) {
    if (learning.probe().isPresent() || learning.incident().isPresent()) {
      return false;
    }
    if (learning.refused().isEmpty()) {
      return false;
    }
    double learned = learning.learned().toMillis();
    double gap = learned - learning.refused().get().toMillis();
    return gap <= Math.max(learned / 10, 50);
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

  /** When the delay was first as good as it gets. */
  public Optional<Instant> settledAt() {
    return settledAt;
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
