package dev.comity.core.engine;

import dev.comity.core.engine.Favours.Reply;
import dev.comity.core.engine.Flight.Answer;
import dev.comity.core.engine.RobotsDesk.Reading;
import dev.comity.core.engine.RobotsDesk.Verdict;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.Attempt;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.Kind;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.Slots;
import dev.comity.core.policy.Turn;
import dev.comity.core.port.Claim;
import dev.comity.core.port.Ending;
import dev.comity.core.port.Frontier.Next;
import dev.comity.core.port.Note;
import dev.comity.core.port.Note.Exchange;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.port.RobotsCopy;
import dev.comity.core.port.Settlement;
import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import dev.comity.core.trap.Tally;
import dev.comity.core.trap.TrapBook;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Works one claimed domain. Its thread alone reads and writes the domain's state; requests run in
 * threads of their own and report back through the inbox. It decides nothing: the policy says whose
 * turn it is and what an answer means.
 */
final class DomainWorker {
  private final Claim claim;
  private final Crew crew;
  private final Job job;
  private final CrawlParts parts;
  private final DomainPolicy policy;
  private final Timeline time;
  private final RobotsDesk robots;
  private final Leads leads;
  private final Sitemaps sitemaps;
  private final Walls walls;
  private final TaskGroup flights;
  private final Signal wake = new Signal();
  private final Berths.Pass pass = new Berths.Pass(wake);
  private final Queue<Flight.Report> inbox = new ConcurrentLinkedQueue<>();
  private final Whereabouts whereabouts = new Whereabouts();

  /** At which address each request under way has its place. */
  private final Map<Flight, String> places = new HashMap<>();

  /** Nothing starts from then on, unless the claim is renewed. */
  private volatile Instant deadline;

  /** Written by this worker's thread only; requests about to start look at it from theirs. */
  private volatile DomainState state;

  /** Sent off and not yet settled. */
  private final AtomicInteger inFlight = new AtomicInteger();

  /** This worker is on its way out: nothing more may start in its name. */
  private volatile boolean leaving;

  /**
   * Sent off, but its first byte has not left: until then nobody knows when the next slot opens.
   */
  private boolean departing;

  /** Taken from the frontier and not sent yet. */
  private Optional<QueuedUrl> held = Optional.empty();

  private Optional<String> cancelled = Optional.empty();

  /** Sent for another domain's sake. */
  private final Set<Flight> favours = new HashSet<>();

  /** Nothing but favours is done: the domain's own work is not this run's, or not now. */
  private final boolean borrowed;

  /** What is being waited for; only for those who watch. */
  private volatile Optional<Glance.Wait> waiting = Optional.empty();

  /** What is known of the site's templates, read when the work begins. */
  private TrapBook traps;

  DomainWorker(Claim claim, Crew crew, Job job, boolean borrowed) {
    this.borrowed = borrowed;
    this.claim = claim;
    this.crew = crew;
    this.job = job;
    parts = crew.parts();
    policy = crew.plan().policy();
    time = parts.time();
    state = claim.state();
    deadline = claim.until();
    robots = new RobotsDesk(crew.robots(), policy, this::isOurs, file -> crew.askFor(file, wake));
    leads = new Leads(crew.plan());
    sitemaps = new Sitemaps(claim, crew.plan(), parts);
    traps = new TrapBook(crew.plan().traps(), List.of());
    walls = new Walls(claim.job().pages() > 0);
    flights = new TaskGroup(time, crew::failed, () -> {});
  }

  Claim claim() {
    return claim;
  }

  boolean isBorrowed() {
    return borrowed;
  }

  void wake() {
    wake.raise();
  }

  /** The claim lasts until then. */
  void renewed(Instant until) {
    deadline = until;
    wake.raise();
  }

  /** What was counted against the domain since then was our own outage. */
  void takeBack(Instant since) {
    inbox.add(new Flight.TakenBack(since));
    wake.raise();
  }

  /** How it stands with the domain; any thread may ask. */
  Glance.AtWork glance() {
    return new Glance.AtWork(claim.domain(), inFlight.get(), policy.pace(state), waiting);
  }

  /** The state to give back with the claim. */
  DomainState state() {
    return state;
  }

