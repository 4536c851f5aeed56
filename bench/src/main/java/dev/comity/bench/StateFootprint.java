package dev.comity.bench;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * How much memory the states of ten thousand domains hold that have all learnt, failed and
 * recovered.
 */
final class StateFootprint {
  private static final int DOMAINS = 10_000;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private StateFootprint() {}

  public static void main(String[] args) throws InterruptedException {
    DomainState[] warmUp = new DomainState[DOMAINS];
    fill(warmUp);
    long before = used();
    DomainState[] states = new DomainState[DOMAINS];
    fill(states);
    long bytes = used() - before;
    System.out.printf(
        "%d states: %.2f MB, %d bytes each (%s, %s)%n",
        DOMAINS,
        bytes / 1e6,
        bytes / DOMAINS,
        warmUp[0].standing().status(),
        states[1].standing().status());
  }

  private static void fill(DomainState[] states) {
    DomainPolicy policy = new DomainPolicy(PolicySettings.DEFAULTS);
    SplittableRandom random = new SplittableRandom(1);
    for (int number = 0; number < states.length; number++) {
      DomainState state = policy.claimed(DomainState.FRESH, START);
      Instant now = START;
      for (int request = 0; request < 300 && state.standing().mayBeAsked(); request++) {
        now = now.plusSeconds(400);
        CrawlUrl url = CrawlUrl.of("http://site" + number + ".example/" + request);
        Attempt attempt = new Attempt(url, Kind.PAGE, 1, now, policy.pace(state).effective());
        state = policy.started(state, attempt);
        state =
            policy.decide(state, attempt, answer(random.nextInt(60)), now.plusMillis(80)).state();
      }
      states[number] = state;
    }
  }

  private static Fetched answer(int draw) {
    FetchOutcome outcome =
        switch (draw) {
          case 0 -> new RateLimited(429, Optional.of(Duration.ofSeconds(30)));
          case 1 -> new ServerError(500);
          default -> new Success(200, Headers.NONE, Body.EMPTY);
        };
    return new Fetched(
        outcome, Optional.of(Duration.ofMillis(50 + draw)), Duration.ofMillis(120), 0);
  }

  private static long used() throws InterruptedException {
    for (int round = 0; round < 5; round++) {
      System.gc();
      Thread.sleep(50);
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
