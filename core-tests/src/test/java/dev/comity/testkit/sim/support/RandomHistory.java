package dev.comity.testkit.sim.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.outcome.FetchOutcome.Challenge;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.LegallyBlocked;
import dev.comity.core.outcome.FetchOutcome.LoginRequired;
import dev.comity.core.outcome.FetchOutcome.PaymentRequired;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.Turn;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.learning.Noise;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Lifecycle;
import dev.comity.core.policy.lifecycle.Lifecycle.Transition;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.policy.settings.ProbeStyle;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.sim.SimReplies;
import dev.comity.testkit.sim.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One domain's life drawn from a seed: moods of the site, answers that overtake each other, limits
 * that change, restarts and takeovers, cooldowns, operators. After every step the invariants are
 * checked.
 */
public final class RandomHistory {

  /** What all histories together have seen, to know that they are wild enough. */
  public static final class Seen {
    private final Set<String> missing =
        new HashSet<>(
            List.of(
                "Fetch",
                "WaitUntil",
                "WaitForEvent",
                "Park",
                "Stop",
                "Throttle",
                "IncidentOpened",
                "RefusedAgain",
                "IncidentEnded",
                "ProbeBegun",
                "ProbeStood",
                "ProbeEnded",
                "Concurrency",
                "Closed",
                "AuthorityGivenUp",
                "retry begun"));
    private final Set<Transition> unwalked = new HashSet<>(Lifecycle.TABLE);

    void thing(Object thing) {
      missing.remove(thing.getClass().getSimpleName());
      if (thing instanceof Change.ProbeBegun probe && probe.retry()) {
        missing.remove("retry begun");
      }
    }

    public Set<Object> missing() {
      Set<Object> all = new HashSet<>(missing);
      all.addAll(unwalked);
      return all;
    }
  }

  private static final List<Kind> KINDS = List.of(Kind.values());

  private record Open(Attempt attempt, Instant endsAt) {}

  private final PolicySettings settings;
  private final DomainPolicy policy;
  private final SplittableRandom random;
  private final Seen seen;
  private final List<Open> open = new ArrayList<>();
  private DomainState state = DomainState.FRESH;
  private Instant now = Simulation.START;
  private Instant lastStart = Instant.MIN;
  private double refusing;
  private double failing;
  private int urls;
  private Optional<Duration> limit = Optional.empty();

  public RandomHistory(PolicySettings settings, long seed, Seen seen) {
    this.settings = settings;
    this.policy = new DomainPolicy(settings);
    this.random = new SplittableRandom(seed);
    this.seen = seen;
  }

  public void run(int steps) {
    if (random.nextBoolean()) {
      claim();
    }
    for (int i = 0; i < steps; i++) {
      if (random.nextInt(150) == 0) {
        refusing = Math.pow(10, -3 * random.nextDouble());
        failing = random.nextInt(4) == 0 ? 0.8 : 0.02 * random.nextDouble();
      }
      if (random.nextInt(100) == 0) {
        disturb();
      }
      step();
      invariants();
    }
  }

  /** A site that refuses whatever is closer together than this, and nothing else. */
  public void runLimited(Duration allowed, int steps) {
    limit = Optional.of(allowed);
    claim();
    for (int i = 0; i < steps; i++) {
      step();
      invariants();
    }
  }

  private void step() {
    Turn turn = policy.turn(state, InFlight.started(open.size()), now);
    seen.thing(turn);
    switch (turn) {
      case Turn.Fetch(Duration delay) -> start(delay);
      case Turn.WaitUntil(Instant at, Turn.Why _) -> advance(Optional.of(at));
      case Turn.Park(Instant until, Turn.Why _) -> advance(Optional.of(until));
      case Turn.WaitForEvent _ -> advance(Optional.empty());
      case Turn.Stop _ -> {
        if (open.isEmpty()) {
          reopen();
        } else {
          advance(Optional.empty());
        }
      }
    }
  }