  /** What came too late to be taken into the state that was given back. */
  List<Instant> unheard() {
    List<Instant> late = new ArrayList<>();
    for (Flight.Report report = inbox.poll(); report != null; report = inbox.poll()) {
      if (report instanceof Flight.TakenBack(var since)) {
        late.add(since);
      }
    }
    return late;
  }

  Ending run() throws InterruptedException {
    try {
      if (!borrowed) {
        traps = new TrapBook(crew.plan().traps(), parts.store().templates(claim.domain()));
      }
      Instant now = time.instant();
      state =
          claim.takenOver()
              ? policy.takenOver(claim.state(), now)
              : policy.claimed(claim.state(), now);
      heedTerms();
      while (true) {
        takeReports();
        Optional<Ending> ending = step();
        if (ending.isPresent()) {
          writeTraps(ending.get());
          return ending.get();
        }
      }
    } finally {
      crew.berths().withdraw(pass);
      crew.favours().withdraw(wake);
      abandonFlights();
    }
  }

  /** What the last pages said of their templates. */
  private void writeTraps(Ending ending) {
    List<Tally> changed = traps.takeChanged();
    if (!changed.isEmpty() && !(ending instanceof Ending.Lost)) {
      parts
          .store()
          .record(claim, new Note(state, Optional.empty(), Optional.empty(), List.of(), changed));
    }
  }

  /** What is set for the domain in this run; an earlier one may have been told otherwise. */
  private void heedTerms() {
    Limits limits = crew.plan().termsOf(claim.domain()).on(state.limits());
    if (!limits.equals(state.limits())) {
      state = policy.limited(state, limits);
    }
  }

  /**
   * Does what may be done now, or waits until something changes; answers how the job ends, if it
   * does.
   */
  private Optional<Ending> step() throws InterruptedException {
    if (crew.isStopping()) {
      return endOrWait(new Ending.Stopped());
    }
    if (crew.outage().isPaused()) {
      return waitForReports();
    }
    if (cancelled.isPresent()) {
      return endOrWait(new Ending.JobFailed(cancelled.get()));
    }
    Instant now = time.instant();
    if (!now.isBefore(deadline)) {
      return endOrWait(new Ending.Lost());
    }
    return switch (policy.turn(state, new InFlight(inFlight.get(), departing), now)) {
      case Turn.Stop(var standing) -> endOrWait(new Ending.Closed(standing));
      case Turn.WaitForEvent _ -> waitForReports();
      case Turn.WaitUntil(var at, var why) -> waitUntil(at, why.words(), why.isRest());
      case Turn.Park(var until, var why) -> endOrWait(new Ending.RestUntil(until, why.words()));
      case Turn.Fetch(var delay) -> send(delay, now);
    };
  }

  private Optional<Ending> send(Duration delay, Instant now) throws InterruptedException {
    Optional<CrawlUrl> favour = crew.favours().next(claim.domain());
    if (favour.isPresent() && !robots.isAsking(favour.get().authority())) {
      return sendFavour(favour.get(), delay, now);
    }
    if (borrowed) {
      return inFlight.get() == 0 ? Optional.of(giveBackBorrowed(now)) : waitForReports();
    }
    if (held.isEmpty()) {
      switch (parts.store().frontier().next(claim, now)) {
        case Next.Ready(var entry) -> held = Optional.of(entry);
        case Next.DueAt(var at) -> {
          return dueLater(at, now);
        }
        case Next.Empty _ -> {
          return inFlight.get() == 0 ? Optional.of(exhausted(now)) : waitForReports();
        }
      }
    }
    QueuedUrl entry = held.get();
    Optional<QueuedUrl> moved = leads.moved(entry, state.heard().doors());
    if (moved.isPresent()) {
      return settleUnasked(entry, new Fate.Moved(), moved.stream().toList());
    }
    if (!entry.isSeed() && entry.kind() == Kind.PAGE && traps.trap(entry.url()).isPresent()) {
      return settleUnasked(entry, new Fate.Suppressed());
    }
    if (entry.kind() == Kind.SITEMAP && !sitemaps.wantsMore(job)) {
      return settleUnasked(entry, new Fate.Denied());
    }
    Verdict verdict = robots.verdict(entry.url(), state, now);
    if (!(verdict instanceof Verdict.Brought) && heedsMore()) {
      return Optional.empty();
    }
    return switch (verdict) {
      case Verdict.Denied _ -> settleUnasked(entry, new Fate.Denied());
      case Verdict.GivenUp(var reason) -> settleUnasked(entry, new Fate.Failed(reason));
      case Verdict.Asking _ -> waitForReports();
      case Verdict.Later(var at) ->
          waitUntil(at, "its robots.txt is kept by another domain", false);
      case Verdict.Brought(var copy) -> takeIn(copy);
      case Verdict.OutOfReach(var unread) -> giveUp(unread);
      case Verdict.Ask(var file, var tries) ->
          depart(
              new Flight(
                  Kind.ROBOTS,
                  file,
                  entry,
                  tries + 1,
                  delay,
                  firstByte(),
                  this::mayStart,
                  this::report,
                  parts));
      case Verdict.Allowed _ ->
          depart(
              new Flight(
                  entry.kind(),
                  entry.url(),
                  entry,
                  entry.triesSpent() + 1,
                  delay,
                  firstByte(),
                  this::mayStart,
                  this::report,
                  parts));
    };
  }

