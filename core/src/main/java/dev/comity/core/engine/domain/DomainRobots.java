package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.FetchTask.Completed;
import dev.comity.core.engine.domain.RobotsFiles.File;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.CrossDomainRobots.RobotsReply;
import dev.comity.core.engine.shared.RobotsCache;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Failures;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.Turn;
import dev.comity.core.port.Signal;
import dev.comity.core.port.fetch.RobotsRules;
import dev.comity.core.port.store.Note.Exchange;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Wishes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The robots.txt files of one domain, by authority. It sends nothing: it names the file to fetch,
 * and the worker fetches it at the domain's pace. Until a file is read, URLs of its authority are
 * neither allowed nor denied. What a file says is passed on to the domain: delay, hours, sitemaps.
 */
final class DomainRobots {
  /** How long another domain's worker gets to fetch a file that this domain needs. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  /** How many redirects of one file are followed: RFC 9309 asks for at least five. */
  private static final int MOST_HOPS = 5;

  private final CrawlContext context;
  private final RobotsCache cache;
  private final DomainPolicy policy;
  private final ClaimedDomain claimed;
  private final Sitemaps sitemaps;
  private final Signal wake;
  private final RobotsFiles files;
  private final Set<Authority> beingAsked = new HashSet<>();

  /**
   * Whose file is not among the stored copies, or too old there. Only this domain's worker fetches
   * it, so the store need not be asked again before that.
   */
  private final Set<Authority> notStored = new HashSet<>();

  /**
   * @param wake raised when another domain's worker has fetched a file for this one
   */
  DomainRobots(CrawlContext context, ClaimedDomain claimed, Sitemaps sitemaps, Signal wake) {
    this.context = context;
    cache = context.robots();
    policy = context.plan().policy();
    this.claimed = claimed;
    this.sitemaps = sitemaps;
    this.wake = wake;
    files = new RobotsFiles(claimed::owns);
  }

  /** What may be done with a URL. */
  sealed interface RobotsVerdict {
    /** Its robots.txt allows it, and says this about its use. */
    record Allowed(Wishes wishes) implements RobotsVerdict {}

    record Denied() implements RobotsVerdict {}

    /** Its robots.txt is being fetched. */
    record Asking() implements RobotsVerdict {}

    /** This file must be fetched first; so many tries were spent on it. */
    record Ask(CrawlUrl robotsTxt, int triesSpent) implements RobotsVerdict {}

    /** Another domain keeps the file, and its worker is to fetch it: look again then. */
    record Later(Instant at) implements RobotsVerdict {}

    /** Another crawl's worker holds the domain that keeps the file: look again much later. */
    record MuchLater(Instant at) implements RobotsVerdict {}

    /** Another domain keeps the file, and its worker has fetched this copy. */
    record Brought(RobotsCopy copy) implements RobotsVerdict {}

    /** Another domain keeps the file and cannot deliver it: it is given up for now. */
    record OutOfReach(RobotsCopy unread) implements RobotsVerdict {}

    /** The file could not be fetched: the authority's URLs fail for that reason. */
    record GivenUp(Category reason) implements RobotsVerdict {}
  }

  /** Whether the URL may be fetched now, or what to do first. */
  RobotsVerdict verdict(CrawlUrl url, Instant now) {
    Authority authority = url.authority();
    if (beingAsked.contains(authority)) {
      return new RobotsVerdict.Asking();
    }
    // The cache decides which copy is still good; rules once read stay known for the delay.
    Optional<RobotsRules> good =
        notStored.contains(authority)
            ? cache.findCached(authority, now)
            : cache.find(authority, now);
    if (good.isPresent()) {
      files.read(authority, good.get());
      return judged(url, good.get());
    }
    notStored.add(authority);
    List<Failures.Counted> tries = policy.robotsTries(claimed.state(), authority, now);
    return switch (files.of(authority)) {
      case File.Silent silent -> new RobotsVerdict.GivenUp(silent.reason());
      case File.Away away -> lookedFor(url, away, now);
      case File _ when tries.size() >= DomainPolicy.ROBOTS_TRIES ->
          new RobotsVerdict.GivenUp(tries.getLast().category());
      case File.Unread unread -> new RobotsVerdict.Ask(unread.at(), tries.size());
      case File.Read _ -> new RobotsVerdict.Ask(authority.robotsTxt(), tries.size());
    };
  }