  private void start(Duration delay) {
    // Invariant 4, 5, 7: spacing, requests in flight, rests and cooldowns.
    if (lastStart.isAfter(Instant.MIN)) {
      assertThat(Duration.between(lastStart, now)).isGreaterThanOrEqualTo(delay);
    }
    assertThat(now).isAfterOrEqualTo(state.slots().restUntil());
    assertThat(delay).isGreaterThanOrEqualTo(base());
    assertThat(delay).isGreaterThanOrEqualTo(state.learning().learned());
    long over = delay.minus(base()).dividedBy(Duration.ofSeconds(5));
    boolean refused = state.learning().incident().isPresent();
    assertThat((long) open.size()).isLessThan(refused ? 1 : Math.max(1, 5 - over));
    assertThat(state.standing().mayBeAsked()).isTrue();
    boolean again = random.nextInt(5) == 0;
    String authority = random.nextInt(4) > 0 ? "http://site.test/" : "http://www.site.test/";
    CrawlUrl url = CrawlUrl.of(authority + (again ? random.nextInt(10) : urls++));
    Kind kind = random.nextInt(10) > 0 ? Kind.PAGE : KINDS.get(random.nextInt(KINDS.size()));
    Attempt attempt = new Attempt(url, kind, 1 + random.nextInt(5), now, delay);
    state = policy.started(state, attempt);
    lastStart = now;
    long millis = (long) Math.pow(10, 1 + 3 * random.nextDouble());
    open.add(new Open(attempt, now.plusMillis(millis)));
  }

  /** What is set, reckoned without the policy's help. */
  private Duration base() {
    Duration minimum = state.limits().minimum().orElse(Duration.ofSeconds(1));
    Duration crawlDelay = state.limits().crawlDelay();
    return minimum.compareTo(crawlDelay) > 0 ? minimum : crawlDelay;
  }

  /** To the next answer or to the given time, whichever comes first. */
  private void advance(Optional<Instant> until) {
    Optional<Open> next = open.stream().min((a, b) -> a.endsAt().compareTo(b.endsAt()));
    if (next.isPresent() && until.map(at -> !next.get().endsAt().isAfter(at)).orElse(true)) {
      open.remove(next.get());
      now = next.get().endsAt().isAfter(now) ? next.get().endsAt() : now;
      answer(next.get().attempt());
    } else {
      now = until.orElseThrow();
    }
  }

  private void answer(Attempt attempt) {
    DomainStatus before = state.standing().status();
    Duration took = Duration.between(attempt.startedAt(), now);
    Fetched fetched = new Fetched(outcome(attempt.delay()), Optional.of(took), took, 0);
    Decision decision = policy.decide(state, attempt, fetched, now);
    state = decision.state();
    decision.changes().forEach(seen::thing);
    walked(before, Lifecycle.Cause.HOLDER);
  }

  private FetchOutcome outcome(Duration delay) {
    if (limit.isPresent()) {
      return delay.compareTo(limit.get()) < 0
          ? SimReplies.TOO_FAST.outcome()
          : SimReplies.PAGE.outcome();
    }
    if (random.nextDouble() < refusing) {
      long seconds = (long) Math.pow(10, 7 * random.nextDouble());
      return random.nextInt(5) > 0
          ? SimReplies.TOO_FAST.outcome()
          : SimReplies.tooFast(Duration.ofSeconds(random.nextInt(3) > 0 ? seconds % 50 : seconds))
              .outcome();
    }
    if (random.nextDouble() < failing) {
      return switch (random.nextInt(6)) {
        case 0 -> new Forbidden(403);
        case 1 -> new ConnectionFailed("reset");
        case 2 -> new Challenge(200);
        case 3 -> new LoginRequired(200);
        case 4 -> SimReplies.SILENCE.outcome();
        default -> SimReplies.BROKEN.outcome();
      };
    }
    return switch (random.nextInt(30)) {
      case 0 -> new ClientError(404);
      case 1 -> new ClientError(408);
      case 2 -> new Cancelled();
      case 3 -> new PaymentRequired(402, Optional.of("USD 0.01"));
      case 4 -> new LegallyBlocked(451);
      default -> SimReplies.PAGE.outcome();
    };
  }