  /**
   * Asks for a file on another domain's behalf. Whether this one's robots.txt would let it be asked
   * for is no question: it is that one's robots.txt.
   */
  private Optional<Ending> sendFavour(CrawlUrl file, Duration delay, Instant now)
      throws InterruptedException {
    if (isOwnRobots(file) && crew.robots().copyOf(file.authority(), now).isPresent()) {
      crew.favours().isKnown(claim.domain(), file);
      return Optional.empty();
    }
    int tries = crew.favours().tries(claim.domain(), file);
    Flight flight =
        new Flight(
            Kind.ROBOTS,
            file,
            QueuedUrl.seed(file, Optional.empty()),
            tries + 1,
            delay,
            firstByte(),
            this::mayStart,
            this::report,
            parts);
    favours.add(flight);
    Optional<Ending> ending = depart(flight);
    if (places.containsKey(flight)) {
      crew.favours().sent(claim.domain(), file);
    } else {
      favours.remove(flight);
    }
    return ending;
  }

  private static boolean isOwnRobots(CrawlUrl file) {
    return file.authority().robotsTxt().equals(file);
  }

  /** Where nothing is left to ask, nobody else would come to see that. */
  private Ending giveBackBorrowed(Instant now) {
    if (parts.store().frontier().next(claim, now) instanceof Next.Empty) {
      state = policy.idle(state);
    }
    return new Ending.Borrowed();
  }

  /**
   * Heeds what a robots.txt says that was read under an earlier claim; answers whether it asks for
   * more time. A shorter delay is believed only by who has just read it: another authority may have
   * asked for the longer one.
   */
  private boolean heedsMore() {
    Duration asked = robots.longestDelay();
    boolean more = asked.compareTo(state.limits().crawlDelay()) > 0;
    if (more) {
      state = policy.limited(state, state.limits().withCrawlDelay(asked));
    }
    List<QueuedUrl> found = sitemaps.named(robots.newSitemaps());
    if (!found.isEmpty()) {
      parts.store().record(claim, new Note(state, Optional.empty(), Optional.empty(), found));
    }
    return more;
  }

  private Duration firstByte() {
    return policy.firstByteTimeout(state);
  }

  private Optional<Ending> dueLater(Instant at, Instant now) throws InterruptedException {
    boolean isLong = Duration.between(now, at).compareTo(crew.plan().longWait()) > 0;
    String why = "every URL left is due later";
    return isLong ? endOrWait(new Ending.RestUntil(at, why)) : waitUntil(at, why, false);
  }

  /**
   * If all there is was denied, the site wants no crawler; if nothing ever worked, the last failure
   * decides.
   */
  private Ending exhausted(Instant now) {
    state = robots.everythingIsDenied() ? policy.denied(state, now) : policy.emptied(state, now);
    return state.standing().reason().isPresent()
        ? new Ending.Closed(state.standing())
        : new Ending.Exhausted();
  }

