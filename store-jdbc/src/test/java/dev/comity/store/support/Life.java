package dev.comity.store.support;

import dev.comity.core.outcome.Announced;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.outcome.FetchOutcome.Challenge;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.DnsFailed;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.LegallyBlocked;
import dev.comity.core.outcome.FetchOutcome.LoginRequired;
import dev.comity.core.outcome.FetchOutcome.PaymentRequired;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.FetchOutcome.TlsFailed;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.Turn;
import dev.comity.core.policy.VisitTime;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.policy.settings.ProbeStyle;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.gen.Draw;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One domain's life under the policy: moods of the site, changing limits, crashes, operators. */
public final class Life {
  private static final List<Kind> KINDS = List.of(Kind.values());
  private static final List<FetchOutcome> FAILURES =
      List.of(
          new Forbidden(403),
          new Challenge(200),
          new LoginRequired(200),
          new ServerError(500),
          new TimedOut("no answer"),
          new ConnectionFailed("reset"),
          new TlsFailed("expired"),
          new DnsFailed("no address"),
          new PaymentRequired(402, Optional.of("USD 0.01")),
          new LegallyBlocked(451));
  private static final List<FetchOutcome> ANSWERS =
      List.of(new ClientError(404), new ClientError(408), new Cancelled());
  private static final List<CrawlUrl> HOMES =
      List.of(
          CrawlUrl.of("http://site.example/"),
          CrawlUrl.of("http://www.site.example/"),
          CrawlUrl.of("https://site.example/"),
          CrawlUrl.of("https://www.site.example/"));
  private static final FetchOutcome PAGE = new Success(200, Headers.NONE, Body.EMPTY);

  private final Draw draw;
  private final DomainPolicy policy;
  private final List<Attempt> open = new ArrayList<>();
  private DomainState state = DomainState.FRESH;
  private Instant now = States.NOON;
  private int refusesOnceIn = 1_000;
  private int failsOnceIn = 1_000;
  private FetchOutcome failure = PAGE;

  /** A steady site has a limit, refuses what follows more closely, and does nothing else. */
  private Optional<Duration> limit = Optional.empty();

  /** Whether delays up to half longer than the limit are refused now and then, too. */
  private boolean unsharp;

  private Life(Draw draw) {
    this.draw = draw;
    PolicySettings usual = PolicySettings.DEFAULTS;
    this.policy =
        new DomainPolicy(
            draw.onceIn(4) ? usual.with(usual.learning().withStyle(ProbeStyle.STEP)) : usual);
  }

  /** Where a domain is at some moment of its life. */
  public static DomainState drawn(Draw draw) {
    Life life = new Life(draw);
    if (draw.onceIn(10)) {
      return life.steady();
    }
    int steps = draw.logUniform(3_000);
    for (int step = 0; step < steps; step++) {
      if (draw.onceIn(100)) {
        life.changeMood();
      }
      if (draw.onceIn(60)) {
        life.disturb();
      }
      life.step();
    }
    return life.state;
  }

  /** A long life at a site with a limit, for what is learnt only after thousands of requests. */
  private DomainState steady() {
    limit = Optional.of(Duration.ofMillis(1_100 + draw.below(3_000)));
    int steps = 3_000 + draw.below(12_000);
    unsharp = draw.onceIn(2);
    for (int step = 0; step < steps; step++) {
      if (step % 1_500 == 0) {
        refusesOnceIn = draw.onceIn(2) && !unsharp ? 20 + draw.below(40) : 1_000_000;
      }
      step();
    }
    return state;
  }

  private void changeMood() {
    refusesOnceIn = 1 + draw.logUniform(1_000);
    failsOnceIn = draw.onceIn(2) ? 1 + draw.below(2) : 50 + draw.below(1_000);
    failure = draw.from(FAILURES);
  }

  private void step() {
    switch (policy.turn(state, InFlight.started(open.size()), now)) {
      case Turn.Fetch(Duration delay) -> start(delay);
      case Turn.WaitUntil(Instant at, Turn.Why _) -> waitUntil(at);
      case Turn.Park(Instant until, Turn.Why _) -> waitUntil(until);
      case Turn.WaitForEvent _ -> answer();
      case Turn.Stop(Standing standing) -> {
        if (open.isEmpty()) {
          reopen(standing);
        } else {
          answer();
        }
      }
    }
  }

