package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.DomainRobots.RobotsVerdict;
import dev.comity.core.engine.domain.DomainWorker.Step;
import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.UsageRefusal;
import dev.comity.core.usage.Wishes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Uses a domain's turn: for a robots.txt that another domain needs, or else for the next URL of the
 * frontier. The URL's own robots.txt is fetched before it. A URL that is not to be fetched is
 * settled without a request. Without a URL, the work ends.
 */
final class NextUrl {
  private final ClaimedDomain claimed;
  private final DomainRobots robots;
  private final RobotsForOthers forOthers;
  private final HttpFallback fallback;
  private final Sitemaps sitemaps;
  private final TrapWatch traps;
  private final InFlightRequests inFlight;
  private final FoundLinks links;
  private final UsageTerms usage;

  NextUrl(
      CrawlContext context,
      ClaimedDomain claimed,
      DomainRobots robots,
      RobotsForOthers forOthers,
      HttpFallback fallback,
      Sitemaps sitemaps,
      TrapWatch traps,
      InFlightRequests inFlight) {
    this.claimed = claimed;
    this.robots = robots;
    this.forOthers = forOthers;
    this.fallback = fallback;
    this.sitemaps = sitemaps;
    this.traps = traps;
    this.inFlight = inFlight;
    links = new FoundLinks(context);
    usage = new UsageTerms(context);
  }

  /**
   * Sends the next request, settles the next URL, or says what to wait for.
   *
   * @param delay the effective delay the turn is granted under
   */
  Step send(Duration delay, Instant now) {
    Optional<CrawlUrl> wanted = forOthers.next();
    if (wanted.isPresent()) {
      return forOthers.send(wanted.get(), delay, now);
    }
    if (claimed.isBorrowed()) {
      return inFlight.isIdle() ? new Step.Release(giveBackBorrowed()) : Step.Plain.WAIT;
    }
    return switch (claimed.next(now)) {
      case Next.Ready(var entry) -> send(entry, delay, now);
      case Next.DueAt(var at) -> dueLater(at, now);
      case Next.Empty _ -> inFlight.isIdle() ? end(now) : Step.Plain.WAIT;
    };
  }

  /** Ends the work where nothing is left to fetch, however long the next turn is away. */
  Optional<Step> endOfWork(Instant now) {
    if (!inFlight.isIdle() || forOthers.next().isPresent()) {
      return Optional.empty();
    }
    if (claimed.isBorrowed()) {
      return Optional.of(new Step.Release(giveBackBorrowed()));
    }
    return claimed.isEmpty() ? Optional.of(end(now)) : Optional.empty();
  }

  private Step send(QueuedUrl entry, Duration delay, Instant now) {
    if (isPassedOver(entry)) {
      return Step.Plain.DONE;
    }
    RobotsVerdict verdict = robots.verdict(entry.url(), now);
    if (!(verdict instanceof RobotsVerdict.Brought) && robots.heedsMore()) {
      return Step.Plain.DONE;
    }
    return switch (verdict) {
      case RobotsVerdict.Denied _ -> settle(entry, new Fate.Denied());
      case RobotsVerdict.GivenUp(var reason) -> settle(entry, new Fate.Failed(reason));
      case RobotsVerdict.Asking _ -> Step.Plain.WAIT;
      case RobotsVerdict.Later(var at) -> waitUntil(at, "its robots.txt is kept by another domain");
      case RobotsVerdict.MuchLater(var at) ->
          inFlight.endOrWait(
              new Ending.RestUntil(at, "another worker holds the domain of its robots.txt"));
      case RobotsVerdict.Brought(var copy) -> {
        robots.takeIn(copy);
        yield Step.Plain.DONE;
      }
      case RobotsVerdict.OutOfReach(var unread) -> {
        robots.giveUp(unread);
        yield Step.Plain.DONE;
      }
      case RobotsVerdict.Ask(var file, var tries) ->
          sendRobots(inFlight.forRobots(file, entry, tries, delay));
      case RobotsVerdict.Allowed(var wishes) -> {
        Optional<UsageRefusal> refused = usage.refusal(entry.kind(), wishes);
        yield refused.isPresent()
            ? settle(entry, new Fate.Denied(refused))
            : sendEntry(entry, wishes, delay);
      }
    };
  }

  /** Settles a URL that is not to be fetched, whatever robots.txt says; answers whether it is. */
  private boolean isPassedOver(QueuedUrl entry) {
    Optional<QueuedUrl> moved =
        links.moved(entry, claimed.state().heard().doors()).or(() -> fallback.overHttp(entry));
    if (moved.isPresent()) {
      claimed.settleHeld(entry, new Fate.Moved(), moved.stream().toList());
      // The same page at its new place is the next in order.
      claimed.groups().finish();
      return true;
    }
    if (entry.isSkipped(links.context().parts().fetcher().accepted())) {
      // Queued before its ending was checked: links with such an ending are not queued.
      settle(entry, new Fate.Skipped());
      return true;
    }
    if (traps.isCaught(entry)) {
      settle(entry, new Fate.Suppressed());
      return true;
    }
    if (entry.kind() == Kind.SITEMAP && !sitemaps.wantsMore()) {
      settle(entry, new Fate.Denied());
      return true;
    }
    return false;
  }

  private Step settle(QueuedUrl entry, Fate fate) {
    claimed.settleHeld(entry, fate, List.of());
    return Step.Plain.DONE;
  }

  private Step sendRobots(FetchTask task) {
    Step step = inFlight.depart(task);
    if (step == Step.Plain.SENT) {
      robots.asking(task.entry().url().authority());
    }
    return step;
  }

  private Step sendEntry(QueuedUrl entry, Wishes wishes, Duration delay) {
    Step step = inFlight.send(entry, wishes, delay);
    if (step == Step.Plain.SENT) {
      claimed.sent();
    }
    return step;
  }

  /** A borrowed domain without URLs is marked idle: no other worker would come to see that. */
  private Ending giveBackBorrowed() {
    if (claimed.hasNothingLeft()) {
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
   * Ends the work. URLs may be left that a budget keeps from being asked. A URL that another domain
   * led to since the last look is no such URL: it is asked next.
   */
  private Step end(Instant now) {
    if (claimed.hasNothingLeft()) {
      return new Step.Release(exhausted(now));
    }
    return claimed.mayAskMore() ? Step.Plain.DONE : new Step.Release(claimed.outOfBudget());
  }

  /**
   * If robots.txt denied every URL, the site wants no crawler. If no request ever succeeded, the
   * last failure decides.
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
