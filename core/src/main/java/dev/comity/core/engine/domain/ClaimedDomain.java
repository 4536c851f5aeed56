package dev.comity.core.engine.domain;

import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.Deadline;
import dev.comity.core.engine.shared.Job;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.Sharing;
import dev.comity.core.policy.Turn;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.ClaimStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.Note.Exchange;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Written;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A claimed domain: the claim, the domain's state under it, and its share of the run. It also holds
 * the URL that was taken from the frontier and not sent yet. Every event of the domain passes here,
 * and the policy makes the next state of it. Every write carries the claim and the state as it is
 * then.
 *
 * <p>Only the worker's thread changes it. Threads of requests and snapshots read the state.
 */
final class ClaimedDomain {
  private final Claim claim;
  private final SettlementGroups groups;
  private final Job job;
  private final boolean borrowed;
  private final CrawlPlan plan;
  private final DomainPolicy policy;
  private final ClaimStore store;
  private final Frontier frontier;
  private final CrawlListener listener;

  private final Timeline time;

  /** No request starts from then on, unless the claim is renewed. */
  private volatile Deadline deadline;

  /** The operator's terms that the state and the budget follow. */
  private volatile OperatorTerms heeded;

  private volatile DomainState state;

  /** Whether the budget has no page for it, or no image. */
  private boolean pagesOver;

  private boolean imagesOver;

  /** Taken from the frontier; no other URL is taken before this one is sent or settled. */
  private Optional<Next.Ready> held = Optional.empty();

  /**
   * @param borrowed whether the domain only fetches robots.txt files for other domains. Its own
   *     work is not part of this run, or not due
   * @param wake raised when a group of settlements has been written
   */
  ClaimedDomain(
      Claim claim,
      Job job,
      boolean borrowed,
      Deadline deadline,
      CrawlContext context,
      Signal wake) {
    this.claim = claim;
    groups = new SettlementGroups(context, claim, wake);
    this.job = job;
    this.borrowed = borrowed;
    plan = context.plan();
    store = context.parts().store();
    frontier = context.parts().store().frontier();
    listener = context.parts().listener();
    policy = plan.policy();
    this.deadline = deadline;
    time = context.parts().time();
    heeded = claim.terms();
    pagesOver = claim.imagesOnly();
    imagesOver = !context.collectsImages();
    // Also for a claim that is released without work: the next one is not a takeover.
    state = claim.takenOver() ? policy.takenOver(claim.state(), time.instant()) : claim.state();
  }

  Claim claim() {
    return claim;
  }

  DomainName domain() {
    return claim.domain();
  }

  /** The settlements that are decided and not durable yet. */
  SettlementGroups groups() {
    return groups;
  }

  /** The domain's share of the run. */
  Job job() {
    return job;
  }

  boolean isBorrowed() {
    return borrowed;
  }

  /** Whether a URL belongs to the domain. */
  boolean owns(CrawlUrl url) {
    return plan.domainOf(url).equals(claim.domain());
  }

  /** When the claim is over by the timeline. */
  Instant deadline() {
    return deadline.at();
  }

  boolean isOver() {
    return deadline.isOver(time);
  }

  /** The claim lasts until then. Thread-safe. */
  void renewed(Deadline until) {
    deadline = until;
  }

  /** The claim is over. Thread-safe. */
  void lost() {
    deadline = Deadline.PASSED;
  }

  /** Whether the operator has paused the domain, as of the last look. */
  boolean isPaused() {
    return heeded.paused();
  }

  /**
   * Whether the operator lets requests start, on the terms that the last turn was granted on. The
   * store is asked: nothing may have been settled since the operator spoke. Thread-safe.
   */
  boolean mayAsk() {
    try {
      return store.terms(claim).equals(heeded) && !heeded.paused();
    } catch (ClaimLost _) {
      // The worker finds that out at its next look.
      return false;
    }
  }

  DomainState state() {
    return state;
  }

  Turn turn(InFlight inFlight, Instant now) {
    return policy.turn(state, inFlight, now);
  }

  /** Why nothing may start now, in words. */
  String words(Turn.Why why) {
    return why.words(state);
  }

  void begun(Instant now) {
    job.begun();
    state =
        claim.takenOver()
            ? policy.takenOver(claim.state(), now)
            : policy.claimed(claim.state(), now);
    heed(heeded);
  }

  /** Heeds what the operator has set since the last look. */
  void heedOperator() {
    OperatorTerms now = store.terms(claim);
    if (!now.equals(heeded)) {
      heed(now);
    }
  }

  /**
   * Applies what is set for the domain: by the operator, or else by this run. An earlier run may
   * have had other terms.
   */
  private void heed(OperatorTerms terms) {
    job.limitTo(plan.maxPagesOf(claim.domain(), terms));
    Limits limits = plan.termsOf(claim.domain(), terms).on(state.limits());
    if (!limits.equals(state.limits())) {
      limited(limits);
    }
    // Last: a request that starts on these terms finds the state that follows from them.
    heeded = terms;
  }

  void started(Attempt attempt) {
    state = policy.started(state, attempt);
  }

  void startFailed(Instant at) {
    state = policy.startFailed(state, at);
  }

  Decision answered(Attempt attempt, Fetched fetched, Instant at) {
    Decision decision = policy.decide(state, attempt, fetched, at);
    state = decision.state();
    return decision;
  }

