package dev.comity.core.policy.support;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.Turn;
import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Plays a domain's life for a test: it waits as told, starts requests and hands in answers. */
public final class Script {
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  public static final FetchOutcome OK = new Success(200, Headers.NONE, Body.EMPTY);
  public static final FetchOutcome REFUSED = new RateLimited(429, Optional.empty());
  public static final FetchOutcome BROKEN = new ServerError(500);
  public static final FetchOutcome MISSING = new ClientError(404);
  public static final Duration LATENCY = Duration.ofMillis(100);

  public final DomainPolicy policy;
  public DomainState state;
  public Instant now = START;
  private int urls;

  public Script(PolicySettings settings) {
    policy = new DomainPolicy(settings);
    state = policy.claimed(DomainState.FRESH, START);
  }

  /** A domain with default settings. */
  public static Script play() {
    return new Script(PolicySettings.DEFAULTS);
  }

  /** A domain that is never blocked for refusing. */
  public static Script playUnblocked() {
    return new Script(
        PolicySettings.DEFAULTS.with(LearningSettings.DEFAULTS.withCancelAfter(Integer.MAX_VALUE)));
  }

  public static FetchOutcome refusedFor(Duration retryAfter) {
    return new RateLimited(429, Optional.of(retryAfter));
  }

  public static CrawlUrl url(int number) {
    return CrawlUrl.of("http://site.test/" + number);
  }

  /** Starts a request for a URL not asked before, as soon as the policy lets it. */
  public Attempt start() {
    return start(url(urls++), Kind.PAGE, 1);
  }

  public Attempt start(CrawlUrl url, Kind kind, int ordinal) {
    return switch (policy.turn(state, InFlight.NONE, now)) {
      case Turn.Fetch(Duration delay) -> {
        Attempt attempt = new Attempt(url, kind, ordinal, now, delay);
        state = policy.started(state, attempt);
        yield attempt;
      }
      case Turn.WaitUntil(Instant at, Turn.Why _) -> {
        now = at;
        yield start(url, kind, ordinal);
      }
      case Turn.Park(Instant until, Turn.Why _) -> {
        now = until;
        yield start(url, kind, ordinal);
      }
      case Turn.WaitForEvent wait -> throw new AssertionError("nothing is in flight: " + wait);
      case Turn.Stop stop -> throw new AssertionError("closed: " + stop);
    };
  }

  public Decision answer(Attempt attempt, FetchOutcome outcome) {
    Decision decision =
        policy.decide(state, attempt, new Fetched(outcome, Optional.empty(), LATENCY, 0), now);
    state = decision.state();
    return decision;
  }

  /** One request from start to settling, a tenth of a second long. */
  public Decision ask(FetchOutcome outcome) {
    Attempt attempt = start();
    now = now.plus(LATENCY);
    return answer(attempt, outcome);
  }

  public Decision ask(CrawlUrl url, Kind kind, int ordinal, FetchOutcome outcome) {
    Attempt attempt = start(url, kind, ordinal);
    now = now.plus(LATENCY);
    return answer(attempt, outcome);
  }

  /** So many requests in a row with the same outcome. */
  public Script times(int count, FetchOutcome outcome) {
    for (int i = 0; i < count; i++) {
      ask(outcome);
    }
    return this;
  }

  public Duration delay() {
    return policy.pace(state).effective();
  }

  public Duration rest() {
    return Duration.between(now, state.slots().restUntil());
  }

  public static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1000));
  }
}
