package dev.comity.core.engine.domain;

import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.FetchTask;
import dev.comity.core.engine.shared.FetchTask.Answer;
import dev.comity.core.engine.shared.Job;
import dev.comity.core.engine.shared.ReachedHosts;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.schedule.JobStreak;
import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of an answer: the policy decides, and the store settles. Robots.txt, sitemaps and
 * favours are seen to by those who know them.
 */
final class ResponseHandler {
  private final CrawlContext context;
  private final CrawlParts parts;
  private final ClaimedDomain claimed;
  private final Job job;
  private final DomainRobots robots;
  private final RobotsForOthers forOthers;
  private final Sitemaps sitemaps;
  private final TrapWatch traps;
  private final FoundLinks links;
  private final RepeatedWalls walls;
  private Optional<String> cancelled = Optional.empty();

  ResponseHandler(
      CrawlContext context,
      ClaimedDomain claimed,
      Job job,
      DomainRobots robots,
      RobotsForOthers forOthers,
      Sitemaps sitemaps,
      TrapWatch traps) {
    this.context = context;
    parts = context.parts();
    this.claimed = claimed;
    this.job = job;
    this.robots = robots;
    this.forOthers = forOthers;
    this.sitemaps = sitemaps;
    this.traps = traps;
    links = new FoundLinks(context);
    walls = new RepeatedWalls(claimed.claim().job().pages() > 0);
  }

  /** Why nothing more of the job is to be asked, once that is so. */
  Optional<String> cancelled() {
    return cancelled;
  }

  void land(Answer landed) {
    FetchTask task = landed.task();
    Answer answer = task.kind().isRead() ? walls.judged(landed) : landed;
    if (answer.startedAt().isEmpty()) {
      claimed.startFailed(answer.at());
    } else {
      context.reachedHosts().reached(task.url().authority());
    }
    Attempt attempt = attempt(answer);
    if (isNobodysFault(answer)) {
      giveBack(task);
      parts.listener().answered(claimed.domain(), attempt, answer.fetched());
      return;
    }
    if (task.kind() == Kind.ROBOTS && robots.fallsBack(answer)) {
      robots.fallBack(answer, attempt);
      parts.listener().answered(claimed.domain(), attempt, answer.fetched());
      return;
    }
    DomainState before = claimed.state();
    Decision decision = claimed.answered(attempt, answer.fetched(), answer.at());
    boolean isTheGroups = hearAsGroup(answer, attempt, before);
    switch (task.kind()) {
      case ROBOTS -> {
        if (!forOthers.land(answer, attempt, decision.fate())) {
          robots.land(answer, attempt, decision.fate());
        }
      }
      case SITEMAP -> sitemaps.land(answer, attempt, decision.fate());
      case PAGE, IMAGE, LINKS -> landPage(answer, attempt, decision.fate());
    }
    parts.listener().answered(claimed.domain(), attempt, answer.fetched());
    (isTheGroups ? claimed.changesSince(before) : decision.changes()).forEach(this::tell);
    remember(answer);
  }

  /** Where domains share a budget, an answer is the group's lesson; says whether it was. */
  private boolean hearAsGroup(Answer answer, Attempt attempt, DomainState before) {
    String address = answer.task().address();
    LearnedDelay after = claimed.state().learning();
    LearnedDelay learned =
        context
            .servers()
            .answered(
                address,
                claimed.domain(),
                attempt,
                answer.task().shared(),
                answer.fetched().outcome(),
                before.learning(),
                after,
                answer.at());
    claimed.taught(learned, context.servers().sharing(address, claimed.domain(), answer.at()));
    return !learned.equals(after);
  }

  private static Attempt attempt(Answer answer) {
    return answer.task().attempt(answer.startedAt().orElse(answer.at()));
  }

  /**
   * Stopped by us, or lost while our own network is known to be down: it is as if it had never been
   * sent.
   */
  private boolean isNobodysFault(Answer answer) {
    return switch (answer.fetched().outcome()) {
      case FetchOutcome.Cancelled _ -> true;
      case FetchOutcome.Unreachable _ -> context.outages().isPaused();
      case FetchOutcome _ -> false;
    };
  }

  private void giveBack(FetchTask task) {
    if (task.kind() == Kind.ROBOTS) {
      robots.notAsked(task.entry().url().authority());
      forOthers.putOff(task);
      return;
    }
    Fate returned = new Fate.Returned();
    if (task.kind() == Kind.PAGE) {
      job.settle(returned);
    }
    claimed.settle(Settlement.unasked(task.entry(), returned, claimed.state(), List.of()));
  }

  private void landPage(Answer answer, Attempt attempt, Fate fate) {
    QueuedUrl entry = answer.task().entry();
    links.goneTo(entry, answer).ifPresent(target -> claimed.redirected(entry.url(), target));
    traps.weigh(entry, answer).ifPresent(this::tell);
    if (fate.isPage() && entry.isMovedStart() && !isRedirect(answer)) {
      context.startsFrom(claimed.domain());
    }
    FoundLinks.Found leadsTo = links.found(entry, answer, claimed, traps);
    List<QueuedUrl> found = leadsTo.urls();
    Settlement settlement =
        new Settlement(
            entry,
            Optional.of(attempt),
            Optional.of(answer.fetched()),
            fate,
            claimed.state(),
            found,
            answer.content(),
            traps.takeDue());
    // What could not be written is no page of this run.
    Fate written = new Fate.Returned();
    boolean elsewhere;
    try {
      claimed.keepOutside(leadsTo.outside());
      elsewhere = claimed.settle(settlement);
      written = fate;
    } finally {
      if (answer.task().kind() != Kind.LINKS) {
        job.settle(written);
      }
    }
    job.settled(settlement);
    JobStreak streak = job.streak();
    boolean isOver = !claimed.state().standing().mayBeAsked();
    if (!isOver && streak.endsJob(context.plan().policy().failureSettings())) {
      cancelled = Optional.of(streak.failed() + " URLs in a row failed");
    }
    parts.listener().settled(claimed.domain(), settlement);
    int caught = traps.takeCaught();
    if (caught > 0) {
      parts.listener().leftOut(claimed.domain(), caught);
    }
    if (elsewhere && !context.activeDomains().hasAllOf(found)) {
      context.tell();
    }
  }

  private static boolean isRedirect(Answer answer) {
    return answer.fetched().outcome() instanceof FetchOutcome.Redirect;
  }

  private void tell(Change change) {
    parts.listener().changed(claimed.domain(), change);
    if (change instanceof Change.JobCancelled(var refusals)) {
      cancelled = Optional.of(refusals + " refusals in a row at the longest delay");
    }
  }

  /** Whether the site is there at all, for those who tell our outages from theirs. */
  private void remember(Answer answer) {
    ReachedHosts reached = context.reachedHosts();
    CrawlUrl url = answer.task().url();
    context
        .outages()
        .saw(claimed.domain(), url, answer, reached.lastAnswer(url.authority(), claimed.claim()));
    if (answer.fetched().outcome().status().isPresent()) {
      reached.answered(claimed.domain(), answer.at());
    }
  }

  /**
   * Takes in an answer that nobody waited for. Its URL will be asked again, but what the site asked
   * for is heard.
   */
  void abandon(Answer answer) {
    forOthers.putOff(answer.task());
    if (answer.task().kind() == Kind.PAGE) {
      job.giveBack();
    }
    if (Inbox.isPushback(answer)) {
      DomainState before = claimed.state();
      claimed.answered(attempt(answer), answer.fetched(), answer.at());
      hearAsGroup(answer, attempt(answer), before);
    }
  }
}
