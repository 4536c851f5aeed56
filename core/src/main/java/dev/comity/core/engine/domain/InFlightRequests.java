package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.DomainWorker.Step;
import dev.comity.core.engine.domain.FetchTask.Completed;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.Job;
import dev.comity.core.engine.shared.RequestSlots;
import dev.comity.core.engine.shared.TaskGroup;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.SharedBudgets;
import dev.comity.core.policy.Turn;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Wishes;
import dev.comity.core.util.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests of one domain in flight, from taking a slot to giving it back. The worker's thread
 * sends them. They run in threads of their own and report to the worker's inbox.
 */
final class InFlightRequests {
  private static final String SHARED =
      "its server refused several domains together; they take turns";

  private static final String OTHERS_FIRST = "pages are few, and other sites have more images";

  /** How soon a domain with few images looks again whether there are pages for it. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  /** How long it leaves its claim to others, where claims are few. */
  private static final Duration REST = Duration.ofMinutes(5);

  /** How long an address is reused: a name seldom changes its address within minutes. */
  private static final Duration ADDRESS_GOOD_FOR = Duration.ofMinutes(5);

  /** A domain with more hosts than that looks some of them up again. */
  private static final int MOST_ADDRESSES = 100;

  private final CrawlContext context;
  private final CrawlParts parts;
  private final ClaimedDomain claimed;
  private final Job job;
  private final Inbox inbox;
  private final RequestSlots.Pass pass;
  private final TaskGroup threads;
  private final UsageTerms usage;
  private final BoundedMap<Authority, FetchTask.Located> addresses =
      BoundedMap.byPut(MOST_ADDRESSES);

  /** Authorities with a lookup under way. */
  private final Set<Authority> lookups = new HashSet<>();

  /** The address at which each request in flight holds its slot. */
  private final Map<FetchTask, String> slots = new HashMap<>();

  /** The address at which the domain stands in line for a shared budget. */
  private Optional<String> inLineAt = Optional.empty();

  /** Whether a slot is queued for, or reserved. */
  private boolean queuing;

  /** Requests sent and not yet answered. */
  private final AtomicInteger count = new AtomicInteger();

  /** Requests sent that have not started: until they have, the next turn is not known. */
  private final AtomicInteger departing = new AtomicInteger();

  /** The worker is leaving: no request may start under its claim. */
  private volatile boolean leaving;

  InFlightRequests(CrawlContext context, ClaimedDomain claimed, Inbox inbox) {
    this.context = context;
    parts = context.parts();
    this.claimed = claimed;
    job = claimed.job();
    this.inbox = inbox;
    pass = new RequestSlots.Pass(inbox.wake);
    threads = new TaskGroup(parts.time(), context::failed, () -> {});
    usage = new UsageTerms(context);
  }

  /** How many there are. Thread-safe. */
  int count() {
    return count.get();
  }

  InFlight inFlight() {
    return new InFlight(count.get(), departing.get() > 0);
  }

  /** Whether no request is in flight, and every answer is durable. */
  boolean isIdle() {
    return count.get() == 0 && claimed.groups().isEmpty();
  }

  /** Whether answers may come within milliseconds: some are due, and no delay is kept. */
  boolean areAnsweredSoon() {
    return count.get() > 0 && context.plan().policy().pace(claimed.state()).effective().isZero();
  }

  /** Ends the work, or waits for the requests in flight and the settlements first. */
  Step endOrWait(Ending ending) {
    return isIdle() ? new Step.Release(ending) : Step.Plain.WAIT;
  }

  /**
   * Sends a request for a URL of the frontier.
   *
   * @param wishes what its robots.txt says about its use
   */
  Step send(QueuedUrl entry, Wishes wishes, Duration delay) {
    FetchTask task = task(entry.kind(), entry.url(), entry, entry.triesSpent(), delay);
    task.knows(wishes);
    return depart(task);
  }

  /** A request for the robots.txt that this URL needs. */
  FetchTask forRobots(CrawlUrl file, QueuedUrl entry, int triesSpent, Duration delay) {
    return task(Kind.ROBOTS, file, entry, triesSpent, delay);
  }

  /** A request for the tdmrep.json that this URL needs. */
  FetchTask forTdmRep(QueuedUrl entry, int triesSpent, Duration delay) {
    return task(Kind.TDMREP, entry.url().authority().tdmRep(), entry, triesSpent, delay);
  }

