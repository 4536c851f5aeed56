package dev.comity.core.engine;

import dev.comity.core.engine.Flight.Answer;
import dev.comity.core.engine.RobotsDesk.Reading;
import dev.comity.core.engine.RobotsDesk.Verdict;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.Attempt;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.Kind;
import dev.comity.core.policy.Turn;
import dev.comity.core.port.Claim;
import dev.comity.core.port.Ending;
import dev.comity.core.port.Frontier.Next;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.port.Settlement;
import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Works one claimed domain. Its thread alone reads and writes the domain's state; requests run in
 * threads of their own and report back through the inbox. It decides nothing: the policy says whose
 * turn it is and what an answer means.
 */
final class DomainWorker {
  private final Claim claim;
  private final CrawlPlan plan;
  private final CrawlParts parts;
  private final DomainPolicy policy;
  private final Timeline time;
  private final Permits permits;
  private final PageBudget budget;
  private final BooleanSupplier stopping;
  private final Runnable tellCrawl;
  private final RobotsDesk robots;
  private final TaskGroup flights;
  private final Signal wake = new Signal();
  private final Permits.Pass pass = new Permits.Pass(wake);
  private final Queue<Flight.Report> inbox = new ConcurrentLinkedQueue<>();

  private DomainState state;
  private int inFlight;

  /**
   * Sent off, but its first byte is not written: until then nobody knows when the next slot opens.
   */
  private boolean departing;

  /** Taken from the frontier and not sent yet, with its page reserved. */
  private Optional<QueuedUrl> held = Optional.empty();

  DomainWorker(
      Claim claim,
      CrawlPlan plan,
      CrawlParts parts,
      Permits permits,
      PageBudget budget,
      BooleanSupplier stopping,
      Runnable tellCrawl,
      Consumer<Throwable> failed) {
    this.claim = claim;
    this.plan = plan;
    this.parts = parts;
    this.permits = permits;
    this.budget = budget;
    this.stopping = stopping;
    this.tellCrawl = tellCrawl;
    policy = plan.policy();
    time = parts.time();
    state = claim.state();
    robots = new RobotsDesk(parts.robots(), url -> plan.domainOf(url).equals(claim.domain()));
    flights = new TaskGroup(time, failed, () -> {});
  }

  void wake() {
    wake.raise();
  }

  Ending run() throws InterruptedException {
    try {
      while (true) {
        takeReports();
        Optional<Ending> ending = step();
        if (ending.isPresent()) {
          return ending.get();
        }
      }
    } finally {
      permits.withdraw(pass);
      held.ifPresent(_ -> budget.giveBack());
      abandonFlights();
    }
  }

  /**
   * Does what may be done now, or waits until something changes; answers how the job ends, if it
   * does.
   */
  private Optional<Ending> step() throws InterruptedException {
    if (stopping.getAsBoolean()) {
      return endOrWait(new Ending.Stopped());
    }
    if (departing) {
      return waitForReports();
    }
    Instant now = time.instant();
    return switch (policy.turn(state, inFlight, now)) {
      case Turn.Stop(var reason) -> endOrWait(new Ending.Closed(reason));
      case Turn.WaitForAnswer _ -> waitForReports();
      case Turn.WaitUntil(var at, var why) -> waitUntil(at, why, now);
      case Turn.Fetch _ -> send(now);
    };
  }

  private Optional<Ending> send(Instant now) throws InterruptedException {
    if (held.isEmpty()) {
      if (!budget.reserve()) {
        return endOrWait(new Ending.OutOfBudget());
      }
      Next next = parts.store().frontier().next(claim, now);
      if (!(next instanceof Next.Ready(var entry))) {
        budget.giveBack();
        return next instanceof Next.DueAt(var at)
            ? waitUntil(at, "every URL left is due later", now)
            : endOrWait(new Ending.Exhausted());
      }
      held = Optional.of(entry);
    }
    QueuedUrl entry = held.get();
    return switch (robots.verdict(entry.url(), now)) {
      case Verdict.Denied _ -> settleUnasked(entry, new Fate.Denied());
      case Verdict.GivenUp(var reason) -> settleUnasked(entry, new Fate.Failed(reason));
      case Verdict.Asking _ -> waitForReports();
      case Verdict.Ask(var file) -> depart(Kind.ROBOTS, file, entry);
      case Verdict.Allowed _ -> depart(Kind.PAGE, entry.url(), entry);
    };
  }

  private Optional<Ending> depart(Kind kind, CrawlUrl url, QueuedUrl entry)
      throws InterruptedException {
    if (!permits.take(pass)) {
      time.await(wake);
      return Optional.empty();
    }
    switch (kind) {
      case PAGE -> held = Optional.empty();
      case ROBOTS -> robots.asking(entry.url().authority());
    }
    inFlight++;
    departing = true;
    Flight flight =
        new Flight(kind, url, entry, policy.delay(state), parts, inbox::add, wake::raise);
    flights.start(url.toString(), flight::run);
    return Optional.empty();
  }

  private void takeReports() {
    for (Flight.Report report = inbox.poll(); report != null; report = inbox.poll()) {
      switch (report) {
        case Flight.Started(var flight, var at) -> {
          departing = false;
          state = policy.started(state, at);
          parts.listener().started(claim.domain(), flight.url(), at);
        }
        case Answer answer -> {
          inFlight--;
          try {
            land(answer);
          } finally {
            permits.release();
          }
        }
      }
    }
  }