  private static RobotsVerdict judged(CrawlUrl url, RobotsRules rules) {
    if (RobotsCache.isElsewhere(rules)) {
      return new RobotsVerdict.GivenUp(Category.REDIRECT);
    }
    return rules.allows(url)
        ? new RobotsVerdict.Allowed(rules.wishes(url))
        : new RobotsVerdict.Denied();
  }

  private RobotsVerdict lookedFor(CrawlUrl url, File.Away away, Instant now) {
    Authority authority = url.authority();
    Optional<RobotsCopy> theirs = theirs(authority, away.at(), now);
    if (theirs.isPresent()) {
      return new RobotsVerdict.Brought(kept(theirs.get()));
    }
    Optional<RobotsReply> reply = context.askFor(away.at(), wake);
    if (reply.isEmpty() && now.isBefore(away.until())) {
      return new RobotsVerdict.Later(now.plus(LOOK_AGAIN));
    }
    if (reply.isEmpty() && context.isHeldElsewhere(away.at())) {
      // Neither closed nor silent: this crawl only had no chance to ask.
      return new RobotsVerdict.MuchLater(now.plus(PATIENCE));
    }
    return reply.orElseGet(RobotsReply.NotFetched::new) instanceof RobotsReply.Came(var outcome)
        ? read(authority, outcome, now)
            .<RobotsVerdict>map(RobotsVerdict.Brought::new)
            .orElseGet(() -> verdict(url, now))
        : outOfReach(url, now);
  }

  private RobotsVerdict outOfReach(CrawlUrl url, Instant now) {
    Authority authority = url.authority();
    if (cache.lasts(authority, now)) {
      files.put(authority, RobotsFiles.unread(authority));
      return judged(url, cache.find(authority, now).orElseThrow());
    }
    return new RobotsVerdict.OutOfReach(
        kept(new RobotsCopy(authority, Optional.empty(), false, now)));
  }

  boolean isAsking(Authority authority) {
    return beingAsked.contains(authority);
  }

  /** The file of this authority was requested: no second request before its answer. */
  void asking(Authority authority) {
    beingAsked.add(authority);
  }

  /** The request failed through no fault of the site. */
  void notAsked(Authority authority) {
    beingAsked.remove(authority);
  }

  /** Files were given up during an outage of the crawler's own network: they are fetched again. */
  void forgive() {
    files.forgetSilent();
  }

  /** Takes in the answer to a request for one of the domain's files. */
  void land(Completed answer, Attempt attempt, Fate fate) {
    FetchOutcome outcome = answer.fetched().outcome();
    Authority authority = answer.task().entry().url().authority();
    beingAsked.remove(authority);
    Optional<RobotsCopy> read = Optional.empty();
    switch (fate) {
      case Fate.Done _ -> read = read(authority, outcome, answer.at());
      case Fate.Retry retry ->
          unanswered(
              authority, RobotsFiles.unread(authority), retry.spendsRetry(), outcome, answer.at());
      case Fate.Failed(var reason) ->
          unanswered(authority, new File.Silent(reason), true, outcome, answer.at());
      case Fate.Denied _, Fate.Suppressed _, Fate.Skipped _, Fate.Moved _, Fate.Returned _ ->
          standAside(answer.at());
    }
    read.ifPresent(this::heed);
    List<QueuedUrl> found = namedSitemaps();
    claimed.record(
        Optional.of(new Exchange(attempt, answer.fetched())),
        read,
        claimed.isBorrowed() ? List.of() : found);
  }

  private void unanswered(
      Authority authority, File file, boolean spendsTry, FetchOutcome outcome, Instant at) {
    if (cache.lasts(authority, at)) {
      return;
    }
    files.put(authority, file);
    if (spendsTry) {
      claimed.robotsTried(authority, outcome.category(), at);
    }
    standAside(at);
  }

