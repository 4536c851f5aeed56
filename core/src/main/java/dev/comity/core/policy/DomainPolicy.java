package dev.comity.core.policy;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Answer;
import dev.comity.core.outcome.FetchOutcome.Pushback;
import dev.comity.core.outcome.FetchOutcome.Unreachable;
import dev.comity.core.outcome.FetchOutcome.Unsent;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides when a domain may be asked and what an answer means.
 *
 * @param minimum the shortest time between two starts on one domain; zero or less for none
 */
public record DomainPolicy(Duration minimum) {
  private static final int FAILURES_THAT_CLOSE = 5;
  private static final Duration LONGEST_REST = Duration.ofMinutes(5);

  /**
   * The time that passes between two starts: the longer of our minimum and the site's Crawl-delay.
   */
  public Duration delay(DomainState state) {
    return state.crawlDelay().compareTo(minimum) > 0 ? state.crawlDelay() : minimum;
  }

  public Turn turn(DomainState state, int inFlight, Instant now) {
    if (state.failures() >= FAILURES_THAT_CLOSE) {
      return new Turn.Stop("robots.txt could not be read " + state.failures() + " times in a row");
    }
    if (inFlight > 0) {
      return new Turn.WaitForAnswer();
    }
    if (state.restUntil().isAfter(now)) {
      return new Turn.WaitUntil(state.restUntil(), "resting after a failure");
    }
    return state
        .lastStart()
        .map(start -> start.plus(delay(state)))
        .filter(slot -> slot.isAfter(now))
        .<Turn>map(
            slot ->
                new Turn.WaitUntil(
                    slot, "keeping " + delay(state).toMillis() + " ms between starts"))
        .orElseGet(Turn.Fetch::new);
  }

  /**
   * The first byte of a request was written, or would have been: the next slot opens a delay after
   * it.
   */
  public DomainState started(DomainState state, Instant at) {
    return state.withLastStart(at);
  }

  /** One of the domain's robots.txt files was read. */
  public DomainState asked(DomainState state, Duration crawlDelay) {
    return crawlDelay.compareTo(state.crawlDelay()) > 0 ? state.withCrawlDelay(crawlDelay) : state;
  }

  public Decision decide(DomainState state, Attempt attempt, FetchOutcome outcome, Instant now) {
    return switch (attempt.kind()) {
      case ROBOTS -> new Decision(robots(state, outcome, now), new Fate.Done());
      case PAGE -> new Decision(state, page(outcome));
    };
  }

  private static Fate page(FetchOutcome outcome) {
    return switch (outcome) {
      case FetchOutcome.TooLarge _, FetchOutcome.Undecodable _, FetchOutcome.WrongType _ ->
          new Fate.Failed(outcome.category());
      case Answer _ -> new Fate.Done();
      case Pushback _, Unreachable _, Unsent _ -> new Fate.Failed(outcome.category());
    };
  }

  private static DomainState robots(DomainState state, FetchOutcome outcome, Instant now) {
    return switch (outcome) {
      case FetchOutcome.ServerError _, FetchOutcome.RateLimited _, Unreachable _, Unsent _ -> {
        int failures = state.failures() + 1;
        Duration rest = Duration.ofSeconds(1L << Math.min(failures, 9));
        yield state.withFailures(
            failures, now.plus(rest.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : rest));
      }
      case Answer _, Pushback _ -> state.withFailures(0, state.restUntil());
    };
  }
}