  private Optional<Ending> depart(Flight flight) throws InterruptedException {
    // Known before anything is reserved: looking a name up may take long and holds nothing.
    Authority authority = flight.url().authority();
    Optional<String> address = whereabouts.of(authority, time.instant());
    if (address.isEmpty()) {
      lookUp(authority);
      return waitForReports();
    }
    boolean isPage = flight.kind() == Kind.PAGE;
    boolean isSitemap = flight.kind() == Kind.SITEMAP;
    // A sitemap costs no page, but is of no use where none can be had.
    if ((isPage && !job.reserve()) || (isSitemap && !job.hasRoom())) {
      return endOrWait(job.isSpent() ? new Ending.OutOfBudget() : new Ending.RunOutOfBudget());
    }
    if (!crew.berths().take(pass, address.get())) {
      if (isPage) {
        job.giveBack();
      }
      time.await(wake);
      return Optional.empty();
    }
    if (flight.kind() != Kind.ROBOTS) {
      held = Optional.empty();
    } else if (!favours.contains(flight) || isOwnRobots(flight.url())) {
      robots.asking(flight.entry().url().authority());
    }
    if (isSitemap) {
      job.askedSitemap();
    }
    places.put(flight, address.get());
    inFlight.incrementAndGet();
    departing = true;
    flights.start(flight.url().toString(), flight::run);
    return Optional.empty();
  }

  private void lookUp(Authority authority) {
    if (!whereabouts.seek(authority)) {
      return;
    }
    flights.start(
        "look up " + authority,
        () -> {
          try {
            String address = parts.fetcher().address(authority);
            report(new Flight.Located(authority, address, time.instant()));
          } catch (InterruptedException _) {
            // The worker is leaving.
          }
        });
  }

  private void report(Flight.Report report) {
    inbox.add(report);
    wake.raise();
  }

  /** Asked by a request that has its connection: whether what let it be sent off still holds. */
  private boolean mayStart(Instant now) {
    int others = inFlight.get() - 1;
    return !leaving
        && now.isBefore(deadline)
        && !crew.isStopping()
        && !crew.outage().isPaused()
        && !hasPushback()
        && policy.turn(state, InFlight.started(others), now) instanceof Turn.Fetch;
  }

  private boolean hasPushback() {
    for (Flight.Report report : inbox) {
      if (isPushback(report)) {
        return true;
      }
    }
    return false;
  }

  /** The site has said something that may hold a request back, be it heard yet or not. */
  private static boolean isPushback(Flight.Report report) {
    return report instanceof Answer answer
        && answer.fetched().outcome() instanceof FetchOutcome.Pushback;
  }

  private void takeReports() {
    for (Flight.Report report = inbox.poll(); report != null; report = inbox.poll()) {
      switch (report) {
        case Flight.Started(var flight, var at) -> {
          departing = false;
          Attempt attempt = flight.attempt(at);
          state = policy.started(state, attempt);
          parts.listener().started(claim.domain(), attempt);
        }
        case Flight.TakenBack(var since) -> takeBackNow(since);
        case Flight.Located(var authority, var address, var at) ->
            whereabouts.found(authority, address, at);
        case Answer answer -> {
          inFlight.decrementAndGet();
          try {
            land(answer);
          } finally {
            vacate(answer.flight());
          }
        }
      }
    }
  }

  /** Written at once where it opens the domain: nobody else may find it closed for our outage. */
  private void takeBackNow(Instant since) {
    boolean wasClosed = !state.standing().mayBeAsked();
    state = policy.takenBack(state, since);
    robots.forgive();
    if (wasClosed && state.standing().mayBeAsked()) {
      Note opened = new Note(state, Optional.empty(), Optional.empty(), List.of());
      parts.store().record(claim, opened);
    }
  }

  private void vacate(Flight flight) {
    crew.berths().release(Objects.requireNonNull(places.remove(flight)));
  }

