package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.FetchTask.Completed;
import dev.comity.core.engine.domain.FetchTask.Report;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.engine.shared.ActiveWorker;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.Deadline;
import dev.comity.core.engine.shared.Job;
import dev.comity.core.engine.shared.RequestSlots;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.policy.Turn;
import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Ending;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The worker of one claimed domain. Its thread alone changes the domain's state ({@link
 * ClaimedDomain}). Requests run in threads of their own ({@link InFlightRequests}) and report to
 * the worker's inbox. The worker handles the reports ({@link ResponseHandler}), then uses its turn
 * ({@link NextUrl}) or waits. It decides nothing: the policy grants turns and judges answers.
 *
 * <p>All parts are confined to the worker's thread, except the inbox and methods documented as
 * thread-safe.
 */
public final class DomainWorker implements ActiveWorker {
  private final CrawlContext context;
  private final CrawlParts parts;
  private final Timeline time;
  private final Inbox inbox = new Inbox();
  private final Instant firstTurn;
  private final DomainName domain;
  private final ClaimedDomain claimed;
  private final TrapWatch traps;
  private final DomainRobots robots;
  private final InFlightRequests inFlight;
  private final NextUrl nextUrl;
  private final ResponseHandler responses;

  /** The present wait, for snapshots. */
  private volatile CrawlSnapshot.@Nullable Wait waiting;

  /**
   * @param firstTurn no request is sent before
   */
  public DomainWorker(
      Claim claim,
      CrawlContext context,
      Job job,
      boolean borrowed,
      Deadline deadline,
      Instant firstTurn) {
    this.firstTurn = firstTurn;
    this.context = context;
    parts = context.parts();
    time = parts.time();
    domain = claim.domain();
    claimed = new ClaimedDomain(claim, job, borrowed, deadline, context, inbox.wake);
    traps = new TrapWatch(claimed, context.plan().traps());
    Sitemaps sitemaps = new Sitemaps(claimed, context);
    robots = new DomainRobots(context, claimed, sitemaps, inbox.wake);
    inFlight = new InFlightRequests(context, claimed, inbox);
    RobotsForOthers forOthers = new RobotsForOthers(context, claimed, robots, inFlight);
    HttpFallback fallback = new HttpFallback(context, claimed);
    DomainReservations reservations = new DomainReservations(context, claimed, robots);
    nextUrl =
        new NextUrl(
            context, claimed, robots, reservations, forOthers, fallback, sitemaps, traps, inFlight);
    responses =
        new ResponseHandler(
            context, claimed, robots, reservations, forOthers, fallback, sitemaps, traps);
  }

  /** What a look at the domain came to, and what the worker does next. */
  sealed interface Step {

    /** Steps without details. */
    enum Plain implements Step {
      /** Something was done: look again. */
      DONE,
      /** A request was sent: look again. */
      SENT,
      /** There is no slot for a request: keep the place in the queue until a report. */
      QUEUE,
      /** Nothing can be done before a report. */
      WAIT
    }

    /** Nothing can be done before a report or that time. */
    record WaitUntil(CrawlSnapshot.Wait said) implements Step {}

    /** The same; the worker looks for URLs of others at the given time already. */
    record LookAgain(Instant at, CrawlSnapshot.Wait said) implements Step {}

    /** The domain shares a budget and is not next before that time. It keeps its place in line. */
    record TakeTurns(CrawlSnapshot.Wait said) implements Step {}

    /** The start rate admits no request before that time: keep the place in the queue. */
    record QueueUntil(Instant at) implements Step {}

    /** The work is over. */
    record Release(Ending ending) implements Step {}
  }

  @Override
  public Claim claim() {
    return claimed.claim();
  }

  @Override
  public void wake() {
    inbox.wake.raise();
  }

  @Override
  public void renewed(Deadline until) {
    claimed.renewed(until);
    wake();
  }

  @Override
  public void lost() {
    claimed.lost();
    wake();
  }

  @Override
  public void takeBack(Instant since) {
    inbox.add(new FetchTask.TakenBack(since));
  }

  @Override
  public CrawlSnapshot.AtWork glance() {
    return new CrawlSnapshot.AtWork(
        domain,
        inFlight.count(),
        context.plan().policy().pace(claimed.state()),
        Optional.ofNullable(waiting));
  }