  private void disturb() {
    DomainStatus before = state.standing().status();
    switch (random.nextInt(8)) {
      case 0 ->
          state =
              policy.limited(
                  state,
                  state.limits().withCrawlDelay(Duration.ofMillis(random.nextInt(1, 20_000))));
      case 1 ->
          state =
              policy.limited(
                  state, state.limits().withMinimum(Duration.ofMillis(random.nextInt(3_000))));
      case 2 -> {
        if (state.standing().mayBeAsked()) {
          open.clear(); // A crash: what was in flight is forgotten.
          state = policy.takenOver(state, now);
          walked(before, Lifecycle.Cause.CLAIM);
          assertThat(policy.turn(state, InFlight.NONE, now))
              .isNotInstanceOf(
                  policy.pace(state).effective().isZero() ? Turn.Stop.class : Turn.Fetch.class);
        }
      }
      case 3 -> {
        if (state.standing().mayBeAsked() && open.isEmpty()) {
          claim();
        }
      }
      case 4 -> {
        if (before == DomainStatus.ACTIVE && open.isEmpty()) {
          state = policy.emptied(state, now);
          walked(before, Lifecycle.Cause.HOLDER);
        }
      }
      case 5 -> {
        state = policy.takenBack(state, now.minusSeconds(10));
        if (before != state.standing().status()) {
          walked(before, Lifecycle.Cause.TAKE_BACK);
        }
      }
      case 6 -> {
        if (random.nextInt(5) == 0) {
          state = policy.blocked(state);
          walked(before, Lifecycle.Cause.BLOCK);
        }
      }
      default -> {
        if (random.nextInt(5) == 0) {
          state = policy.reset(state, now);
          walked(before, Lifecycle.Cause.RESET);
        }
      }
    }
  }

  private void claim() {
    DomainStatus before = state.standing().status();
    state = policy.claimed(state, now);
    walked(before, Lifecycle.Cause.CLAIM);
  }

  private void reopen() {
    DomainStatus before = state.standing().status();
    if (random.nextInt(10) == 0) {
      boolean block = random.nextInt(3) == 0;
      state = block ? policy.blocked(state) : policy.reset(state, now);
      walked(before, block ? Lifecycle.Cause.BLOCK : Lifecycle.Cause.RESET);
      return;
    }
    if (before == DomainStatus.EXHAUSTED) {
      if (random.nextBoolean()) {
        claim();
      } else {
        state = policy.arrival(state);
        walked(before, Lifecycle.Cause.ARRIVAL);
      }
      return;
    }
    if (random.nextInt(4) == 0 && before == DomainStatus.UNREACHABLE) {
      state = policy.takenBack(state, now.minusSeconds(10));
      if (state.standing().mayBeAsked()) {
        walked(before, Lifecycle.Cause.TAKE_BACK);
        return;
      }
    }
    if (state.standing().permanent()) {
      state = random.nextInt(9) > 0 ? policy.reset(state, now) : policy.blocked(state);
      walked(before, state.standing().mayBeAsked() ? Lifecycle.Cause.RESET : Lifecycle.Cause.BLOCK);
      return;
    }
    now = state.standing().until().orElseThrow();
    if (random.nextBoolean()) {
      state = policy.cooled(state, now);
      walked(before, Lifecycle.Cause.COOLDOWN);
    } else {
      claim();
    }
  }

  /** Invariant 8: every transition is in the matrix. */
  private void walked(DomainStatus before, Lifecycle.Cause cause) {
    DomainStatus after = state.standing().status();
    if (before != after || cause != Lifecycle.Cause.HOLDER) {
      assertThat(Lifecycle.allows(before, after, cause))
          .as("%s to %s by %s", before, after, cause)
          .isTrue();
      seen.unwalked.remove(new Transition(before, after, cause));
    }
  }

  /** Invariant 6, and what else must hold between two steps. */
  private void invariants() {
    LearnedDelay learning = state.learning();
    assertThat(learning.learned()).isLessThanOrEqualTo(Duration.ofMinutes(10));
    assertThat(policy.pace(state).effective()).isGreaterThanOrEqualTo(base());
    if (learning.refused().isPresent() && learning.probe().isEmpty()) {
      assertThat(learning.refused().get()).isLessThan(learning.learned());
    }
    if (learning.floor().isPresent() && learning.refused().isPresent()) {
      assertThat(learning.floor().get()).isGreaterThan(learning.refused().get());
    }
    assertThat(learning.evidence().noise().share()).isBetween(0.0, 0.1);
    Noise noise = learning.evidence().noise();
    // A probe may be refused as often as noise would, and by chance a little more often.
    double probing =
        learning.probe().map(it -> 1 + 2.5 * Math.sqrt(noise.share() * it.needed())).orElse(0.0);
    assertThat(noise.credit()).isBetween(0.0, Math.max(8, probing));
    assertThat(learning.evidence().served()).isNotNegative();
    assertThat(policy.concurrency(state)).isBetween(1, 5);
    assertThat(state.failures().streak()).hasSizeLessThanOrEqualTo(5);
    assertThat(state.failures().moments()).isNotNegative();
    assertThat(state.heard().lastAnswer()).isBetween(state.heard().lastSuccess(), now);
    if (settings.learning().style() == ProbeStyle.STEP) {
      assertThat(learning.refused()).isEmpty();
    }
  }
}