  private void land(Answer landed) {
    Flight flight = landed.flight();
    Answer answer = flight.kind() == Kind.PAGE ? walls.judged(landed) : landed;
    if (answer.startedAt().isEmpty()) {
      departing = false;
      state = policy.startFailed(state, answer.at());
    } else {
      crew.acquaintances().reached(flight.url().authority());
    }
    Attempt attempt = flight.attempt(answer.startedAt().orElse(answer.at()));
    if (isNobodysFault(answer)) {
      giveBack(flight);
      parts.listener().answered(claim.domain(), attempt, answer.fetched());
      return;
    }
    Decision decision = policy.decide(state, attempt, answer.fetched(), answer.at());
    state = decision.state();
    switch (flight.kind()) {
      case ROBOTS -> {
        if (favours.remove(flight)) {
          landFavour(flight, answer, attempt, decision.fate());
        } else {
          landRobots(flight, answer, attempt, decision.fate());
        }
      }
      case SITEMAP -> landSitemap(flight, answer, attempt, decision.fate());
      case PAGE, IMAGE -> landPage(flight, answer, attempt, decision.fate());
    }
    parts.listener().answered(claim.domain(), attempt, answer.fetched());
    decision.changes().forEach(this::tell);
    crew.sawConnection(claim.domain(), flight.url(), answer, lastAnswer(flight.url()));
    if (answer.fetched().outcome().status().isPresent()) {
      crew.acquaintances().answered(claim.domain(), answer.at());
    }
  }

  /**
   * When the site last answered, as far as that says anything about this URL: an address of it that
   * never let us in may always have been dead.
   */
  private Instant lastAnswer(CrawlUrl url) {
    Authority authority = url.authority();
    return crew.acquaintances().hasReached(authority)
        ? crew.acquaintances().lastAnswer(claim.domain())
        : isUnheardOf(authority) ? Slots.NEVER : claim.state().heard().lastAnswer();
  }

  /** Neither this worker nor one before it had an answer from there. */
  private boolean isUnheardOf(Authority authority) {
    return !crew.acquaintances().hasReached(authority)
        && !claim.state().heard().by().equals(Optional.of(authority));
  }

  /**
   * Stopped by us, or lost while our own network is known to be down: it is as if it had never been
   * sent.
   */
  private boolean isNobodysFault(Answer answer) {
    return switch (answer.fetched().outcome()) {
      case FetchOutcome.Cancelled _ -> true;
      case FetchOutcome.Unreachable _ -> crew.outage().isPaused();
      case FetchOutcome _ -> false;
    };
  }

  private void giveBack(Flight flight) {
    if (flight.kind() == Kind.ROBOTS) {
      robots.notAsked(flight.entry().url().authority());
      putOff(flight);
      return;
    }
    Fate returned = new Fate.Returned();
    if (flight.kind() == Kind.PAGE) {
      job.settle(returned);
    }
    parts.store().settle(claim, unasked(flight.entry(), returned, List.of()));
  }

  /** Should it have been a favour, it is still to be done. */
  private void putOff(Flight flight) {
    if (favours.remove(flight)) {
      crew.favours().again(claim.domain(), flight.url(), false);
    }
  }

  private void tell(Change change) {
    parts.listener().changed(claim.domain(), change);
    if (change instanceof Change.JobCancelled(var refusals)) {
      cancelled = Optional.of(refusals + " refusals in a row at the longest delay");
    }
  }

  private void landRobots(Flight flight, Answer answer, Attempt attempt, Fate fate) {
    FetchOutcome outcome = answer.fetched().outcome();
    Authority authority = flight.entry().url().authority();
    boolean everIn =
        !isUnheardOf(authority) || state.heard().doors().letInOverHttps(authority.host());
    List<QueuedUrl> fallback = everIn ? List.of() : leads.fallback(flight, answer);
    Optional<RobotsCopy> read = Optional.empty();
    switch (robots.answered(authority, outcome, fate, answer.at())) {
      case Reading.Rules(var copy) -> {
        state = policy.robotsAnswered(state, authority);
        state = policy.limited(state, state.limits().withCrawlDelay(robots.longestDelay()));
        read = Optional.of(copy);
      }
      case Reading.Elsewhere _, Reading.LastGoodCopy _ -> {}
      case Reading.Nothing _ -> {
        if (spendsTry(fate)) {
          state = policy.robotsTried(state, authority, outcome.category(), answer.at());
        }
        standAside(answer.at());
      }
    }
    List<QueuedUrl> found = new ArrayList<>(fallback);
    List<QueuedUrl> named = sitemaps.named(robots.newSitemaps());
    found.addAll(borrowed ? List.of() : named);
    Exchange exchange = new Exchange(attempt, answer.fetched());
    parts.store().record(claim, new Note(state, Optional.of(exchange), read, found));
  }

