package dev.comity.bench;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.Turn;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What one request costs in decisions: one turn, one start, one outcome judged. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PolicyBenchmark {
  private static final CrawlUrl URL = CrawlUrl.of("http://site.example/page");

  /**
   * How often the site refuses: never, or once in so many requests, so that it is learning all the
   * time.
   */
  @Param({"0", "150"})
  int refusedEvery;

  private final DomainPolicy policy = new DomainPolicy(PolicySettings.DEFAULTS);
  private final Fetched served = fetched(new Success(200, Headers.NONE, Body.EMPTY));
  private final Fetched refused = fetched(new RateLimited(429, Optional.empty()));
  private DomainState state = DomainState.FRESH;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private int requests;

  @Setup
  public void claim() {
    state = policy.claimed(DomainState.FRESH, now);
  }

  @Benchmark
  public DomainState turnAndDecide() {
    Turn turn = policy.turn(state, InFlight.NONE, now);
    while (turn instanceof Turn.WaitUntil(var at, _)) {
      now = at;
      turn = policy.turn(state, InFlight.NONE, now);
    }
    if (!(turn instanceof Turn.Fetch(var delay))) {
      throw new IllegalStateException("not its turn: " + turn);
    }
    Attempt attempt = new Attempt(URL, Kind.PAGE, 1, now, delay);
    state = policy.started(state, attempt);
    now = now.plusMillis(100);
    boolean refusal = refusedEvery > 0 && ++requests % refusedEvery == 0;
    Decision decision = policy.decide(state, attempt, refusal ? refused : served, now);
    state = decision.state();
    return state;
  }

  private static Fetched fetched(FetchOutcome outcome) {
    return new Fetched(outcome, Optional.of(Duration.ofMillis(90)), Duration.ofMillis(100), 0);
  }
}
