package dev.comity.core.engine.domain;

import dev.comity.core.engine.robots.AuthorityRobots;
import dev.comity.core.engine.robots.AuthorityRobots.Reading;
import dev.comity.core.engine.robots.AuthorityRobots.Verdict;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.FetchTask.Answer;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.Turn;
import dev.comity.core.port.Signal;
import dev.comity.core.port.store.Note.Exchange;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Brings answers about robots.txt to the desk, and what the desk makes of them to the domain: its
 * delay, its sitemaps, its tries, and the copy that is kept.
 */
final class DomainRobots {
  private final CrawlContext context;
  private final DomainPolicy policy;
  private final ClaimedDomain claimed;
  private final NextUrl nextUrl;
  private final Sitemaps sitemaps;
  private final AuthorityRobots authorities;

  /**
   * @param wake raised when another domain's worker has an answer
   */
  DomainRobots(
      CrawlContext context,
      ClaimedDomain claimed,
      NextUrl nextUrl,
      Sitemaps sitemaps,
      Signal wake) {
    this.context = context;
    policy = context.plan().policy();
    this.claimed = claimed;
    this.nextUrl = nextUrl;
    this.sitemaps = sitemaps;
    authorities =
        new AuthorityRobots(
            context.robots(), policy, claimed::owns, file -> context.askFor(file, wake));
  }

  /** What may be done with a URL. */
  Verdict verdict(CrawlUrl url, Instant now) {
    return authorities.verdict(url, claimed.state(), now);
  }

  boolean isAsking(Authority authority) {
    return authorities.isAsking(authority);
  }

  /** The file of this authority was asked for: nobody else asks until it is answered. */
  void asking(Authority authority) {
    authorities.asking(authority);
  }

  /** It was asked for in vain, through no fault of the site. */
  void notAsked(Authority authority) {
    authorities.notAsked(authority);
  }

  /** What was given up may have been our own fault: it is asked for again. */
  void forgive() {
    authorities.forgive();
  }

  /** Whether files were read and none of them allows anything. */
  boolean everythingIsDenied() {
    return authorities.everythingIsDenied();
  }

  /**
   * Heeds what a robots.txt says that was read under an earlier claim; answers whether it asks for
   * more time or other hours. A shorter delay is believed only by who has just read it: another
   * authority may have asked for the longer one.
   */
  boolean heedsMore() {
    Limits known = claimed.state().limits();
    Limits stricter = known.stricter(authorities.longestDelay(), authorities.visitTime());
    boolean more = !stricter.equals(known);
    if (more) {
      keepTo(stricter);
    }
    List<QueuedUrl> found = sitemaps.named(authorities.newSitemaps());
    if (!found.isEmpty()) {
      claimed.record(Optional.empty(), Optional.empty(), found);
    }
    return more;
  }

  /** What another domain keeps counts as if it had been read here. */
  Step takeIn(RobotsCopy copy) {
    heed(copy);
    List<QueuedUrl> named = sitemaps.named(authorities.newSitemaps());
    claimed.record(Optional.empty(), Optional.of(copy), named);
    return Step.Plain.DONE;
  }

  private void heed(RobotsCopy copy) {
    claimed.robotsAnswered(copy.authority());
    keepTo(
        claimed
            .state()
            .limits()
            .withCrawlDelay(authorities.longestDelay())
            .withVisitTime(authorities.visitTime()));
  }

  private void keepTo(Limits limits) {
    claimed
        .limited(limits)
        .forEach(change -> context.parts().listener().changed(claimed.domain(), change));
  }

  /** Another domain keeps it and does not bring it. */
  Step giveUp(RobotsCopy unread) {
    claimed.record(Optional.empty(), Optional.of(unread), List.of());
    context
        .parts()
        .listener()
        .changed(claimed.domain(), new Change.AuthorityGivenUp(Category.REDIRECT));
    return Step.Plain.DONE;
  }

  /**
   * Whether this try was the one that a seed given as a bare host has over https. Its robots.txt is
   * always asked first, so no page is asked over http for want of https.
   */
  boolean fallsBack(Answer answer) {
    QueuedUrl entry = answer.task().entry();
    Category category = answer.fetched().outcome().category();
    boolean noConnection =
        answer.startedAt().isEmpty()
            && (category == Category.CONNECTION_FAILED
                || category == Category.TLS_FAILURE
                || category == Category.TIMEOUT);
    return noConnection && entry.fallback().isPresent() && !wasEverIn(entry.url().authority());
  }

  /** The seed is asked over http instead. The failed try is logged, and counts for nothing else. */
  void fallBack(Answer answer, Attempt attempt) {
    Authority authority = answer.task().entry().url().authority();
    authorities.notAsked(authority);
    nextUrl.fallBack(authority);
    claimed.record(
        Optional.of(new Exchange(attempt, answer.fetched())), Optional.empty(), List.of());
  }

  /** Takes in the answer to a request for one of the domain's own. */
  void land(Answer answer, Attempt attempt, Fate fate) {
    FetchOutcome outcome = answer.fetched().outcome();
    Authority authority = answer.task().entry().url().authority();
    List<QueuedUrl> found = new ArrayList<>();
    Optional<RobotsCopy> read = Optional.empty();
    switch (authorities.answered(authority, outcome, fate, answer.at())) {
      case Reading.Rules(var copy) -> {
        heed(copy);
        read = Optional.of(copy);
      }
      case Reading.Elsewhere _, Reading.LastGoodCopy _ -> {}
      case Reading.Nothing _ -> {
        if (spendsTry(fate)) {
          claimed.robotsTried(authority, outcome.category(), answer.at());
        }
        standAside(answer.at());
      }
    }
    List<QueuedUrl> named = sitemaps.named(authorities.newSitemaps());
    found.addAll(claimed.isBorrowed() ? List.of() : named);
    claimed.record(Optional.of(new Exchange(attempt, answer.fetched())), read, found);
  }

  private boolean wasEverIn(Authority authority) {
    return !context.reachedHosts().isStranger(authority, claimed.claim())
        || claimed.state().heard().doors().letInOverHttps(authority.host());
  }

  private static boolean spendsTry(Fate fate) {
    return fate instanceof Fate.Failed || (fate instanceof Fate.Retry retry && retry.spendsRetry());
  }

  /**
   * Puts the URL whose robots.txt is silent one slot behind, so that the domain's other authorities
   * get a turn.
   */
  private void standAside(Instant now) {
    if (!claimed.state().standing().mayBeAsked()) {
      return;
    }
    Instant rested =
        claimed.turn(InFlight.NONE, now) instanceof Turn.WaitUntil(var at, _) ? at : now;
    nextUrl
        .entry()
        .ifPresent(
            entry -> {
              if (verdict(entry.url(), now) instanceof Verdict.Ask) {
                Duration slot = policy.pace(claimed.state()).effective();
                nextUrl.settle(entry, new Fate.Retry(rested.plus(slot), false));
              }
            });
  }
}
