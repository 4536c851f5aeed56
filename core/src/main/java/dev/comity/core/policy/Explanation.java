package dev.comity.core.policy;

import dev.comity.core.util.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Why a domain is asked as often as it is, as data and in words.
 *
 * @param pace the delay now, and the rule that sets it
 * @param considered every rule that has a say, and what it asks for
 * @param concurrency how many requests may be in flight
 * @param next when the next request may start; empty where that is not a matter of time
 * @param waiting why none may start now; empty if one may
 * @param toChange what would have to happen for the delay or the wait to change
 */
public record Explanation(
    Pace pace,
    List<Considered> considered,
    int concurrency,
    Optional<Instant> next,
    Optional<String> waiting,
    List<String> toChange) {

  /** One rule's say in the delay. */
  public record Considered(Pace.Rule rule, Duration delay) {}

  /** The whole as lines of text. */
  public String words() {
    StringBuilder words = new StringBuilder();
    words.append("delay ").append(Durations.seconds(pace.effective())).append(", set by ");
    words.append(pace.rule().words()).append('\n');
    for (Considered rule : considered) {
      words.append("  ").append(rule.rule().words()).append(": ");
      words.append(Durations.seconds(rule.delay())).append('\n');
    }
    words.append("in flight at most ").append(concurrency).append('\n');
    words.append("next request: ");
    words.append(next.map(Instant::toString).orElse("none is planned"));
    words.append(waiting.map(why -> " (" + why + ")").orElse("")).append('\n');
    for (String change : toChange) {
      words.append("- ").append(change).append('\n');
    }
    return words.toString();
  }
}
