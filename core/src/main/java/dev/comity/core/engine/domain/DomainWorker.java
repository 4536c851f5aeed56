package dev.comity.core.engine.domain;

import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.engine.shared.ActiveWorker;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.FetchTask;
import dev.comity.core.engine.shared.FetchTask.Answer;
import dev.comity.core.engine.shared.FetchTask.Report;
import dev.comity.core.engine.shared.Job;
import dev.comity.core.engine.shared.Permits;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Turn;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Works one claimed domain. Its thread alone reads and writes the domain's state, which is its
 * {@link ClaimedDomain}; requests run in threads of their own, its {@link InFlightRequests}, and
 * report back through the {@link Inbox}. It hears what they say ({@link ResponseHandler}) and does
 * what may be done now ({@link Dispatch}), in turns, or waits. It decides nothing: the policy says
 * whose turn it is and what an answer means.
 *
 * <p>None of its parts is shared with another worker, and none but the inbox and what says so is
 * used by any thread but the worker's.
 */
public final class DomainWorker implements ActiveWorker {
  private final CrawlContext context;
  private final Job job;
  private final CrawlParts parts;
  private final Timeline time;
  private final Inbox inbox = new Inbox();
  private final Instant firstTurn;
  private final ClaimedDomain claimed;
  private final TrapWatch traps;
  private final DomainRobots robots;
  private final InFlightRequests inFlight;
  private final Dispatch dispatch;
  private final ResponseHandler responses;

  /** What is being waited for; only for those who watch. */
  private volatile CrawlSnapshot.@Nullable Wait waiting;

  /**
   * @param firstTurn nothing is asked before
   */
  public DomainWorker(
      Claim claim, CrawlContext context, Job job, boolean borrowed, Instant firstTurn) {
    this.firstTurn = firstTurn;
    this.context = context;
    this.job = job;
    parts = context.parts();
    time = parts.time();
    CrawlPlan plan = context.plan();
    claimed = new ClaimedDomain(claim, borrowed, plan, parts);
    traps = new TrapWatch(claimed, plan.traps());
    Sitemaps sitemaps = new Sitemaps(claimed, context);
    NextUrl nextUrl = new NextUrl(context, claimed, job, sitemaps, traps);
    robots = new DomainRobots(context, claimed, nextUrl, sitemaps, inbox.wake());
    inFlight = new InFlightRequests(context, claimed, job, inbox);
    RobotsForOthers forOthers = new RobotsForOthers(context, claimed, robots, inFlight);
    dispatch = new Dispatch(claimed, nextUrl, robots, forOthers, inFlight);
    responses = new ResponseHandler(context, claimed, job, robots, forOthers, sitemaps, traps);
  }

  @Override
  public Claim claim() {
    return claimed.claim();
  }

  boolean isBorrowed() {
    return claimed.isBorrowed();
  }

  /** The place of the one worker that may be at the domain. */
  Permits seat() {
    return job.seat();
  }

  @Override
  public void wake() {
    inbox.wake().raise();
  }

  @Override
  public void renewed(Instant until) {
    claimed.renewed(until);
    wake();
  }

  @Override
  public void takeBack(Instant since) {
    inbox.add(new FetchTask.TakenBack(since));
  }

  @Override
  public CrawlSnapshot.AtWork glance() {
    return new CrawlSnapshot.AtWork(
        claimed.domain(),
        inFlight.count(),
        context.plan().policy().pace(claimed.state()),
        Optional.ofNullable(waiting));
  }

  /** The state to give back with the claim. */
  DomainState state() {
    return claimed.state();
  }

  /** What came too late to be taken into the state that was given back. */
  List<Instant> unheard() {
    return inbox.drainTakenBack();
  }

  Ending run() throws InterruptedException {
    try {
      traps.begun(parts.store());
      claimed.begun(time.instant());
      Ending ending = work();
      if (!(ending instanceof Ending.Lost)) {
        traps.writeRest();
      }
      return ending;
    } finally {
      inFlight.leaveQueue();
      context.crossDomain().withdraw(inbox.wake());
      inFlight.abandon();
      takeLastReports();
    }
  }

