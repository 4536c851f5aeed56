package dev.comity.testkit.sim;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.SharedBudgets;
import dev.comity.core.policy.Turn;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.lifecycle.Lifecycle;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * One domain of the simulated web: what the engine, the frontier and the store do for it in a real
 * crawl, in as few lines as show the policy's work.
 */
public final class SimDomain {
  /** As many different URLs as any rule can tell apart. */
  private static final CrawlUrl[] URLS = new CrawlUrl[1024];

  static {
    for (int i = 0; i < URLS.length; i++) {
      URLS[i] = CrawlUrl.of("http://site.test/" + i);
    }
  }

  private record Waiting(Instant due, long page, int ordinal) implements Comparable<Waiting> {
    @Override
    public int compareTo(Waiting other) {
      int byDue = due.compareTo(other.due);
      return byDue != 0 ? byDue : Long.compare(page, other.page);
    }
  }

  /** A request under way. */
  record Request(Attempt attempt, long page, Optional<Duration> shared) {}

  final SimServer server;
  final SimTally tally;
  private final DomainPolicy policy;
  private final long pages;
  private final PriorityQueue<Waiting> waiting = new PriorityQueue<>();
  private final Optional<Neighbours> neighbours;
  private DomainState state;
  private long untried;
  private int inFlight;

  /** When this domain wants to be looked at next; the loop's note. */
  long wakeAt = Long.MAX_VALUE;

  /**
   * What a domain has in common with others at its address.
   *
   * @param name this domain among them
   */
  record Neighbours(SharedBudgets budgets, DomainName name) {
    private static final String ADDRESS = "192.0.2.1";
  }

  public SimDomain(
      DomainPolicy policy, SimServer server, Limits limits, long pages, Instant start) {
    this(policy, server, limits, pages, start, Optional.empty());
  }

  SimDomain(
      DomainPolicy policy,
      SimServer server,
      Limits limits,
      long pages,
      Instant start,
      Optional<Neighbours> neighbours) {
    this.neighbours = neighbours;
    this.policy = policy;
    this.server = server;
    this.pages = pages;
    this.tally = new SimTally();
    this.state = policy.limited(policy.claimed(DomainState.FRESH, start), limits);
  }

  /** The domain's state now. */
  public DomainState state() {
    return state;
  }

  /** Whether every page has met its fate. */
  public boolean finished() {
    return untried == pages && waiting.isEmpty() && inFlight == 0;
  }

  /** What was counted. */
  public SimTally tally() {
    return tally;
  }

  Turn turn(Instant now) {
    if (Lifecycle.cooledDown(state.standing(), now)) {
      state = policy.claimed(policy.cooled(state, now), now);
    }
    Turn turn = policy.turn(state, InFlight.started(inFlight), now);
    boolean nothingDue =
        untried == pages && (waiting.isEmpty() || waiting.peek().due().isAfter(now));
    if (turn instanceof Turn.Fetch && nothingDue) {
      return waiting.isEmpty()
          ? new Turn.WaitForEvent(Turn.Why.CONCURRENCY)
          : new Turn.WaitUntil(waiting.peek().due(), Turn.Why.DELAY);
    }
    if (turn instanceof Turn.Fetch) {
      return among(turn, now);
    }
    neighbours.ifPresent(it -> it.budgets().leave(Neighbours.ADDRESS, it.name()));
    return turn;
  }

  /** As the engine does once the address is known. */
  private Turn among(Turn turn, Instant now) {
    Optional<Instant> later =
        neighbours.flatMap(it -> it.budgets().ask(Neighbours.ADDRESS, it.name(), now));
    return later.isPresent() ? new Turn.WaitUntil(later.get(), Turn.Why.DELAY) : turn;
  }

  /** Takes the next URL: untried ones first, then retries that are due. */
  Request start(Duration delay, Instant now) {
    boolean fresh = untried < pages;
    Waiting again = fresh ? new Waiting(now, untried++, 1) : waiting.remove();
    CrawlUrl url = URLS[(int) (again.page() % URLS.length)];
    Attempt attempt = new Attempt(url, Kind.PAGE, again.ordinal(), now, delay);
    state = policy.started(state, attempt);
    inFlight++;
    tally.started(now, delay, policy.concurrency(state), inFlight);
    Optional<Duration> shared =
        neighbours.flatMap(it -> it.budgets().started(Neighbours.ADDRESS, it.name(), now).shared());
    neighbours.ifPresent(it -> it.budgets().left(Neighbours.ADDRESS, it.name(), now));
    return new Request(attempt, again.page(), shared);
  }

  Decision settle(Request request, Fetched fetched, Instant now) {
    inFlight--;
    Decision decision = policy.decide(state, request.attempt(), fetched, now);
    Standing before = state.standing();
    LearnedDelay learned = state.learning();
    state = decision.state();
    neighbours.ifPresent(it -> hear(it, request, fetched, learned, now));
    tally.ended(request.attempt(), fetched.outcome(), decision, now);
    if (before.mayBeAsked() && !state.standing().mayBeAsked()) {
      tally.closed(state.standing());
    }
    if (decision.fate() instanceof Fate.Retry(Instant due, boolean spends)) {
      int ordinal = request.attempt().ordinal() + (spends ? 1 : 0);
      waiting.add(new Waiting(due, request.page(), ordinal));
    }
    return decision;
  }

  private void hear(
      Neighbours all, Request request, Fetched fetched, LearnedDelay before, Instant now) {
    state =
        policy.taught(
            state,
            all.budgets()
                .answered(
                    Neighbours.ADDRESS,
                    all.name(),
                    request.attempt(),
                    request.shared(),
                    fetched.outcome(),
                    before,
                    state.learning(),
                    now),
            all.budgets().sharing(Neighbours.ADDRESS, all.name(), now));
  }
}