  /**
   * Asked for on another's behalf: its answer is theirs. What was asked for is this domain's own
   * robots.txt as well, perhaps; where that has moved to is found out when it is needed here.
   */
  private void landFavour(Flight flight, Answer answer, Attempt attempt, Fate fate) {
    CrawlUrl file = flight.url();
    FetchOutcome outcome = answer.fetched().outcome();
    if (isOwnRobots(file) && !(outcome instanceof FetchOutcome.Redirect)) {
      landRobots(flight, answer, attempt, fate);
    } else {
      if (isOwnRobots(file)) {
        robots.notAsked(file.authority());
      }
      Exchange exchange = new Exchange(attempt, answer.fetched());
      parts
          .store()
          .record(claim, new Note(state, Optional.of(exchange), Optional.empty(), List.of()));
    }
    switch (fate) {
      case Fate.Done _ -> crew.favours().reply(claim.domain(), file, new Reply.Came(outcome));
      case Fate.Retry retry when attempt.ordinal() < mostTries() ->
          crew.favours().again(claim.domain(), file, retry.spendsRetry());
      case Fate _ -> crew.favours().reply(claim.domain(), file, new Reply.Refused());
    }
  }

  /** One less than would close a domain for a robots.txt of its own: it may be quite well. */
  private int mostTries() {
    return Math.max(1, policy.failureSettings().robotsTries() - 1);
  }

  /** What another domain keeps counts as if it had been read here. */
  private Optional<Ending> takeIn(RobotsCopy copy) {
    state = policy.robotsAnswered(state, copy.authority());
    state = policy.limited(state, state.limits().withCrawlDelay(robots.longestDelay()));
    List<QueuedUrl> named = sitemaps.named(robots.newSitemaps());
    parts.store().record(claim, new Note(state, Optional.empty(), Optional.of(copy), named));
    return Optional.empty();
  }

  private Optional<Ending> giveUp(RobotsCopy unread) {
    parts.store().record(claim, new Note(state, Optional.empty(), Optional.of(unread), List.of()));
    tell(new Change.AuthorityGivenUp(Category.REDIRECT));
    return Optional.empty();
  }

  private static boolean spendsTry(Fate fate) {
    return fate instanceof Fate.Failed || (fate instanceof Fate.Retry retry && retry.spendsRetry());
  }

  private void landSitemap(Flight flight, Answer answer, Attempt attempt, Fate fate) {
    QueuedUrl entry = flight.entry();
    Sitemaps.TakenIn taken = sitemaps.takeIn(entry, answer, state);
    Settlement settlement =
        new Settlement(
            entry,
            Optional.of(attempt),
            Optional.of(answer.fetched()),
            fate,
            state,
            taken.left(),
            Optional.empty());
    parts.store().settle(claim, settlement);
    parts.listener().settled(claim.domain(), settlement);
    taken.tally().ifPresent(tally -> parts.listener().listed(claim.domain(), entry.url(), tally));
  }

  /**
   * Puts the URL whose robots.txt is silent one slot behind, so that the domain's other authorities
   * get a turn.
   */
  private void standAside(Instant now) {
    if (!state.standing().mayBeAsked()) {
      return;
    }
    Instant rested =
        policy.turn(state, InFlight.NONE, now) instanceof Turn.WaitUntil(var at, _) ? at : now;
    held.ifPresent(
        entry -> {
          if (robots.verdict(entry.url(), state, now) instanceof Verdict.Ask) {
            settleUnasked(
                entry, new Fate.Retry(rested.plus(policy.pace(state).effective()), false));
          }
        });
  }