  private Ending work() throws InterruptedException {
    while (true) {
      takeReports();
      switch (step()) {
        case Step.Plain.DONE, Step.Plain.SENT -> {}
        case Step.Plain.QUEUE -> awaitEvent();
        case Step.QueueUntil(var at) -> time.await(inbox.wake(), at);
        case Step.Plain.WAIT -> {
          inFlight.leaveQueue();
          awaitEvent();
        }
        case Step.WaitUntil(var said) -> {
          inFlight.leaveQueue();
          waitUntil(said);
        }
        case Step.TakeTurns(var said) -> waitUntil(said);
        case Step.End(var ending) -> {
          return ending;
        }
      }
    }
  }

  /** Waits for news, but not beyond the claim: once it is over, only what is under way counts. */
  private void awaitEvent() throws InterruptedException {
    Instant deadline = claimed.deadline();
    if (time.instant().isBefore(deadline)) {
      time.await(inbox.wake(), deadline);
    } else {
      time.await(inbox.wake());
    }
  }

  /** Does what may be done now, or says what is to be waited for. */
  private Step step() {
    if (context.isStopping()) {
      return inFlight.endOrWait(new Ending.Stopped());
    }
    Instant now = time.instant();
    // Also during an outage: the next worker of the domain waits until this one has left.
    if (claimed.isOver(now)) {
      return inFlight.endOrWait(new Ending.Lost());
    }
    if (context.outages().isPaused()) {
      return Step.Plain.WAIT;
    }
    if (responses.cancelled().isPresent()) {
      return inFlight.endOrWait(new Ending.JobFailed(responses.cancelled().get()));
    }
    if (now.isBefore(firstTurn)) {
      return new Step.WaitUntil(new CrawlSnapshot.Wait(firstTurn, "many begin with it", false));
    }
    return switch (claimed.turn(inFlight.inFlight(), now)) {
      case Turn.Stop(var standing) -> inFlight.endOrWait(new Ending.Closed(standing));
      case Turn.WaitForEvent _ -> Step.Plain.WAIT;
      case Turn.WaitUntil(var at, var why) ->
          dispatch
              .endOfWork(now)
              .orElseGet(
                  () ->
                      new Step.WaitUntil(
                          new CrawlSnapshot.Wait(at, claimed.words(why), why.isRest())));
      case Turn.Park(var until, var why) ->
          dispatch
              .endOfWork(now)
              .orElseGet(() -> inFlight.endOrWait(new Ending.RestUntil(until, claimed.words(why))));
      case Turn.Fetch(var delay) -> dispatch.next(delay, now);
    };
  }

  private void waitUntil(CrawlSnapshot.Wait said) throws InterruptedException {
    parts.listener().waiting(claimed.domain(), said.until(), said.why());
    waiting = said;
    // A claim that is not renewed is given up in time, not when it would have been of use again.
    Instant deadline = claimed.deadline();
    time.await(inbox.wake(), said.until().isBefore(deadline) ? said.until() : deadline);
    waiting = null;
  }

  private void takeReports() {
    for (Report report = inbox.poll(); report != null; report = inbox.poll()) {
      switch (report) {
        case FetchTask.Started(var task, var at) -> {
          inFlight.started(task, at);
          Attempt attempt = task.attempt(at);
          claimed.started(attempt);
          parts.listener().started(claimed.domain(), attempt);
        }
        case FetchTask.TakenBack(var since) -> takeBackNow(since);
        case FetchTask.Located located -> inFlight.located(located);
        case Answer answer -> {
          inFlight.landed(answer);
          try {
            responses.land(answer);
          } finally {
            inFlight.vacate(answer.task());
          }
        }
      }
    }
  }

  /** Written at once where it opens the domain: nobody else may find it closed for our outage. */
  private void takeBackNow(Instant since) {
    boolean wasClosed = !claimed.state().standing().mayBeAsked();
    claimed.takenBack(since);
    robots.forgive();
    if (wasClosed && claimed.state().standing().mayBeAsked()) {
      claimed.record(Optional.empty(), Optional.empty(), List.of());
    }
  }

  /** What those said that were not waited for. */
  private void takeLastReports() {
    for (Report report = inbox.poll(); report != null; report = inbox.poll()) {
      switch (report) {
        case FetchTask.Started(var task, var at) -> claimed.started(task.attempt(at));
        case FetchTask.TakenBack(var since) -> claimed.takenBack(since);
        case FetchTask.Located _ -> {}
        case Answer answer -> {
          inFlight.vacate(answer.task());
          responses.abandon(answer);
        }
      }
    }
  }
}