  /**
   * Works the domain, from the wait for its seat to the release of the claim. A domain can be
   * claimed again before its last worker has left. The requests of that worker end first.
   */
  public void run() {
    RequestSlots seat = claimed.job().seat();
    Signal free = new Signal();
    RequestSlots.Pass pass = new RequestSlots.Pass(free);
    try {
      while (!seat.take(pass, domain.name())) {
        time.await(free);
      }
    } catch (InterruptedException _) {
      // Never begun, so the listener is not told.
      seat.withdraw(pass);
      release(new Ending.Lost());
      return;
    }
    try {
      workClaim();
    } finally {
      seat.release(domain.name());
      context.activeDomains().forgetJob(domain);
    }
  }

  private void workClaim() {
    Ending ending = new Ending.Stopped();
    try {
      parts.listener().claimed(claimed.claim());
      ending = work();
    } catch (InterruptedException _) {
      // The crawl is stopping and its grace is over: URLs in flight go back with the claim.
    } catch (ClaimLost lost) {
      ending = lost.ending();
      context.returnUnused();
    } catch (Throwable unexpected) {
      // Reported first: the release may fail for the same reason and hide it.
      context.failed(unexpected);
    }
    if (claimed.isBorrowed()) {
      ending = borrowedEnding(ending);
    }
    parts.listener().ended(domain, release(ending));
  }

  /** However the work ended, a borrowed domain's own work is neither begun nor over. */
  private Ending borrowedEnding(Ending ending) {
    return switch (ending) {
      case Ending.Lost _ -> ending;
      case Ending.Stopped _, Ending.Borrowed _ -> new Ending.Borrowed();
      case Ending.SetAside _ -> {
        context.crossDomain().refuse(domain, time.instant());
        yield ending;
      }
      case Ending _ -> {
        context.crossDomain().refuse(domain, time.instant());
        yield new Ending.Borrowed();
      }
    };
  }

  private Ending release(Ending ending) {
    try {
      return claimed.release(ending, time.instant());
    } finally {
      context.activeDomains().leave(this);
      // Too late for the state that was released.
      for (Report report = inbox.poll(); report != null; report = inbox.poll()) {
        if (report instanceof FetchTask.TakenBack(var since)) {
          context.outages().unheard(domain, since);
        }
      }
    }
  }

  private Ending work() throws InterruptedException {
    try {
      traps.begun(parts.store());
      claimed.begun(time.instant());
      if (claimed.asksPages()) {
        context.yields().begun(domain, time.instant());
      }
      Ending ending = loop();
      if (!(ending instanceof Ending.Lost)) {
        traps.writeRest();
      }
      return ending;
    } finally {
      inFlight.leaveQueue();
      context.yields().ended(domain);
      context.crossDomain().withdraw(inbox.wake);
      inFlight.abandon();
      takeLastReports();
      settleLast();
    }
  }

  /** Settles what is decided, however the work ended: its answers need not be fetched again. */
  private void settleLast() {
    try {
      claimed.groups().finish();
    } catch (ClaimLost _) {
      // The release finds the claim lost, too.
    } catch (RuntimeException | Error failed) {
      context.failed(failed);
    }
  }

  private Ending loop() throws InterruptedException {
    while (true) {
      takeReports();
      claimed.groups().goOn(inFlight::areAnsweredSoon);
      switch (step()) {
        case Step.Plain.DONE, Step.Plain.SENT -> {}
        case Step.Plain.QUEUE -> awaitReport();
        case Step.QueueUntil(var at) -> await(at);
        case Step.Plain.WAIT -> {
          inFlight.leaveQueue();
          awaitReport();
        }
        case Step.WaitUntil(var said) -> {
          inFlight.leaveQueue();
          waitUntil(said);
        }
        case Step.LookAgain(var at, var said) -> {
          inFlight.leaveQueue();
          waitUntil(at, said);
        }
        case Step.TakeTurns(var said) -> waitUntil(said);
        case Step.Release(var ending) -> {
          return ending;
        }
      }
    }
  }

