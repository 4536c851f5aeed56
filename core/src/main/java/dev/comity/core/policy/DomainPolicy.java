package dev.comity.core.policy;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.learning.DelayLearning;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Lifecycle;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.policy.settings.FailureSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Decides about one domain at a time: when the next request may start, and what an outcome means
 * for the URL and for the domain. It knows no clock and keeps nothing; one instance serves any
 * number of domains and threads.
 */
public final class DomainPolicy {
  /** How long the state of an idle domain is kept where nothing is stored. */
  static final Duration IDLE = Duration.ofHours(1);

  /**
   * A domain that must wait longer is given back meanwhile. A shorter wait is not worth a claim
   * given back and taken again.
   */
  public static final Duration PARK_AFTER = Duration.ofMinutes(10);

  /** A site that asks for a longer wait is left alone until it is reset: it wants no crawler. */
  static final Duration BLOCK_BEYOND = Duration.ofDays(30);

  /** Failures of one robots.txt that give its authority up: as many as URLs that close a domain. */
  public static final int ROBOTS_TRIES = 5;

  private final PolicySettings settings;
  private final DelayLearning delayLearning;
  private final Lifecycle lifecycle;
  private final OutcomeRules outcomes;

  public DomainPolicy(PolicySettings settings) {
    this.settings = settings;
    this.delayLearning = new DelayLearning(settings.learning());
    this.lifecycle = new Lifecycle(settings.cooldowns());
    this.outcomes = new OutcomeRules(settings, delayLearning, lifecycle);
  }

  /** What the holder of this domain should do now. */
  public Turn turn(DomainState state, InFlight inFlight, Instant now) {
    if (!state.standing().mayBeAsked()) {
      return new Turn.Stop(state.standing());
    }
    Duration effective = Pace.effective(state, settings);
    boolean isPaced = effective.isPositive() || state.slots().shared().isPresent();
    if (inFlight.starting() && isPaced) {
      return new Turn.WaitForEvent(Turn.Why.STARTING);
    }
    Instant slot = state.slots().next(effective);
    Instant next = Pace.opensAt(state, slot.isAfter(now) ? slot : now);
    if (now.isBefore(next)) {
      Turn.Why why = next.isAfter(slot) ? Turn.Why.VISIT_TIME : state.slots().whyNot(effective);
      return isLong(effective, next, why, now)
          ? new Turn.Park(next, why)
          : new Turn.WaitUntil(next, why);
    }
    if (inFlight.requests() >= Pace.concurrency(state, settings)) {
      boolean refusing = state.learning().incident().isPresent();
      return new Turn.WaitForEvent(refusing ? Turn.Why.INCIDENT : Turn.Why.CONCURRENCY);
    }
    return new Turn.Fetch(effective);
  }

  /** A delay above the limit parks with every request, however long that one took. */
  private boolean isLong(Duration effective, Instant next, Turn.Why why, Instant now) {
    Duration most = PARK_AFTER;
    return now.plus(most).isBefore(next)
        || (why == Turn.Why.DELAY && effective.compareTo(most) > 0);
  }

  /** The first byte of a request has left; the next slot is counted from there. */
  public DomainState started(DomainState state, Attempt attempt) {
    Contact contact = state.heard();
    return state
        .with(state.slots().startedAt(attempt.startedAt()))
        .with(contact.with(contact.doors().opened(attempt.url())));
  }

  /** The site redirects a page for good: that may speak for every URL of its authority. */
  public DomainState redirected(DomainState state, CrawlUrl url, CrawlUrl target) {
    Contact contact = state.heard();
    return state.with(contact.with(contact.doors().redirected(url, target)));
  }

  /** A request failed before its first byte; it takes up its slot all the same. */
  public DomainState startFailed(DomainState state, Instant now) {
    return state.with(state.slots().startedAt(now));
  }

  /**
   * A worker takes the claim after a clean stop. What seems to lie ahead was stamped by a clock
   * ahead of ours: it is taken to be now, or the domain would freeze. A domain that was active goes
   * on; any other begins anew, so that an old success does not speak for it.
   */
  public DomainState claimed(DomainState state, Instant now) {
    Standing was = state.standing();
    DomainState open = state.with(lifecycle.claimed(was, now));
    DomainState calm = was.reason().isPresent() ? withoutStreaks(open) : open;
    DomainState begun =
        was.status() == DomainStatus.ACTIVE
            ? calm
            : calm.with(calm.failures().anew()).with(calm.heard().anew());
    return begun
        .with(begun.slots().notAheadOf(now))
        .with(begun.failures().notAheadOf(now))
        .with(begun.heard().notAheadOf(now))
        .with(delayLearning.notAheadOf(begun.learning(), now));
  }