  private FetchTask task(Kind kind, CrawlUrl url, QueuedUrl entry, int triesSpent, Duration delay) {
    Duration firstByte = context.plan().policy().firstByteTimeout(claimed.state());
    return new FetchTask(
        kind,
        url,
        entry,
        triesSpent + 1,
        delay,
        firstByte,
        this::mayStart,
        context.bodies(),
        inbox::add,
        parts,
        usage);
  }

  /** Sends it, if its address is known, the budget has a page for it and there is a slot. */
  Step depart(FetchTask task) {
    // Known before anything is reserved: a lookup may take long and must hold nothing.
    Authority authority = task.url().authority();
    Instant now = parts.time().instant();
    FetchTask.Located located = addresses.get(authority);
    if (located == null || !now.isBefore(located.at().plus(ADDRESS_GOOD_FOR))) {
      lookUp(authority);
      return Step.Plain.WAIT;
    }
    Optional<Instant> turn = takeTurns(located.address(), now);
    if (turn.isPresent()) {
      return notNext(turn.get(), now);
    }
    Step step = departNow(task, located.address(), now);
    if (step == Step.Plain.SENT) {
      inLineAt = Optional.empty();
    } else {
      leaveLine();
    }
    return step;
  }

  /** When to ask again, if the domain shares a budget and another domain is next. */
  private Optional<Instant> takeTurns(String address, Instant now) {
    if (!inLineAt.equals(Optional.of(address))) {
      leaveLine();
      inLineAt = Optional.of(address);
    }
    return context.servers().ask(address, claimed.domain(), inbox.wake, now);
  }

  private Step notNext(Instant at, Instant now) {
    context.rate().leave(inbox.wake);
    leaveSlots();
    boolean isLong = Duration.between(now, at).compareTo(DomainPolicy.PARK_AFTER) > 0;
    return isLong
        ? endOrWait(new Ending.RestUntil(at, SHARED))
        : new Step.TakeTurns(new CrawlSnapshot.Wait(at, SHARED, false));
  }

  private Step departNow(FetchTask task, String address, Instant now) {
    if (!context.rate().admits(inbox.wake, now)) {
      // Other domains can use a reserved slot meanwhile.
      leaveSlots();
      return context
          .rate()
          .nextFor(inbox.wake)
          .<Step>map(Step.QueueUntil::new)
          .orElse(Step.Plain.QUEUE);
    }
    boolean isPage = task.kind() == Kind.PAGE;
    boolean isImage = task.kind() == Kind.IMAGE;
    boolean isSitemap = task.kind() == Kind.SITEMAP;
    boolean isForPages = isSitemap || task.kind() == Kind.LINKS;
    // Sitemaps and links cost no page, but are of no use where the budget has no page left.
    if (task.source().isPresent() && !departs(task, now)) {
      return withoutTurn(task);
    }
    if ((isPage && !job.reserve())
        || (isForPages && !job.hasRoom())
        || (isImage && !context.imageBudget().reserve())) {
      leaveSource(task);
      return withoutRoom(task);
    }
    queuing = !context.slots().take(pass, address);
    if (queuing) {
      giveBack(task);
      leaveSource(task);
      context.rate().leave(inbox.wake);
      return Step.Plain.QUEUE;
    }
    if (isSitemap) {
      job.askedSitemap();
    } else if (isPage) {
      context.yields().asked(claimed.domain(), now);
    }
    context.rate().started(inbox.wake, now);
    slots.put(task, address);
    task.goesTo(address);
    count.incrementAndGet();
    departing.incrementAndGet();
    threads.start(task.url().toString(), task::run);
    return Step.Plain.SENT;
  }

  private boolean departs(FetchTask task, Instant now) {
    return context.sources().depart(task.source().orElseThrow(), task, now);
  }

  private void leaveSource(FetchTask task) {
    task.source().ifPresent(source -> context.sources().leave(source, task));
  }

  /** Its source has no turn: it goes back, and other URLs of the domain come first. */
  private Step withoutTurn(FetchTask task) {
    context.rate().leave(inbox.wake);
    leaveSlots();
    claimed.settleHeld(task.entry(), new Fate.Returned(), List.of());
    return Step.Plain.DONE;
  }

  /** Where images are collected, the domain may be asked for the other kind all the same. */
  private Step withoutRoom(FetchTask task) {
    if (task.kind() != Kind.IMAGE) {
      context.yields().ended(claimed.domain());
    }
    if (context.collectsImages()) {
      claimed.outOfBudget(task.entry());
      return Step.Plain.DONE;
    }
    return endOrWait(job.isSpent() ? new Ending.DomainOutOfBudget() : new Ending.RunOutOfBudget());
  }

