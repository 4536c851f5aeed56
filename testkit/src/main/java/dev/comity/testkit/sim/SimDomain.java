package dev.comity.testkit.sim;

import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.Attempt;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.Kind;
import dev.comity.core.policy.Lifecycle;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.Standing;
import dev.comity.core.policy.Turn;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
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
  record Request(Attempt attempt, long page) {}

  final SimServer server;
  final SimTally tally;
  private final DomainPolicy policy;
  private final long pages;
  private final PriorityQueue<Waiting> waiting = new PriorityQueue<>();
  private DomainState state;
  private long untried;
  private int inFlight;

  /** When this domain wants to be looked at next; the loop's note. */
  long wakeAt = Long.MAX_VALUE;

  public SimDomain(
      DomainPolicy policy, SimServer server, Limits limits, long pages, Instant start) {
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
    return turn;
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
    return new Request(attempt, again.page());
  }

  Decision settle(Request request, Fetched fetched, Instant now) {
    inFlight--;
    Decision decision = policy.decide(state, request.attempt(), fetched, now);
    Standing before = state.standing();
    state = decision.state();
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
}