  /**
   * A worker takes the claim from one that did not give it back. Requests may have started without
   * a record, so the first one waits a full delay.
   */
  public DomainState takenOver(DomainState state, Instant now) {
    DomainState claimed = claimed(state, now);
    return claimed.with(claimed.slots().startedAt(now));
  }

  /** A robots.txt was asked for and not answered; the next claim knows of it. */
  public DomainState robotsTried(
      DomainState state, Authority authority, Category category, Instant now) {
    return state.with(state.failures().robotsTried(authority, category, now));
  }

  /** A robots.txt was answered. */
  public DomainState robotsAnswered(DomainState state, Authority authority) {
    Failures after = state.failures().robotsAnswered(authority);
    return DomainState.same(after, state.failures()) ? state : state.with(after);
  }

  /** The tries an authority's robots.txt has had since it was last answered, oldest first. */
  public List<Failures.Counted> robotsTries(DomainState state, Authority authority, Instant now) {
    return state.failures().robotsTries(authority, now);
  }

  /** Others have set something else; it holds from the next request on. */
  public DomainState limited(DomainState state, Limits limits) {
    DomainState after = state.with(limits);
    Duration from = Pace.base(state, settings);
    Duration to = Pace.base(after, settings);
    DomainState rebased = after.with(delayLearning.rebased(after.learning(), from, to));
    return isUnbearable(limits) && state.standing().mayBeAsked()
        ? rebased.with(lifecycle.closedForGood(state.standing(), CloseReason.ROBOTS_DENIED))
        : rebased;
  }

  /** What is worth telling of the step from one state to the next. */
  public List<Change> changes(DomainState before, DomainState after) {
    return Changes.between(before, after, settings);
  }

  /** The robots.txt of every live authority denies everything. */
  public DomainState denied(DomainState state, Instant now) {
    return state.with(lifecycle.closed(state.standing(), CloseReason.ROBOTS_DENIED, now));
  }

  /**
   * Nothing is queued, deferred or in flight. If nothing ever succeeded the last failure decides.
   */
  public DomainState emptied(DomainState state, Instant now) {
    Failures failures = state.failures();
    Optional<CloseReason> reason =
        failures.succeeded() ? Optional.empty() : failures.last().flatMap(CloseReason::failuresOf);
    return state.with(
        reason.isPresent()
            ? lifecycle.closed(state.standing(), reason.get(), now)
            : lifecycle.exhausted(state.standing()));
  }

  /**
   * Whether nothing depends on the state any more: an hour has passed since the domain was used, no
   * wait reaches beyond now, and it is not closed.
   */
  public boolean isIdle(DomainState state, Instant lastUse, Instant now) {
    return !now.isBefore(lastUse.plus(IDLE))
        && !nextStart(state).isAfter(now)
        && state.standing().reason().isEmpty();
  }

  /** What is left of the state of an idle domain where nothing is stored: where it stands. */
  public DomainState forgotten(DomainState state) {
    return DomainState.FRESH.with(state.standing()).with(state.limits());
  }

  /**
   * It was asked on another's behalf and has no work of its own. What went wrong with that says
   * nothing about its own pages.
   */
  public DomainState idle(DomainState state) {
    return state.with(lifecycle.exhausted(state.standing()));
  }

  /**
   * A cooldown is over: the domain starts with its streaks at 0. What it learned stays.
   *
   * @throws IllegalStateException if it is not over, or has no end
   */
  public DomainState cooled(DomainState state, Instant now) {
    if (!Lifecycle.cooledDown(state.standing(), now)) {
      throw new IllegalStateException("no cooldown has ended: " + state.standing());
    }
    return withoutStreaks(state.with(lifecycle.cooled(state.standing())));
  }