  /** Whether a page may be asked now: scarce pages go to the sites with the most images. */
  boolean mayAskPages(Instant now) {
    return claimed.held().isPresent() || context.yields().mayAsk(claimed.domain(), inbox.wake, now);
  }

  /** Waits until other domains leave pages to this one; its claim is left to others if few are. */
  Step holdBack(Instant now) {
    return context.activeDomains().isFull()
        ? endOrWait(new Ending.RestUntil(now.plus(REST), OTHERS_FIRST))
        : new Step.WaitUntil(new CrawlSnapshot.Wait(now.plus(LOOK_AGAIN), OTHERS_FIRST, false));
  }

  /** Gives back the page or image that was reserved for a request. */
  void giveBack(FetchTask task) {
    if (task.kind() == Kind.PAGE) {
      job.giveBack();
    } else if (task.kind() == Kind.IMAGE) {
      context.imageBudget().giveBack();
    }
  }

  private void lookUp(Authority authority) {
    if (!lookups.add(authority)) {
      return;
    }
    threads.start(
        "look up " + authority,
        () -> {
          try {
            String address = parts.fetcher().address(authority);
            inbox.add(new FetchTask.Located(authority, address, parts.time().instant()));
          } catch (InterruptedException _) {
            // The worker is leaving.
          }
        });
  }

  void located(FetchTask.Located found) {
    lookups.remove(found.authority());
    addresses.putLast(found.authority(), found);
  }

  /** Whether a request with an open connection may still start. Called by the request's thread. */
  private boolean mayStart(FetchTask task, Instant now) {
    if (task.source().isEmpty()) {
      return isFree(now) && isItsTurn(task, now);
    }
    // A turn that is not used costs its source an interval, so it is taken last.
    if (!isFree(now) || !context.sources().take(task.source().get(), now)) {
      return false;
    }
    // The store may have taken long.
    Instant taken = parts.time().instant();
    return isFree(taken) && isItsTurn(task, taken);
  }

  private boolean isFree(Instant now) {
    InFlight others = new InFlight(count.get() - 1, departing.get() > 1);
    return !leaving
        && !claimed.isOver()
        && !context.isStopping()
        && !context.outages().isPaused()
        && !inbox.hasPushback()
        && !claimed.groups().hasFailed()
        && claimed.mayAsk()
        // The store may have taken long: a server that is away answers when it is back.
        && !claimed.isOver()
        && claimed.turn(others, now) instanceof Turn.Fetch;
  }

  /** Asked last: a shared budget counts the start from here on. */
  private boolean isItsTurn(FetchTask task, Instant now) {
    SharedBudgets.Start start = context.servers().started(task.address(), claimed.domain(), now);
    task.startsUnder(start.shared());
    return start.inTime();
  }

  /** The first byte of a request was written. */
  void started(FetchTask task, Instant at) {
    context.servers().left(task.address(), claimed.domain(), at);
    task.source().ifPresent(source -> context.sources().started(source, task, at));
    departing.decrementAndGet();
  }

  /** A request has ended; it keeps its slot until its answer is decided. */
  void landed(Completed answer) {
    count.decrementAndGet();
    if (answer.startedAt().isEmpty()) {
      context.servers().leave(answer.task().address(), claimed.domain());
      departing.decrementAndGet();
    }
  }

  /**
   * Gives back a request's slot, and the memory of its body.
   *
   * @param keepsBody whether a settlement still needs the body; it is released with that
   */
  void vacate(FetchTask task, boolean keepsBody) {
    if (!keepsBody) {
      context.bodies().release(task.share());
    }
    leaveSource(task);
    context.slots().release(Objects.requireNonNull(slots.remove(task)));
  }

  /** Stops waiting for a start, a slot and a shared budget. */
  void leaveQueue() {
    context.rate().leave(inbox.wake);
    leaveSlots();
    leaveLine();
  }

  private void leaveLine() {
    inLineAt.ifPresent(address -> context.servers().leave(address, claimed.domain()));
    inLineAt = Optional.empty();
  }

  private void leaveSlots() {
    if (queuing) {
      queuing = false;
      context.slots().withdraw(pass);
    }
  }

  /**
   * Ends every thread: nothing may go on once the claim is released. The interrupt ends here, so
   * that it does not cut the release short.
   */
  void abandon() {
    leaving = true;
    threads.interrupt();
    threads.joinAll();
    Thread.interrupted();
  }
}