  /** Sets the budget that the domain shares. Most domains never share one. */
  void sharing(Optional<Sharing> sharing) {
    if (sharing.isPresent() || state.slots().shared().isPresent()) {
      taught(state.learning(), sharing);
    }
  }

  /** Sets what the domain has learned, and the budget it shares. */
  void taught(LearnedDelay learning, Optional<Sharing> sharing) {
    state = policy.taught(state, learning, sharing);
  }

  /** What is worth reporting of the step from that state to the present one. */
  List<Change> changesSince(DomainState before) {
    return policy.changes(before, state);
  }

  void redirected(CrawlUrl url, CrawlUrl target) {
    state = policy.redirected(state, url, target);
  }

  void robotsAnswered(Authority authority) {
    state = policy.robotsAnswered(state, authority);
  }

  void robotsTried(Authority authority, Category category, Instant at) {
    state = policy.robotsTried(state, authority, category, at);
  }

  /** Sets limits and reports what changes by them. */
  void limited(Limits limits) {
    DomainState before = state;
    state = policy.limited(state, limits);
    policy.changes(before, state).forEach(change -> listener.changed(claim.domain(), change));
  }

  /** Failures counted against the domain since then were an outage of the crawler's network. */
  void takenBack(Instant since) {
    state = policy.takenBack(state, since);
  }

  void denied(Instant now) {
    state = policy.denied(state, now);
  }

  void emptied(Instant now) {
    state = policy.emptied(state, now);
  }

  void idle() {
    state = policy.idle(state);
  }

  /** The URL in hand, or else the next one of the frontier. */
  Next next(Instant now) {
    if (held.isPresent()) {
      return held.get();
    }
    Optional<Wanted> wanted = wanted();
    Next next = wanted.isPresent() ? frontier.next(claim, now, wanted.get()) : new Next.Empty();
    if (next instanceof Next.Ready ready) {
      held = Optional.of(ready);
    }
    return next;
  }

  /** The URL in hand. */
  Optional<QueuedUrl> held() {
    return held.map(Next.Ready::entry);
  }

  /** What the domain may still be asked for under this claim; empty for nothing. */
  private Optional<Wanted> wanted() {
    return Wanted.of(!pagesOver, !imagesOver);
  }

  /** Whether nothing that may be asked is in hand, queued or deferred, and nothing in flight. */
  boolean isEmpty() {
    return held.isEmpty() && frontier.isEmpty(claim, wanted().orElse(Wanted.ANY));
  }

  /** Whether a URL is left, and a budget has room for its kind. */
  boolean mayAskMore() {
    return wanted().isPresent() && !isEmpty();
  }

  /** Whether no URL of any kind is left. */
  boolean hasNothingLeft() {
    return held.isEmpty() && frontier.isEmpty(claim);
  }

  /** The budget has no room for the URL in hand: no URL of its kind is asked under this claim. */
  void outOfBudget(QueuedUrl entry) {
    if (entry.kind() == Kind.IMAGE) {
      imagesOver = true;
    } else {
      pagesOver = true;
    }
    settleHeld(entry, new Fate.Returned(), List.of());
  }

  /** How the work ends while URLs are left that may not be asked. */
  Ending outOfBudget() {
    boolean later = pagesOver && !claim.imagesOnly() && !job.isSpent();
    return later ? new Ending.RunOutOfBudget() : new Ending.DomainOutOfBudget();
  }

  /** The URL in hand was sent. */
  void sent() {
    held = Optional.empty();
  }

  /** Settles the URL in hand without a request, with the next group. */
  void settleHeld(QueuedUrl entry, Fate fate, List<QueuedUrl> found) {
    held = Optional.empty();
    Settlement settlement = Settlement.unasked(entry, fate, state, found);
    groups.add(settlement, () -> listener.settled(claim.domain(), settlement));
  }

  /** Writes what settles no URL of the frontier. */
  void record(Optional<Exchange> request, Optional<RobotsCopy> robots, List<QueuedUrl> found) {
    Written written = record(new Note(state, request, robots, found));
    if (written.skipped() > 0) {
      listener.skipped(claim.domain(), written.skipped());
    }
  }

  /** Writes the statistics of templates. */
  void record(List<TemplateStats> templates) {
    record(new Note(state, Optional.empty(), Optional.empty(), List.of(), templates));
  }

  /** A group that is settled later would write an older state over the note's. */
  private Written record(Note note) {
    groups.finish();
    return store.record(claim, note);
  }

  /** Keeps links of the domain to itself that a wider scope may want. */
  void keepOutside(List<QueuedUrl> urls) {
    if (!urls.isEmpty()) {
      store.keepOutside(claim, urls);
    }
  }

  /**
   * Releases the claim; answers how the work ended, for the claim may be found lost only now. A
   * claim that was not renewed in time may still be held in the store. It is released, too: the
   * domain would stay locked until the lease ends.
   */
  Ending release(Ending ending, Instant now) {
    boolean unheld = ending instanceof Ending.Lost || ending instanceof Ending.SetAside;
    Ending kept = borrowed ? new Ending.Borrowed() : new Ending.Stopped();
    try {
      store.release(claim, state, unheld ? kept : ending, now);
      return ending;
    } catch (ClaimLost lost) {
      return unheld ? ending : lost.ending();
    }
  }
}
