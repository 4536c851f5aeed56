package dev.comity.core.policy;

import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.learning.LearnedDelay.Probe;
import dev.comity.core.policy.settings.PolicySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds what is worth telling by comparing a domain before and after a decision. */
final class Changes {
  private Changes() {}

  static List<Change> between(DomainState before, DomainState after, PolicySettings settings) {
    if (DomainState.same(before.learning(), after.learning())
        && DomainState.same(before.standing(), after.standing())
        && DomainState.same(before.failures(), after.failures())
        && DomainState.same(before.limits(), after.limits())) {
      return List.of(); // The usual case, and the one that must cost nothing.
    }
    List<Change> changes = new ArrayList<>();
    probes(before.learning(), after.learning(), changes);
    incidents(before.learning(), after, changes);
    Duration was = Pace.effective(before, settings);
    Pace is = Pace.of(after, settings);
    if (!was.equals(is.effective())) {
      int inARow = after.learning().refusalsInARow();
      changes.add(new Change.Throttle(was, is.effective(), is.rule(), inARow));
    }
    int open = Pace.concurrency(before, settings);
    int opens = Pace.concurrency(after, settings);
    if (open != opens) {
      changes.add(new Change.Concurrency(open, opens));
    }
    if (before.standing().mayBeAsked() && after.standing().reason().isPresent()) {
      changes.add(new Change.Closed(after.standing()));
    }
    return changes.isEmpty() ? List.of() : List.copyOf(changes);
  }

  private static void probes(LearnedDelay before, LearnedDelay after, List<Change> changes) {
    Optional<Probe> was = before.probe();
    Optional<Probe> is = after.probe();
    if (was.isPresent() && is.isEmpty()) {
      Duration probed =
          before.incident().isPresent() ? before.incident().get().delay() : before.learned();
      if (after.learned().equals(before.learned()) && after.incident().isEmpty()) {
        changes.add(new Change.ProbeStood(probed));
      } else {
        boolean refused = after.refused().equals(Optional.of(probed));
        changes.add(new Change.ProbeEnded(probed, refused));
      }
    } else if (was.isEmpty() && is.isPresent()) {
      changes.add(new Change.ProbeBegun(is.get().from(), after.learned(), is.get().retry()));
    }
  }

  private static void incidents(LearnedDelay before, DomainState after, List<Change> changes) {
    int was = before.refusalsInARow();
    int is = after.learning().refusalsInARow();
    if (was == 0 && is == 1) {
      changes.add(
          new Change.IncidentOpened(
              after.learning().incident().orElseThrow().delay(), after.slots().restUntil()));
    } else if (is > was) {
      changes.add(new Change.RefusedAgain(is, after.slots().restUntil()));
    } else if (is == 0 && was > 0) {
      changes.add(new Change.IncidentEnded(was));
    }
  }

  /** These changes and one more. */
  static List<Change> and(List<Change> changes, Change last) {
    List<Change> longer = new ArrayList<>(changes);
    longer.add(last);
    return List.copyOf(longer);
  }
}
