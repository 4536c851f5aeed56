package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.FetchTask.Completed;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.shared.CrawlContext;
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
import dev.comity.core.port.store.Note.Exchange;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.schedule.JobStreak;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Handles the answer to a request: the policy decides, and the store settles. Answers for
 * robots.txt files go to {@link DomainRobots} or {@link RobotsForOthers}, those for tdmrep.json
 * files to {@link DomainReservations}.
 */
final class ResponseHandler {
  private final CrawlContext context;
  private final CrawlParts parts;
  private final ClaimedDomain claimed;
  private final Job job;
  private final DomainRobots robots;
  private final DomainReservations reservations;
  private final RobotsForOthers forOthers;
  private final HttpFallback fallback;
  private final Sitemaps sitemaps;
  private final TrapWatch traps;
  private final FoundLinks links;
  private final RepeatedWalls walls;
  private Optional<String> cancelled = Optional.empty();

  ResponseHandler(
      CrawlContext context,
      ClaimedDomain claimed,
      DomainRobots robots,
      DomainReservations reservations,
      RobotsForOthers forOthers,
      HttpFallback fallback,
      Sitemaps sitemaps,
      TrapWatch traps) {
    this.context = context;
    parts = context.parts();
    this.claimed = claimed;
    job = claimed.job();
    this.robots = robots;
    this.reservations = reservations;
    this.forOthers = forOthers;
    this.fallback = fallback;
    this.sitemaps = sitemaps;
    this.traps = traps;
    links = new FoundLinks(context);
    walls = new RepeatedWalls(claimed.claim().job().pages() > 0);
  }

  /** Why the job is cancelled, once it is. */
  Optional<String> cancelled() {
    return cancelled;
  }

  /** Decides an answer; says whether a settlement that is not durable yet needs its body. */
  boolean land(Completed landed) {
    FetchTask task = landed.task();
    Completed answer = task.kind().isRead() ? walls.judged(landed) : landed;
    if (answer.startedAt().isEmpty()) {
      claimed.startFailed(answer.at());
    } else {
      context.reachedHosts().reached(task.url().authority());
    }
    Attempt attempt = answer.attempt();
    if (isOurFault(answer)) {
      giveBack(answer, attempt);
      return false;
    }
    if (fallback.takes(answer)) {
      // The failed try is logged, and counts for nothing else.
      robots.notAsked(task.entry().url().authority());
      claimed.record(
          Optional.of(new Exchange(attempt, answer.fetched())), Optional.empty(), List.of());
      tellAnswered(answer, attempt);
      return false;
    }
    DomainState before = claimed.state();
    claimed.sharing(context.servers().sharing(task.address(), claimed.domain(), answer.at()));
    Decision decision = claimed.answered(attempt, answer.fetched(), answer.at());
    boolean isTheGroups = learnAsGroup(answer, attempt, before);
    List<Change> changes = isTheGroups ? claimed.changesSince(before) : decision.changes();
    changes.forEach(this::heed);
    Runnable tellRest =
        () -> {
          tellAnswered(answer, attempt);
          changes.forEach(this::tell);
        };
    switch (task.kind()) {
      case ROBOTS -> {
        if (!forOthers.land(answer, attempt, decision.fate())) {
          robots.land(answer, attempt, decision.fate());
        }
        tellRest.run();
      }
      case TDMREP -> {
        reservations.land(answer, attempt, decision.fate());
        tellRest.run();
      }
      case SITEMAP -> landSitemap(answer, attempt, decision.fate(), tellRest);
      case IMAGE -> landImage(answer, attempt, decision.fate(), tellRest);
      case PAGE, LINKS -> landPage(answer, attempt, decision.fate(), tellRest);
    }
    // At once: in the order of the answers, and however long the store takes.
    remember(answer);
    return task.kind().isQueued();
  }

  private void tellAnswered(Completed answer, Attempt attempt) {
    parts.listener().answered(claimed.domain(), attempt, answer.fetched());
  }