  private void landPage(Flight flight, Answer answer, Attempt attempt, Fate fate) {
    leads
        .goneTo(flight.entry(), answer)
        .ifPresent(target -> state = policy.redirected(state, flight.url(), target));
    weigh(flight.entry(), answer);
    List<QueuedUrl> found =
        leads.found(flight.entry(), answer, state.heard().doors(), traps, this::isOurs);
    Settlement settlement =
        new Settlement(
            flight.entry(),
            Optional.of(attempt),
            Optional.of(answer.fetched()),
            fate,
            state,
            found,
            answer.content(),
            traps.takeDue());
    // What could not be written is no page of this run.
    Fate written = new Fate.Returned();
    try {
      parts.store().settle(claim, settlement);
      written = fate;
    } finally {
      job.settle(written);
    }
    if (job.streak().endsJob(policy.failureSettings())) {
      cancelled = Optional.of(job.streak().failed() + " URLs in a row failed");
    }
    parts.listener().settled(claim.domain(), settlement);
    if (found.stream().anyMatch(url -> !isOurs(url.url()))) {
      crew.tell();
    }
  }

  /** Only what was never asked before tells whether there is still something new. */
  private void weigh(QueuedUrl entry, Answer answer) {
    if (entry.asked() > 0) {
      return;
    }
    answer
        .content()
        .flatMap(
            page ->
                traps.landed(
                    entry.url(), entry.referrer(), page::text, answer.links(), answer.at()))
        .ifPresent(
            tally ->
                tell(
                    new Change.TemplateSuppressed(
                        tally.template(), tally.suppressed().orElseThrow().reason().words())));
  }

  private boolean isOurs(CrawlUrl url) {
    return crew.plan().domainOf(url).equals(claim.domain());
  }

  private Optional<Ending> settleUnasked(QueuedUrl entry, Fate fate) {
    return settleUnasked(entry, fate, List.of());
  }

  private Optional<Ending> settleUnasked(QueuedUrl entry, Fate fate, List<QueuedUrl> found) {
    held = Optional.empty();
    Settlement settlement = unasked(entry, fate, found);
    parts.store().settle(claim, settlement);
    parts.listener().settled(claim.domain(), settlement);
    return Optional.empty();
  }

  private Settlement unasked(QueuedUrl entry, Fate fate, List<QueuedUrl> found) {
    return new Settlement(
        entry, Optional.empty(), Optional.empty(), fate, state, found, Optional.empty());
  }

  private Optional<Ending> endOrWait(Ending ending) throws InterruptedException {
    return inFlight.get() == 0 ? Optional.of(ending) : waitForReports();
  }

  private Optional<Ending> waitForReports() throws InterruptedException {
    crew.berths().withdraw(pass);
    time.await(wake);
    return Optional.empty();
  }

  private Optional<Ending> waitUntil(Instant at, String why, boolean rest)
      throws InterruptedException {
    crew.berths().withdraw(pass);
    parts.listener().waiting(claim.domain(), at, why);
    waiting = Optional.of(new Glance.Wait(at, why, rest));
    // A claim that is not renewed is given up in time, not when it would have been of use again.
    time.await(wake, at.isBefore(deadline) ? at : deadline);
    waiting = Optional.empty();
    return Optional.empty();
  }

  /**
   * Nothing may go on in the domain's name once its claim is given back. An interrupt has done its
   * work by now and goes no further: giving back is not to be cut short by it.
   */
  private void abandonFlights() {
    leaving = true;
    flights.interrupt();
    flights.joinAll();
    Thread.interrupted();
    for (Flight.Report report = inbox.poll(); report != null; report = inbox.poll()) {
      switch (report) {
        case Flight.Started(var flight, var at) ->
            state = policy.started(state, flight.attempt(at));
        case Flight.TakenBack(var since) -> state = policy.takenBack(state, since);
        case Flight.Located _ -> {}
        case Answer answer -> abandon(answer);
      }
    }
  }

  /** The URL will be asked again, but what the site asked for is heard. */
  private void abandon(Answer answer) {
    vacate(answer.flight());
    putOff(answer.flight());
    if (answer.flight().kind() == Kind.PAGE) {
      job.giveBack();
    }
    if (isPushback(answer)) {
      Attempt attempt = answer.flight().attempt(answer.startedAt().orElse(answer.at()));
      state = policy.decide(state, attempt, answer.fetched(), answer.at()).state();
    }
  }
}
