package dev.comity.core.engine.domain;

import dev.comity.core.engine.robots.CrossDomainRobots;
import dev.comity.core.engine.robots.CrossDomainRobots.Reply;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.FetchTask;
import dev.comity.core.engine.shared.FetchTask.Answer;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Note.Exchange;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The favours that a domain's worker does others: robots.txt files that theirs have moved to, asked
 * for here in their place. Whether this domain's robots.txt would let them be asked for is no
 * question: they are the others' robots.txt.
 */
final class RobotsForOthers {
  /** One less than would close a domain for a robots.txt of its own: it may be quite well. */
  private static final int MOST_TRIES = DomainPolicy.ROBOTS_TRIES - 1;

  private final CrawlContext context;
  private final CrossDomainRobots crossDomain;
  private final ClaimedDomain claimed;
  private final DomainRobots robots;
  private final InFlightRequests inFlight;

  /** Sent for another domain's sake. */
  private final Set<FetchTask> underWay = new HashSet<>();

  RobotsForOthers(
      CrawlContext context, ClaimedDomain claimed, DomainRobots robots, InFlightRequests inFlight) {
    this.context = context;
    crossDomain = context.crossDomain();
    this.claimed = claimed;
    this.robots = robots;
    this.inFlight = inFlight;
  }

  /** A file that can be asked for now. */
  Optional<CrawlUrl> next() {
    Optional<CrawlUrl> file = crossDomain.next(claimed.domain());
    return file.isPresent() && robots.isAsking(file.get().authority()) ? Optional.empty() : file;
  }

  /** Asks for it, unless it is known here. */
  Step send(CrawlUrl file, Duration delay, Instant now) {
    if (isOwnRobots(file) && context.robots().copyOf(file.authority(), now).isPresent()) {
      crossDomain.isKnown(claimed.domain(), file);
      return Step.Plain.DONE;
    }
    int tries = crossDomain.tries(claimed.domain(), file);
    QueuedUrl entry = QueuedUrl.seed(file, Optional.empty());
    FetchTask task = inFlight.forRobots(file, entry, tries, delay);
    Step step = inFlight.depart(task);
    if (step == Step.Plain.SENT) {
      underWay.add(task);
      crossDomain.sent(claimed.domain(), file);
      if (isOwnRobots(file)) {
        robots.asking(file.authority());
      }
    }
    return step;
  }

  private static boolean isOwnRobots(CrawlUrl file) {
    return file.authority().robotsTxt().equals(file);
  }

  /** Should it have been a favour, it is still to be done. */
  void putOff(FetchTask task) {
    if (underWay.remove(task)) {
      crossDomain.again(claimed.domain(), task.url(), false);
    }
  }

  /** Takes in an answer, should it be to a favour; says whether it was. */
  boolean land(Answer answer, Attempt attempt, Fate fate) {
    if (!underWay.remove(answer.task())) {
      return false;
    }
    keep(answer, attempt, fate);
    CrawlUrl file = answer.task().url();
    switch (fate) {
      case Fate.Done _ ->
          crossDomain.reply(claimed.domain(), file, new Reply.Came(answer.fetched().outcome()));
      case Fate.Retry retry when attempt.ordinal() < MOST_TRIES ->
          crossDomain.again(claimed.domain(), file, retry.spendsRetry());
      case Fate _ -> crossDomain.reply(claimed.domain(), file, new Reply.Refused());
    }
    return true;
  }

  /**
   * The answer is another's. What was asked for is this domain's own robots.txt as well, perhaps;
   * where that has moved to is found out when it is needed here.
   */
  private void keep(Answer answer, Attempt attempt, Fate fate) {
    CrawlUrl file = answer.task().url();
    boolean own = isOwnRobots(file);
    if (own && !(answer.fetched().outcome() instanceof FetchOutcome.Redirect)) {
      robots.land(answer, attempt, fate);
      return;
    }
    if (own) {
      robots.notAsked(file.authority());
    }
    Exchange exchange = new Exchange(attempt, answer.fetched());
    claimed.record(Optional.of(exchange), Optional.empty(), List.of());
  }
}