  /** Where domains share a budget, the group learns from an answer; says whether it did. */
  private boolean learnAsGroup(Completed answer, Attempt attempt, DomainState before) {
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

  /**
   * Whether the request was cancelled, or failed while the crawler's own network is down. Then it
   * counts as never sent.
   */
  private boolean isOurFault(Completed answer) {
    return switch (answer.fetched().outcome()) {
      case FetchOutcome.Cancelled _ -> true;
      case FetchOutcome.Unreachable _ -> context.outages().isPaused();
      case FetchOutcome _ -> false;
    };
  }

  private void giveBack(Completed answer, Attempt attempt) {
    FetchTask task = answer.task();
    if (!task.kind().isQueued()) {
      robots.notAsked(task.entry().url().authority());
      reservations.notAsked(task.entry().url().authority());
      forOthers.putOff(task);
      tellAnswered(answer, attempt);
      return;
    }
    Fate returned = new Fate.Returned();
    if (task.kind() == Kind.PAGE) {
      job.settle(returned);
    } else if (task.kind() == Kind.IMAGE) {
      context.imageBudget().giveBack();
    }
    claimed
        .groups()
        .add(
            Settlement.unasked(task.entry(), returned, claimed.state(), List.of()),
            () -> tellAnswered(answer, attempt));
  }

  private void landSitemap(Completed answer, Attempt attempt, Fate fate, Runnable tellRest) {
    Sitemaps.TakenIn taken = sitemaps.takeIn(answer);
    Settlement settlement = settlement(answer, attempt, fate, taken.left(), List.of());
    claimed
        .groups()
        .add(
            settlement,
            new SettlementGroups.AfterSettling() {
              @Override
              public void ended(boolean durable) {
                context.bodies().release(answer.task().share());
              }

              @Override
              public void tell() {
                parts.listener().settled(claimed.domain(), settlement);
                CrawlUrl url = answer.task().url();
                taken
                    .tally()
                    .ifPresent(tally -> parts.listener().listed(claimed.domain(), url, tally));
                tellRest.run();
              }
            });
  }

  /** An image leads nowhere but by its redirect, and costs no page. */
  private void landImage(Completed answer, Attempt attempt, Fate fate, Runnable tellRest) {
    QueuedUrl entry = answer.task().entry();
    List<QueuedUrl> found = links.images().redirected(entry, answer);
    Settlement settlement = settlement(answer, attempt, fate, found, List.of());
    if (found.isEmpty() && !(fate instanceof Fate.Retry)) {
      links.images().settled(context, entry, settlement.isImage());
    }
    claimed
        .groups()
        .add(
            settlement,
            new SettlementGroups.AfterSettling() {
              @Override
              public void ended(boolean durable) {
                context.bodies().release(answer.task().share());
                if (durable && settlement.isImage()) {
                  context.imageBudget().spend();
                } else {
                  context.imageBudget().giveBack();
                }
              }

              @Override
              public void tell() {
                parts.listener().settled(claimed.domain(), settlement);
                tellRest.run();
              }
            });
  }

  private void landPage(Completed answer, Attempt attempt, Fate fate, Runnable tellRest) {
    QueuedUrl entry = answer.task().entry();
    links.goneTo(entry, answer).ifPresent(target -> claimed.redirected(entry.url(), target));
    Optional<Change> suppressed = traps.weigh(entry, answer);
    if (fate.isPage() && entry.isMovedStart() && !isRedirect(answer)) {
      context.startsFrom(claimed.domain());
    }
    FoundLinks.Found leadsTo = links.found(entry, answer, claimed, traps);
    // Feeds come first: a link to one would be an entry for a page.
    List<QueuedUrl> found = new ArrayList<>(sitemaps.feeds(entry, answer));
    found.addAll(leadsTo.urls());
    if (fate.isPage()) {
      context.yields().read(claimed.domain(), found);
    }
    Settlement settlement = settlement(answer, attempt, fate, found, traps.takeDue());
    JobStreak streak = job.decided(settlement);
    boolean isOver = !claimed.state().standing().mayBeAsked();
    if (!isOver && streak.endsJob(context.plan().policy().failureSettings())) {
      cancelled = Optional.of(streak.failed() + " URLs in a row failed");
    }
    int caught = traps.takeCaught();
    // Added before anything can fail: a reserved page that is not written is given back.
    claimed
        .groups()
        .add(
            settlement,
            new SettlementGroups.AfterSettling() {
              @Override
              public void ended(boolean durable) {
                context.bodies().release(answer.task().share());
                if (answer.task().kind() != Kind.LINKS) {
                  job.settle(durable ? fate : new Fate.Returned());
                }
                if (durable) {
                  job.settled(settlement);
                }
              }

              @Override
              public void tell() {
                parts.listener().settled(claimed.domain(), settlement);
                suppressed.ifPresent(ResponseHandler.this::tell);
                if (caught > 0) {
                  parts.listener().leftOut(claimed.domain(), caught);
                }
                tellRest.run();
              }
            });
    claimed.keepOutside(leadsTo.outside());
  }

  private Settlement settlement(
      Completed answer,
      Attempt attempt,
      Fate fate,
      List<QueuedUrl> found,
      List<TemplateStats> templates) {
    return new Settlement(
        answer.task().entry(),
        Optional.of(attempt),
        Optional.of(answer.fetched()),
        fate,
        claimed.state(),
        found,
        answer.content(),
        templates,
        answer.finds());
  }

  private static boolean isRedirect(Completed answer) {
    return answer.fetched().outcome() instanceof FetchOutcome.Redirect;
  }

  /** Heeds a change before it is durable: no further request may follow a job that is over. */
  private void heed(Change change) {
    if (change instanceof Change.JobCancelled(var refusals)) {
      cancelled = Optional.of(refusals + " refusals in a row at the longest delay");
    }
  }

  private void tell(Change change) {
    parts.listener().changed(claimed.domain(), change);
  }

  /** Passes on whether the site was reached: it tells the site's outages from the crawler's. */
  private void remember(Completed answer) {
    ReachedHosts reached = context.reachedHosts();
    Authority authority = answer.task().url().authority();
    FetchOutcome outcome = answer.fetched().outcome();
    context
        .outages()
        .saw(
            claimed.domain(),
            authority,
            answer.startedAt().isPresent(),
            outcome,
            reached.lastAnswer(authority, claimed.claim()),
            answer.at());
    if (outcome.status().isPresent()) {
      reached.answered(claimed.domain(), answer.at());
    }
  }

  /**
   * Takes in an answer that was not waited for. Its URL is fetched again, but a request of the site
   * to slow down or go away counts.
   */
  void abandon(Completed answer) {
    forOthers.putOff(answer.task());
    if (answer.task().kind() == Kind.PAGE) {
      job.giveBack();
    } else if (answer.task().kind() == Kind.IMAGE) {
      context.imageBudget().giveBack();
    }
    if (answer.fetched().outcome() instanceof FetchOutcome.Pushback) {
      Attempt attempt = answer.attempt();
      DomainState before = claimed.state();
      claimed.answered(attempt, answer.fetched(), answer.at());
      learnAsGroup(answer, attempt, before);
    }
  }
}
