package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.DomainWorker.Step;
import dev.comity.core.engine.domain.FetchTask.Completed;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.CrossDomainRobots;
import dev.comity.core.engine.shared.CrossDomainRobots.RobotsReply;
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
 * Fetches files of this domain that other domains need: their robots.txt has moved here. This
 * domain's own robots.txt is not consulted, for each file is the robots.txt of another domain.
 */
final class RobotsForOthers {
  /** One try less than closes a domain for its own robots.txt: this file is not its own. */
  private static final int MOST_TRIES = DomainPolicy.ROBOTS_TRIES - 1;

  private final CrawlContext context;
  private final CrossDomainRobots crossDomain;
  private final ClaimedDomain claimed;
  private final DomainRobots robots;
  private final InFlightRequests inFlight;

  /** Requests in flight for other domains. */
  private final Set<FetchTask> underWay = new HashSet<>();

  RobotsForOthers(
      CrawlContext context, ClaimedDomain claimed, DomainRobots robots, InFlightRequests inFlight) {
    this.context = context;
    crossDomain = context.crossDomain();
    this.claimed = claimed;
    this.robots = robots;
    this.inFlight = inFlight;
  }

  /** A file that can be fetched now. */
  Optional<CrawlUrl> next() {
    Optional<CrawlUrl> file = crossDomain.next(claimed.domain());
    return file.isPresent() && robots.isAsking(file.get().authority()) ? Optional.empty() : file;
  }

  /** Fetches it, unless a good copy is known. */
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

  /** A request was cancelled: if it was for another domain, the file is fetched again. */
  void putOff(FetchTask task) {
    if (underWay.remove(task)) {
      crossDomain.again(claimed.domain(), task.url(), false, now());
    }
  }

  /** Takes in an answer if it is for another domain; says whether it was. */
  boolean land(Completed answer, Attempt attempt, Fate fate) {
    if (!underWay.remove(answer.task())) {
      return false;
    }
    keep(answer, attempt, fate);
    CrawlUrl file = answer.task().url();
    switch (fate) {
      case Fate.Done _ -> reply(file, new RobotsReply.Came(answer.fetched().outcome()));
      case Fate.Retry retry when attempt.ordinal() < MOST_TRIES ->
          crossDomain.again(claimed.domain(), file, retry.spendsRetry(), now());
      case Fate _ -> reply(file, new RobotsReply.NotFetched());
    }
    return true;
  }

  private void reply(CrawlUrl file, RobotsReply reply) {
    crossDomain.reply(claimed.domain(), file, reply, now());
  }

  private Instant now() {
    return context.parts().time().instant();
  }

  /**
   * Writes the answer down. The file may be this domain's own robots.txt as well. A redirect of it
   * is followed only when this domain needs the file.
   */
  private void keep(Completed answer, Attempt attempt, Fate fate) {
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