  /** Defers the URL in hand by one slot, so that the domain's other authorities get a turn. */
  private void standAside(Instant now) {
    if (!claimed.state().standing().mayBeAsked()) {
      return;
    }
    Instant rested =
        claimed.turn(InFlight.NONE, now) instanceof Turn.WaitUntil(var at, _) ? at : now;
    Optional<QueuedUrl> held = claimed.held();
    if (held.isPresent() && verdict(held.get().url(), now) instanceof RobotsVerdict.Ask) {
      Duration slot = policy.pace(claimed.state()).effective();
      claimed.settleHeld(held.get(), new Fate.Retry(rested.plus(slot), false), List.of());
    }
  }

  /** The copy that was read; empty if the file has moved and must be fetched there. */
  private Optional<RobotsCopy> read(Authority authority, FetchOutcome outcome, Instant now) {
    return switch (outcome) {
      case Success success ->
          Optional.of(kept(new RobotsCopy(authority, Optional.of(success.body()), true, now)));
      case Redirect redirect -> redirected(authority, redirect, now);
      case FetchOutcome _ -> Optional.of(without(authority, now));
    };
  }

  /** There is no such file: everything is allowed. */
  private RobotsCopy without(Authority authority, Instant now) {
    return kept(new RobotsCopy(authority, Optional.empty(), true, now));
  }

  /** However far it is followed, the file counts for the authority that was asked first. */
  private Optional<RobotsCopy> redirected(Authority authority, Redirect redirect, Instant now) {
    int hops =
        switch (files.of(authority)) {
          case File.Unread unread -> unread.hops();
          case File.Away away -> away.hops();
          case File.Read _, File.Silent _ -> 0;
        };
    if (redirect.target().isEmpty() || hops >= MOST_HOPS) {
      return Optional.of(without(authority, now));
    }
    CrawlUrl target = redirect.target().get();
    if (claimed.owns(target)) {
      files.put(authority, new File.Unread(target, hops + 1));
      return Optional.empty();
    }
    Optional<RobotsCopy> theirs = theirs(authority, target, now);
    if (theirs.isEmpty()) {
      files.put(authority, new File.Away(target, hops + 1, now.plus(PATIENCE)));
    }
    return theirs.map(this::kept);
  }

  /** The copy that the other domain's own worker fetched today. */
  private Optional<RobotsCopy> theirs(Authority authority, CrawlUrl target, Instant now) {
    return Optional.of(target.authority())
        .filter(other -> other.robotsTxt().equals(target))
        .flatMap(other -> cache.copyOf(other, now))
        .map(copy -> new RobotsCopy(authority, copy.file(), copy.allowed(), copy.fetchedAt()));
  }

  private RobotsCopy kept(RobotsCopy copy) {
    RobotsRules rules = cache.rulesOf(copy);
    cache.keep(copy.authority(), rules, copy.fetchedAt());
    notStored.remove(copy.authority());
    files.read(copy.authority(), rules);
    return copy;
  }

  /** Frontier entries of the sitemaps that were named since the last call. */
  private List<QueuedUrl> namedSitemaps() {
    return sitemaps.named(files.takeSitemaps());
  }

  /**
   * Heeds files that were read under an earlier claim; answers whether they ask for more time or
   * other hours. A shorter delay needs a new copy: another authority may have asked for the longer
   * one.
   */
  boolean heedsMore() {
    Limits known = claimed.state().limits();
    Limits stricter = files.stricter(known);
    boolean more = !stricter.equals(known);
    if (more) {
      claimed.limited(stricter);
    }
    List<QueuedUrl> found = namedSitemaps();
    if (!found.isEmpty()) {
      claimed.record(Optional.empty(), Optional.empty(), found);
    }
    return more;
  }

  /** A copy that another domain fetched counts like one fetched here. */
  void takeIn(RobotsCopy copy) {
    heed(copy);
    claimed.record(Optional.empty(), Optional.of(copy), namedSitemaps());
  }

  private void heed(RobotsCopy copy) {
    claimed.robotsAnswered(copy.authority());
    claimed.limited(files.on(claimed.state().limits()));
  }

  /** Another domain keeps the file and does not deliver it. */
  void giveUp(RobotsCopy unread) {
    claimed.record(Optional.empty(), Optional.of(unread), List.of());
    context
        .parts()
        .listener()
        .changed(claimed.domain(), new Change.AuthorityGivenUp(Category.REDIRECT));
  }

  /** Whether files were read and none of them allows anything. */
  boolean everythingIsDenied() {
    return files.everythingIsDenied();
  }
}
