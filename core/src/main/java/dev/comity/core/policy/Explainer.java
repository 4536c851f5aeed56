package dev.comity.core.policy;

import static dev.comity.core.util.Durations.seconds;

import dev.comity.core.policy.Explanation.Considered;
import dev.comity.core.policy.learning.BracketSearch;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.learning.LearnedDelay.Incident;
import dev.comity.core.policy.learning.LearnedDelay.Probe;
import dev.comity.core.policy.learning.StepSearch;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.policy.settings.ProbeStyle;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
        waiting(state, turn),
        toChange(state));
  }

  private List<Considered> considered(DomainState state) {
    List<Considered> rules = new ArrayList<>();
    rules.add(new Considered(Pace.Rule.MINIMUM, Pace.minimum(state.limits(), settings.pace())));
    add(rules, Pace.Rule.CRAWL_DELAY, state.limits().crawlDelay());
    add(rules, Pace.Rule.ANNOUNCED, state.limits().announced());
    boolean probing = state.learning().probe().isPresent();
    add(rules, probing ? Pace.Rule.PROBE : Pace.Rule.LEARNED, state.learning().learned());
    add(rules, Pace.Rule.LATENCY, Pace.byLatency(state, settings.pace()));
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
        Instant slot = Pace.next(state, settings);
        yield Optional.of(slot.isAfter(now) ? slot : now);
      }
      case Turn.Stop(Standing standing) -> standing.until();
    };
  }

  private static Optional<String> waiting(DomainState state, Turn turn) {
    return switch (turn) {
      case Turn.Fetch _ -> Optional.empty();
      case Turn.WaitUntil(Instant _, Turn.Why why) -> Optional.of(why.words(state));
      case Turn.Park(Instant _, Turn.Why why) ->
          Optional.of(why.words(state) + "; the domain is parked");
      case Turn.WaitForEvent(Turn.Why why) -> Optional.of(why.words(state));
      case Turn.Stop(Standing standing) -> Optional.of(closed(standing));
    };
  }

  private static String closed(Standing standing) {
    String status = standing.status().name().toLowerCase(Locale.ROOT);
    return standing
        .reason()
        .map(
            reason ->
                status
                    + " for "
                    + reason.name().toLowerCase(Locale.ROOT)
                    + ": "
                    + standing.words().orElseThrow())
        .orElse(status + ": nothing is left to ask");
  }

  private List<String> toChange(DomainState state) {
    if (!state.standing().mayBeAsked()) {
      return toOpen(state.standing());
    }
    List<String> changes = new ArrayList<>();
    state
        .limits()
        .visitTime()
        .ifPresent(
            hours -> changes.add("requests start from " + hours.words() + ", as robots.txt asks"));
    state.slots().shared().ifPresent(budget -> changes.add(sharing(budget)));
    toLearn(state, changes);
    if (!state.failures().streak().isEmpty()) {
      int left = settings.failures().closeAfter() - state.failures().streak().size();
      changes.add(inARow(left, "failing URL", "close") + " the domain; one success resets this");
    }
    if (!state.failures().walls().isEmpty()) {
      int left = settings.failures().closeAfter() - state.failures().walls().size();
      changes.add(
          inARow(left, "URL", "close") + " the domain if answered 402 or 451; others reset this");
    }
    if (changes.isEmpty()) {
      changes.add("a refusal would make the delay longer, another setting would replace it");
    }
    return List.copyOf(changes);
  }

  /** The budget is in the crawl's memory, so what is known of it has a time. */
  private static String sharing(Sharing budget) {
    return "at "
        + budget.at().truncatedTo(ChronoUnit.SECONDS)
        + " it shared a budget with "
        + (budget.domains() - 1)
        + " other domains that its server refused together: one request per "
        + seconds(budget.delay())
        + " among them; that ends when they are served at a pace at which they were refused,"
        + " or with the crawl";
  }

  private static List<String> toOpen(Standing standing) {
    if (standing.reason().isEmpty()) {
      return List.of("a new URL wakes the domain, or a known one that is due for another look");
    }
    String reset = "an operator's reset opens the domain";
    return standing.until().isPresent()
        ? List.of("the cooldown ends at " + standing.until().get(), reset + " before that")
        : List.of(reset);
  }

  private void toLearn(DomainState state, List<String> changes) {
    LearnedDelay learning = state.learning();
    boolean searching = learning.learned().compareTo(Pace.base(state, settings)) > 0;
    if (learning.probe().isPresent() || searching) {
      bracket(learning).ifPresent(changes::add);
    }
    if (learning.evidence().noise().share() > 0) {
      changes.add(
          String.format(
              Locale.ROOT,
              "%.1f %% of requests are refused whatever the pace; these are borne",
              100 * learning.evidence().noise().share()));
    }
    if (learning.incident().isPresent()) {
      refusing(state, learning.incident().get(), changes);
    } else if (learning.probe().isPresent()) {
      probing(learning, learning.probe().get(), changes);
    } else if (searching) {
      changes.add(searching(learning));
    }
  }

  /** Between which delays the limit lies, as far as is known. */
  private Optional<String> bracket(LearnedDelay learning) {
    if (settings.learning().style() == ProbeStyle.STEP || learning.floor().isEmpty()) {
      return Optional.empty();
    }
    String served = "served at " + seconds(learning.floor().get());
    if (learning.refused().isEmpty()) {
      return Optional.of(served + ", nothing refused");
    }
    boolean settled = learning.probe().isEmpty() && BracketSearch.isSettled(learning);
    return Optional.of(
        "refused at "
            + seconds(learning.refused().get())
            + ", "
            + served
            + (settled ? ": settled" : ""));
  }

  private void refusing(DomainState state, Incident incident, List<String> changes) {
    int inARow = state.learning().refusalsInARow();
    changes.add(
        "one success after "
            + inARow
            + " "
            + plural(inARow, "refusal")
            + (settings.learning().style() == ProbeStyle.STEP
                ? " makes the learned delay " + seconds(incident.taught())
                : " ends them, and what was served sets the delay"));
    RefusalsInARow rules = new RefusalsInARow(settings);
    if (rules.mayBlock()) {
      int left = Math.max(1, RefusalsInARow.BLOCK_AFTER - state.heard().refusals());
      changes.add(
          inARow(left, "refusal", "block") + " the domain, not before " + rules.sureAt(state));
    }
  }

  private String searching(LearnedDelay learning) {
    LearningSettings rules = settings.learning();
    if (rules.style() == ProbeStyle.STEP) {
      return learning.floor().isPresent()
              && learning.learned().compareTo(learning.floor().get()) <= 0
          ? "less than " + seconds(learning.learned()) + " was refused and is not tried again"
          : inARow(Math.max(0, StepSearch.PROBE_AFTER - learning.row()), "success", "allow")
              + " a shorter delay to be tried";
    }
    long left = BracketSearch.successesBeforeNext(learning);
    if (BracketSearch.isSettled(learning)) {
      Duration next = BracketSearch.retried(learning);
      boolean refused = learning.refused().filter(next::equals).isPresent();
      return seconds(next)
          + (refused ? " was refused and is tried again after " : " is tried after ")
          + more(left, "success");
    }
    return more(left, "success") + " and a shorter delay is tried";
  }

  private void probing(LearnedDelay learning, Probe probe, List<String> changes) {
    int needed =
        settings.learning().style() == ProbeStyle.STEP ? StepSearch.STANDS_AFTER : probe.needed();
    changes.add(
        more(Math.max(0, needed - learning.row()), "success")
            + " and "
            + seconds(learning.learned())
            + " stands; a refusal brings back "
            + seconds(probe.from()));
  }

  private static String inARow(long number, String thing, String verb) {
    return more(number, thing) + " in a row " + (number == 1 ? verb + "s" : verb);
  }

  private static String more(long number, String thing) {
    return number + " more " + plural(number, thing);
  }

  private static String plural(long number, String thing) {
    return number == 1 ? thing : thing + (thing.endsWith("s") ? "es" : "s");
  }
}