  /**
   * The operator wants a fresh start; pace and rests are the site's and stay. Only a Crawl-delay
   * that closed the domain goes: kept, it would allow no request that could read another.
   */
  public DomainState reset(DomainState state, Instant now) {
    DomainState open = withoutStreaks(state.with(lifecycle.reset(state.standing())));
    return isUnbearable(open.limits())
        ? limited(open, open.limits().withCrawlDelay(Duration.ZERO))
        : open;
  }

  /**
   * The state of a domain that another program crawled: as if a claim had been held at that time
   * and given back. What that program learnt of the site's pace is not known.
   *
   * @param last when it last asked
   * @param served when a page was last served
   * @param closed what the site is closed for; empty where nothing was left to do
   */
  public DomainState crawledBefore(
      Instant last, Optional<Instant> served, Optional<CloseReason> closed) {
    Standing active = lifecycle.claimed(Standing.PENDING, last);
    return DomainState.FRESH
        .with(DomainState.FRESH.slots().startedAt(last))
        .with(
            new Contact(
                served.orElse(Slots.NEVER),
                served.orElse(Slots.NEVER),
                Optional.empty(),
                false,
                KnownAuthorities.UNKNOWN))
        .with(
            closed.isPresent()
                ? lifecycle.closed(active, closed.get(), last)
                : lifecycle.exhausted(active));
  }

  /** The operator wants the domain left alone. */
  public DomainState blocked(DomainState state) {
    return state.with(lifecycle.blocked(state.standing()));
  }

  /** A due URL arrived. */
  public DomainState arrival(DomainState state) {
    Standing standing = lifecycle.arrival(state.standing());
    return DomainState.same(standing, state.standing()) ? state : state.with(standing);
  }

  /** Our own network was down: what was counted since then is taken back, closing included. */
  public DomainState takenBack(DomainState state, Instant since) {
    DomainState innocent = state.with(state.failures().takenBack(since));
    boolean closedByIt =
        state.standing().status() == DomainStatus.UNREACHABLE
            && (innocent.failures().moments() < state.failures().moments()
                || innocent.failures().streak().size() < state.failures().streak().size());
    return closedByIt ? innocent.with(lifecycle.takenBack(state.standing())) : innocent;
  }

  /** How long to wait for the first byte of an answer. */
  public Duration firstByteTimeout(DomainState state) {
    return state.latency().firstByteTimeout();
  }

  /** What is kept between two requests where nothing says otherwise. */
  public Duration minimumInterval() {
    return settings.pace().minimum();
  }

  /** A new watch over our own network. */
  public OutageGuard outageGuard() {
    return new OutageGuard();
  }

  /**
   * New budgets for domains that share a server.
   *
   * @param listener hears when one begins or ends
   */
  public SharedBudgets sharedBudgets(Consumer<SharedBudgets.BudgetChange> listener) {
    return new SharedBudgets(settings, listener);
  }

  /** An answer may have been the group's lesson: the domain has learned this and no more. */
  public DomainState taught(DomainState state, LearnedDelay learning, Optional<Sharing> sharing) {
    return state.with(learning).with(state.slots().sharing(sharing));
  }

  /** When failures end a job or close a domain. */
  public FailureSettings failureSettings() {
    return settings.failures();
  }

  /** The effective delay and what sets it. */
  public Pace pace(DomainState state) {
    return Pace.of(state, settings);
  }

  /** When the next request may start, as far as pace, rests and visit times go. */
  public Instant nextStart(DomainState state) {
    return Pace.next(state, settings);
  }

  /** How many requests may be in flight. */
  public int concurrency(DomainState state) {
    return Pace.concurrency(state, settings);
  }

  /** Which rule sets the delay now, what else was considered, and what would change it. */
  public Explanation explain(DomainState state, InFlight inFlight, Instant now) {
    return new Explainer(settings).explain(state, turn(state, inFlight, now), now);
  }

  /** What the outcome of an attempt means for its URL and its domain. */
  public Decision decide(DomainState state, Attempt attempt, Fetched fetched, Instant now) {
    return outcomes.decide(state, attempt, fetched, now);
  }

  private DomainState withoutStreaks(DomainState state) {
    return state
        .with(Failures.NONE)
        .with(delayLearning.forgetStreaks(state.learning()))
        .with(state.heard().withoutRefusals());
  }

  private boolean isUnbearable(Limits limits) {
    return limits.crawlDelay().compareTo(BLOCK_BEYOND) > 0;
  }
}