  private void start(Duration delay) {
    String site = draw.onceIn(4) ? "http://[2001:db8::7]:8080/" : "https://site.example/";
    CrawlUrl url = CrawlUrl.of(site + draw.logUniform(1_000));
    Kind kind = draw.onceIn(10) ? draw.from(KINDS) : Kind.PAGE;
    Attempt attempt = new Attempt(url, kind, 1 + draw.below(5), now, delay);
    if (draw.onceIn(10)) {
      state = policy.startFailed(state, now);
    } else {
      state = policy.started(state, attempt);
      open.add(attempt);
    }
  }

  private void waitUntil(Instant at) {
    if (open.isEmpty() || draw.onceIn(2)) {
      now = at;
    } else {
      answer();
    }
  }

  private void answer() {
    now = now.plusNanos(1 + draw.logUniform(2_000_000_000));
    Attempt attempt = open.remove(draw.below(open.size()));
    Duration took = Duration.between(attempt.startedAt(), now);
    Decision decision =
        policy.decide(
            state,
            attempt,
            new Fetched(outcome(attempt.delay()), Optional.of(took), took, 0)
                .announcing(announced()),
            now);
    state = decision.state();
    if (attempt.kind() == Kind.ROBOTS) {
      state =
          decision.fate() instanceof Fate.Retry
              ? policy.robotsTried(state, attempt.url().authority(), failure.category(), now)
              : policy.robotsAnswered(state, attempt.url().authority());
    }
  }

  private Announced announced() {
    return limit.isEmpty() && draw.onceIn(20)
        ? new Announced(Duration.ZERO, Duration.ofMillis(draw.logUniform(5_000)))
        : Announced.NOTHING;
  }

  private FetchOutcome outcome(Duration delay) {
    if (limit.isPresent()) {
      long over = limit.get().minus(delay).toMillis();
      boolean near = unsharp && over > -limit.get().toMillis() / 2 && draw.onceIn(60);
      boolean refused = over > 0 || near || draw.onceIn(refusesOnceIn);
      return refused ? new RateLimited(429, Optional.empty()) : PAGE;
    }
    if (draw.onceIn(refusesOnceIn)) {
      return new RateLimited(
          429,
          draw.onceIn(5)
              ? Optional.of(Duration.ofSeconds(draw.logUniform(10_000_000)))
              : Optional.empty());
    }
    return draw.onceIn(failsOnceIn) ? failure : draw.onceIn(30) ? draw.from(ANSWERS) : PAGE;
  }

  private void disturb() {
    boolean idle = open.isEmpty();
    boolean asked = state.standing().mayBeAsked();
    switch (draw.below(12)) {
      case 0 -> limit(state.limits().withCrawlDelay(Duration.ofMillis(draw.logUniform(20_000))));
      case 1 -> limit(state.limits().withMinimum(Duration.ofMillis(draw.logUniform(3_000))));
      case 2 -> limit(state.limits().withConcurrency(1 + draw.below(8)));
      case 3 -> {
        if (asked) {
          open.clear(); // A crash: what was in flight is forgotten.
          state = policy.takenOver(state, now);
        }
      }
      case 4 -> {
        if (asked && idle) {
          state = policy.claimed(state, now);
        }
      }
      case 5 -> {
        if (idle && state.standing().status() == DomainStatus.ACTIVE) {
          state = policy.emptied(state, now);
        }
      }
      case 6 -> state = policy.takenBack(state, now.minusSeconds(10));
      case 7 -> {
        if (asked && draw.onceIn(4)) {
          state = policy.denied(state, now);
        }
      }
      case 8 -> state = policy.redirected(state, draw.from(HOMES), draw.from(HOMES));
      case 9 -> state = draw.onceIn(4) ? policy.blocked(state) : state;
      case 10 -> limit(state.limits().withVisitTime(Optional.of(hours())));
      default -> state = draw.onceIn(4) ? policy.reset(state, now) : state;
    }
  }

  private VisitTime hours() {
    return new VisitTime(draw.below(1440), draw.below(1440));
  }

  private void limit(Limits limits) {
    state = policy.limited(state, limits);
  }

  private void reopen(Standing standing) {
    if (!draw.onceIn(20)) {
      return; // So that many lives are looked at while their domain is closed.
    }
    if (standing.status() == DomainStatus.EXHAUSTED) {
      state = draw.onceIn(2) ? policy.arrival(state) : policy.claimed(state, now);
    } else if (standing.permanent()) {
      state = policy.reset(state, now);
    } else {
      now = standing.until().orElseThrow();
      state = draw.onceIn(2) ? policy.cooled(state, now) : policy.claimed(state, now);
    }
  }
}
