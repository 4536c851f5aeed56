package dev.comity.core.engine.domain;

import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.Sharing;
import dev.comity.core.policy.Turn;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.Note.Exchange;
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
 * A domain in the hands of its worker: the claim, and the state of the domain under it. Whatever
 * happens to the domain is said here and the policy makes a state of it; whatever is written is
 * written in the claim's name, with the state as it is then.
 *
 * <p>The worker's thread alone says what happens. Requests about to start look at the state from
 * theirs, as does who watches.
 */
final class ClaimedDomain {
  private final Claim claim;
  private final boolean borrowed;
  private final CrawlPlan plan;
  private final DomainPolicy policy;
  private final CrawlStore store;
  private final CrawlListener listener;

  /** Nothing starts from then on, unless the claim is renewed. */
  private volatile Instant deadline;

  private volatile DomainState state;

  /**
   * @param borrowed nothing but favours is done: the domain's own work is not this run's, or not
   *     now
   */
  ClaimedDomain(Claim claim, boolean borrowed, CrawlPlan plan, CrawlParts parts) {
    this.claim = claim;
    this.borrowed = borrowed;
    this.plan = plan;
    store = parts.store();
    listener = parts.listener();
    policy = plan.policy();
    deadline = claim.until();
    state = claim.state();
  }

  Claim claim() {
    return claim;
  }

  DomainName domain() {
    return claim.domain();
  }

  boolean isBorrowed() {
    return borrowed;
  }

  /** Whether a URL is the domain's own. */
  boolean owns(CrawlUrl url) {
    return plan.domainOf(url).equals(claim.domain());
  }

  Instant deadline() {
    return deadline;
  }

  boolean isOver(Instant now) {
    return !now.isBefore(deadline);
  }

  /** The claim lasts until then. */
  void renewed(Instant until) {
    deadline = until;
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
    state =
        claim.takenOver()
            ? policy.takenOver(claim.state(), now)
            : policy.claimed(claim.state(), now);
    heedTerms();
  }

  /** What is set for the domain in this run; an earlier one may have been told otherwise. */
  private void heedTerms() {
    Limits limits = plan.termsOf(claim.domain()).on(state.limits());
    if (!limits.equals(state.limits())) {
      state = policy.limited(state, limits);
    }
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

  /** What the domain has learned after all, and the budget it shares. */
  void taught(LearnedDelay learning, Optional<Sharing> sharing) {
    state = policy.taught(state, learning, sharing);
  }

  /** What is worth telling of the step from that state to the present one. */
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

  /** Answers what changes by it. */
  List<Change> limited(Limits limits) {
    DomainState before = state;
    state = policy.limited(state, limits);
    return policy.changes(before, state);
  }

  /** What was counted against the domain since then was our own outage. */
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

  /** Writes what settles no URL of the frontier. */
  void record(Optional<Exchange> request, Optional<RobotsCopy> robots, List<QueuedUrl> found) {
    tellSkipped(store.record(claim, new Note(state, request, robots, found)));
  }

  /** Writes what is known of templates. */
  void record(List<TemplateStats> tallies) {
    store.record(claim, new Note(state, Optional.empty(), Optional.empty(), List.of(), tallies));
  }

  /** Keeps links of the domain to itself that wider terms may want. */
  void keepOutside(List<QueuedUrl> urls) {
    if (!urls.isEmpty()) {
      store.keepOutside(claim, urls);
    }
  }

  /** Answers whether there may be a URL now that another domain did not have. */
  boolean settle(Settlement settlement) {
    Written written = store.settle(claim, settlement);
    tellSkipped(written);
    return written.elsewhere();
  }

  private void tellSkipped(Written written) {
    if (written.skipped() > 0) {
      listener.skipped(claim.domain(), written.skipped());
    }
  }
}
