package dev.comity.core.engine.domain;

import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.engine.robots.AuthorityRobots.Verdict;
import dev.comity.core.engine.shared.FetchTask;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a domain's turn is used for: a favour first, then the next URL of its own, its robots.txt
 * before it; and how the work ends when there is none.
 */
final class Dispatch {
  private final ClaimedDomain claimed;
  private final NextUrl nextUrl;
  private final DomainRobots robots;
  private final RobotsForOthers forOthers;
  private final InFlightRequests inFlight;

  Dispatch(
      ClaimedDomain claimed,
      NextUrl nextUrl,
      DomainRobots robots,
      RobotsForOthers forOthers,
      InFlightRequests inFlight) {
    this.claimed = claimed;
    this.nextUrl = nextUrl;
    this.robots = robots;
    this.forOthers = forOthers;
    this.inFlight = inFlight;
  }

  /**
   * @param delay the effective delay the turn is given under
   */
  Step next(Duration delay, Instant now) {
    Optional<CrawlUrl> favour = forOthers.next();
    if (favour.isPresent()) {
      return forOthers.send(favour.get(), delay, now);
    }
    if (claimed.isBorrowed()) {
      return inFlight.count() == 0 ? new Step.End(giveBackBorrowed()) : Step.Plain.WAIT;
    }
    return switch (nextUrl.take(now)) {
      case Next.Ready(var entry) -> send(entry, delay, now);
      case Next.DueAt(var at) -> dueLater(at, now);
      case Next.Empty _ -> inFlight.count() == 0 ? new Step.End(exhausted(now)) : Step.Plain.WAIT;
    };
  }

  /** Ends the work where nothing is left: there is nothing to wait for, however long that is. */
  Optional<Step> endOfWork(Instant now) {
    if (inFlight.count() > 0 || forOthers.next().isPresent()) {
      return Optional.empty();
    }
    if (claimed.isBorrowed()) {
      return Optional.of(new Step.End(giveBackBorrowed()));
    }
    return nextUrl.isEmpty() ? Optional.of(new Step.End(exhausted(now))) : Optional.empty();
  }

  private Step send(QueuedUrl entry, Duration delay, Instant now) {
    if (nextUrl.isPassedOver(entry)) {
      return Step.Plain.DONE;
    }
    Verdict verdict = robots.verdict(entry.url(), now);
    if (!(verdict instanceof Verdict.Brought) && robots.heedsMore()) {
      return Step.Plain.DONE;
    }
    return switch (verdict) {
      case Verdict.Denied _ -> nextUrl.settle(entry, new Fate.Denied());
      case Verdict.GivenUp(var reason) -> nextUrl.settle(entry, new Fate.Failed(reason));
      case Verdict.Asking _ -> Step.Plain.WAIT;
      case Verdict.Later(var at) -> waitUntil(at, "its robots.txt is kept by another domain");
      case Verdict.Brought(var copy) -> robots.takeIn(copy);
      case Verdict.OutOfReach(var unread) -> robots.giveUp(unread);
      case Verdict.Ask(var file, var tries) ->
          sendRobots(inFlight.forRobots(file, entry, tries, delay));
      case Verdict.Allowed _ -> sendEntry(entry, delay);
    };
  }

  private Step sendRobots(FetchTask task) {
    Step step = inFlight.depart(task);
    if (step == Step.Plain.SENT) {
      robots.asking(task.entry().url().authority());
    }
    return step;
  }

  private Step sendEntry(QueuedUrl entry, Duration delay) {
    Step step = inFlight.send(entry, delay);
    if (step == Step.Plain.SENT) {
      nextUrl.sent();
    }
    return step;
  }

  /** Where nothing is left to ask, nobody else would come to see that. */
  private Ending giveBackBorrowed() {
    if (nextUrl.isEmpty()) {
      claimed.idle();
    }
    return new Ending.Borrowed();
  }

  private Step dueLater(Instant at, Instant now) {
    boolean isLong = Duration.between(now, at).compareTo(DomainPolicy.PARK_AFTER) > 0;
    String why = "every URL left is due later";
    return isLong ? inFlight.endOrWait(new Ending.RestUntil(at, why)) : waitUntil(at, why);
  }

  private static Step waitUntil(Instant at, String why) {
    return new Step.WaitUntil(new CrawlSnapshot.Wait(at, why, false));
  }

  /**
   * If all there is was denied, the site wants no crawler; if nothing ever worked, the last failure
   * decides.
   */
  private Ending exhausted(Instant now) {
    if (robots.everythingIsDenied()) {
      claimed.denied(now);
    } else {
      claimed.emptied(now);
    }
    return claimed.state().standing().reason().isPresent()
        ? new Ending.Closed(claimed.state().standing())
        : new Ending.Exhausted();
  }
}