  private void land(Answer answer) {
    Flight flight = answer.flight();
    if (answer.startedAt().isEmpty()) {
      departing = false;
      state = policy.started(state, answer.at());
    }
    if (answer.fetched().outcome() instanceof FetchOutcome.Cancelled) {
      if (flight.kind() == Kind.PAGE) {
        budget.giveBack();
      }
      return;
    }
    Attempt attempt =
        new Attempt(
            flight.url(),
            flight.kind(),
            flight.entry().tries() + 1,
            answer.startedAt().orElse(answer.at()),
            flight.delay());
    Decision decision = policy.decide(state, attempt, answer.fetched().outcome(), answer.at());
    state = decision.state();
    switch (flight.kind()) {
      case ROBOTS -> landRobots(flight, answer);
      case PAGE -> landPage(flight, answer, attempt, decision.fate());
    }
  }

  private void landRobots(Flight flight, Answer answer) {
    FetchOutcome outcome = answer.fetched().outcome();
    switch (robots.answered(flight.entry().url().authority(), outcome, answer.at())) {
      case Reading.Rules(var rules) ->
          rules.crawlDelay().ifPresent(delay -> state = policy.asked(state, delay));
      case Reading.Elsewhere _ -> {}
      case Reading.Nothing _ -> {
        parts.store().add(fallback(flight.entry(), outcome));
        standAside(answer.at());
      }
    }
    parts.store().record(claim, state);
  }

  /**
   * Puts the URL whose robots.txt is silent one slot behind, so that the domain's other authorities
   * get a turn.
   */
  private void standAside(Instant now) {
    Instant rested = policy.turn(state, 0, now) instanceof Turn.WaitUntil(var at, _) ? at : now;
    held.ifPresent(
        entry -> settleUnasked(entry, new Fate.Later(rested.plus(policy.delay(state)), false)));
  }

  private void landPage(Flight flight, Answer answer, Attempt attempt, Fate fate) {
    if (fate instanceof Fate.Done) {
      budget.spend();
    } else {
      budget.giveBack();
    }
    List<QueuedUrl> found = new ArrayList<>(fallback(flight.entry(), answer.fetched().outcome()));
    found.addAll(inReach(flight.entry(), answer));
    settle(
        new Settlement(
            flight.entry(),
            Optional.of(attempt),
            Optional.of(answer.fetched()),
            fate,
            state,
            found,
            answer.content()));
    if (found.stream().anyMatch(url -> !plan.domainOf(url.url()).equals(claim.domain()))) {
      tellCrawl.run();
    }
  }

  private List<QueuedUrl> inReach(QueuedUrl entry, Answer answer) {
    if (answer.fetched().outcome() instanceof FetchOutcome.Redirect redirect) {
      return redirect.target().stream()
          .filter(_ -> entry.hops() < Flight.MOST_HOPS)
          .filter(target -> plan.follows(entry.url(), target, entry.depth()))
          .map(entry::hop)
          .toList();
    }
    return answer.links().stream()
        .filter(link -> plan.follows(entry.url(), link, entry.depth() + 1))
        .map(entry::link)
        .toList();
  }

  /** A seed given as a bare host is asked over http too once no https connection could be made. */
  private static List<QueuedUrl> fallback(QueuedUrl entry, FetchOutcome outcome) {
    boolean noConnection =
        outcome.category() == Category.CONNECTION_FAILED
            || outcome.category() == Category.TLS_FAILURE;
    return noConnection
        ? entry.fallback().map(url -> QueuedUrl.seed(url, Optional.empty())).stream().toList()
        : List.of();
  }

  private Optional<Ending> settleUnasked(QueuedUrl entry, Fate fate) {
    held = Optional.empty();
    budget.giveBack();
    settle(
        new Settlement(
            entry, Optional.empty(), Optional.empty(), fate, state, List.of(), Optional.empty()));
    return Optional.empty();
  }

  private void settle(Settlement settlement) {
    parts.store().settle(claim, settlement);
    parts.listener().settled(claim.domain(), settlement);
  }

  private Optional<Ending> endOrWait(Ending ending) throws InterruptedException {
    return inFlight == 0 ? Optional.of(ending) : waitForReports();
  }

  private Optional<Ending> waitForReports() throws InterruptedException {
    permits.withdraw(pass);
    time.await(wake);
    return Optional.empty();
  }

  private Optional<Ending> waitUntil(Instant at, String why, Instant now)
      throws InterruptedException {
    permits.withdraw(pass);
    if (inFlight == 0 && Duration.between(now, at).compareTo(plan.longWait()) > 0) {
      return Optional.of(new Ending.RestUntil(at, why));
    }
    parts.listener().waiting(claim.domain(), at, why);
    time.await(wake, at);
    return Optional.empty();
  }

  /** Nothing may go on in the domain's name once its claim is given back. */
  private void abandonFlights() {
    if (flights.size() == 0) {
      return;
    }
    flights.interrupt();
    boolean interrupted = Thread.interrupted();
    while (flights.size() > 0) {
      try {
        flights.join(Instant.MAX);
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    for (Flight.Report report = inbox.poll(); report != null; report = inbox.poll()) {
      if (report instanceof Answer answer) {
        permits.release();
        if (answer.flight().kind() == Kind.PAGE) {
          budget.giveBack();
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
