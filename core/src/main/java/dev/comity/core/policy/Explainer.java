package dev.comity.core.policy;

import static dev.comity.core.policy.Explanation.seconds;

import dev.comity.core.policy.Explanation.Considered;
import dev.comity.core.policy.Learning.Probe;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Puts a domain's state into words. It decides nothing: it reads what the rules would do. */
final class Explainer {
  private final PolicySettings settings;

  Explainer(PolicySettings settings) {
    this.settings = settings;
  }

  Explanation explain(DomainState state, Turn turn, Instant now) {
    return new Explanation(
        Pace.of(state, settings),
        considered(state),
        Pace.concurrency(state, settings),
        next(state, turn, now),
        waiting(turn),
        toChange(state));
  }

  private List<Considered> considered(DomainState state) {
    List<Considered> rules = new ArrayList<>();
    rules.add(new Considered(Pace.Rule.MINIMUM, Pace.minimum(state.limits(), settings.pace())));
    add(rules, Pace.Rule.CRAWL_DELAY, state.limits().crawlDelay());
    boolean probing = state.learning().probe().isPresent();
    add(rules, probing ? Pace.Rule.PROBE : Pace.Rule.LEARNED, state.learning().learned());
    add(rules, Pace.Rule.LATENCY, Pace.byLatency(state, settings.latency()));
    return List.copyOf(rules);
  }

  private static void add(List<Considered> rules, Pace.Rule rule, Duration delay) {
    if (delay.isPositive()) {
      rules.add(new Considered(rule, delay));
    }
  }

  private Optional<Instant> next(DomainState state, Turn turn, Instant now) {
    return switch (turn) {
      case Turn.Fetch _ -> Optional.of(now);
      case Turn.WaitUntil(Instant at, Turn.Why _) -> Optional.of(at);
      case Turn.Park(Instant until, Turn.Why _) -> Optional.of(until);
      case Turn.WaitForEvent _ -> {
        Instant slot = state.slots().next(Pace.effective(state, settings));
        yield Optional.of(slot.isAfter(now) ? slot : now);
      }
      case Turn.Stop(Standing standing) -> standing.until();
    };
  }

  private static Optional<String> waiting(Turn turn) {
    return switch (turn) {
      case Turn.Fetch _ -> Optional.empty();
      case Turn.WaitUntil(Instant _, Turn.Why why) -> Optional.of(why.words());
      case Turn.Park(Instant _, Turn.Why why) ->
          Optional.of(why.words() + "; the domain is parked");
      case Turn.WaitForEvent(Turn.Why why) -> Optional.of(why.words());
      case Turn.Stop(Standing standing) -> Optional.of(closed(standing));
    };
  }

  private static String closed(Standing standing) {
    String status = standing.status().name().toLowerCase(Locale.ROOT);
    return standing
        .reason()
        .map(reason -> status + " for " + reason.name().toLowerCase(Locale.ROOT))
        .orElse(status);
  }

  private List<String> toChange(DomainState state) {
    List<String> changes = new ArrayList<>();
    Learning learning = state.learning();
    if (state.standing().permanent()) {
      changes.add("an operator's reset opens the domain");
    } else if (state.standing().until().isPresent()) {
      changes.add("the cooldown ends at " + state.standing().until().get());
    }
    if (learning.incident().isPresent()) {
      changes.add(
          "one success ends the incident of "
              + learning.refusalsInARow()
              + " refusals and brings the learned delay to "
              + seconds(learning.incident().get().taught()));
    } else if (learning.probe().isPresent()) {
      probing(learning, learning.probe().get(), changes);
    } else if (learning.learned().compareTo(Pace.base(state, settings)) > 0) {
      changes.add(searching(learning));
    }
    if (!state.failures().streak().isEmpty()) {
      int left = settings.failures().closeAfter() - state.failures().streak().size();
      changes.add(left + " more failing URLs in a row close the domain; one success resets this");
    }
    if (changes.isEmpty()) {
      changes.add("a refusal would make the delay longer, another setting would replace it");
    }
    return List.copyOf(changes);
  }

  private String searching(Learning learning) {
    int left = settings.learning().probeAfter() - learning.row();
    if (left > 0 || learning.refused().isEmpty()) {
      return Math.max(0, left) + " more successes in a row allow a shorter delay to be tried";
    }
    long before = settings.learning().successesBeforeRetry(learning.recheck(), learning.learned());
    return seconds(learning.refused().get())
        + " was refused and is tried again after "
        + Math.max(0, before - learning.recheck().successes())
        + " more successes at the earliest";
  }

  private void probing(Learning learning, Probe probe, List<String> changes) {
    int needed =
        probe.retry() ? settings.learning().retryStandsAfter() : settings.learning().standsAfter();
    changes.add(
        Math.max(0, needed - learning.row())
            + " more successes and "
            + seconds(learning.learned())
            + " stands; a refusal brings back "
            + seconds(probe.from()));
  }
}