  /** Does what may be done now, or says what to wait for. */
  private Step step() {
    if (context.isStopping()) {
      return inFlight.endOrWait(new Ending.Stopped());
    }
    Instant now = time.instant();
    // Also during an outage: the domain's next worker waits until this one has left.
    if (claimed.isOver()) {
      return inFlight.endOrWait(new Ending.Lost());
    }
    if (context.outages().isPaused()) {
      return Step.Plain.WAIT;
    }
    claimed.heedOperator();
    if (claimed.isPaused()) {
      return inFlight.endOrWait(new Ending.Paused());
    }
    if (responses.cancelled().isPresent()) {
      return inFlight.endOrWait(new Ending.JobFailed(responses.cancelled().get()));
    }
    if (claimed.groups().isFull()) {
      return Step.Plain.WAIT;
    }
    if (now.isBefore(firstTurn)) {
      return new Step.WaitUntil(new CrawlSnapshot.Wait(firstTurn, "many begin with it", false));
    }
    return switch (claimed.turn(inFlight.inFlight(), now)) {
      case Turn.Stop(var standing) -> inFlight.endOrWait(new Ending.Closed(standing));
      case Turn.WaitForEvent _ -> Step.Plain.WAIT;
      case Turn.WaitUntil(var at, var why) ->
          nextUrl
              .endOfWork(now)
              .orElseGet(
                  () ->
                      new Step.WaitUntil(
                          new CrawlSnapshot.Wait(at, claimed.words(why), why.isRest())));
      case Turn.Park(var until, var why) ->
          nextUrl
              .endOfWork(now)
              .orElseGet(() -> inFlight.endOrWait(new Ending.RestUntil(until, claimed.words(why))));
      case Turn.Fetch(var delay) -> nextUrl.send(delay, now);
    };
  }

  /** Waits for a report, but not beyond the claim; once that is over, for requests in flight. */
  private void awaitReport() throws InterruptedException {
    await(claimed.isOver() ? Instant.MAX : claimed.deadline());
  }

  /** Waits until then at most, and until a group of settlements is to be handed over. */
  private void await(Instant until) throws InterruptedException {
    Instant due = claimed.groups().due();
    time.await(inbox.wake, due.isBefore(until) ? due : until);
  }

  private void waitUntil(CrawlSnapshot.Wait said) throws InterruptedException {
    waitUntil(said.until(), said);
  }

  private void waitUntil(Instant at, CrawlSnapshot.Wait said) throws InterruptedException {
    parts.listener().waiting(domain, said.until(), said.why());
    waiting = said;
    // A claim that is not renewed is given up when it ends, even during a longer wait.
    Instant deadline = claimed.deadline();
    await(at.isBefore(deadline) ? at : deadline);
    waiting = null;
  }

  private void takeReports() {
    for (Report report = inbox.poll(); report != null; report = inbox.poll()) {
      switch (report) {
        case FetchTask.Started(var task, var at) -> {
          inFlight.started(task, at);
          Attempt attempt = task.attempt(at);
          claimed.started(attempt);
          parts.listener().started(domain, attempt);
        }
        case FetchTask.TakenBack(var since) -> takeBackNow(since);
        case FetchTask.Located located -> inFlight.located(located);
        case Completed answer -> {
          inFlight.landed(answer);
          boolean keepsBody = false;
          try {
            keepsBody = responses.land(answer);
          } finally {
            inFlight.vacate(answer.task(), keepsBody);
          }
        }
      }
    }
  }

  /** Written at once where it opens the domain: no other process may find it closed. */
  private void takeBackNow(Instant since) {
    boolean wasClosed = !claimed.state().standing().mayBeAsked();
    claimed.takenBack(since);
    robots.forgive();
    if (wasClosed && claimed.state().standing().mayBeAsked()) {
      claimed.record(Optional.empty(), Optional.empty(), List.of());
    }
  }

  /** Handles reports of requests that were not waited for. */
  private void takeLastReports() {
    for (Report report = inbox.poll(); report != null; report = inbox.poll()) {
      switch (report) {
        case FetchTask.Started(var task, var at) -> claimed.started(task.attempt(at));
        case FetchTask.TakenBack(var since) -> claimed.takenBack(since);
        case FetchTask.Located _ -> {}
        case Completed answer -> {
          inFlight.vacate(answer.task(), false);
          responses.abandon(answer);
        }
      }
    }
  }
}
