package dev.comity.core.engine.domain;

import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.FetchTask;
import dev.comity.core.engine.shared.FetchTask.Answer;
import dev.comity.core.engine.shared.Job;
import dev.comity.core.engine.shared.RequestSlots;
import dev.comity.core.engine.shared.TaskGroup;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.SharedBudgets;
import dev.comity.core.policy.Turn;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests of one domain that are under way, from getting a place for one to giving it back.
 * The worker's thread sends them off; they run in threads of their own and report to its inbox.
 */
final class InFlightRequests {
  private static final String SHARED =
      "its server refused several domains together; they take turns";

  private final CrawlContext context;
  private final CrawlParts parts;
  private final ClaimedDomain claimed;
  private final Job job;
  private final Inbox inbox;
  private final RequestSlots.Pass pass;
  private final TaskGroup threads;
  private final AddressCache addresses = new AddressCache();

  /** At which address each request under way has its place. */
  private final Map<FetchTask, String> places = new HashMap<>();

  /** At which address the domain stands in the line of those that share a budget. */
  private Optional<String> inLineAt = Optional.empty();

  /** A place is waited for, or set aside. */
  private boolean queuing;

  /** Sent off and not yet landed. */
  private final AtomicInteger count = new AtomicInteger();

  /**
   * Sent off, but its first byte has not left: until then nobody knows when the next slot opens.
   */
  private boolean departing;

  /** The worker is on its way out: nothing more may start in its name. */
  private volatile boolean leaving;

  InFlightRequests(CrawlContext context, ClaimedDomain claimed, Job job, Inbox inbox) {
    this.context = context;
    parts = context.parts();
    this.claimed = claimed;
    this.job = job;
    this.inbox = inbox;
    pass = new RequestSlots.Pass(inbox.wake());
    threads = new TaskGroup(parts.time(), context::failed, () -> {});
  }

  /** How many there are; any thread may ask. */
  int count() {
    return count.get();
  }

  InFlight inFlight() {
    return new InFlight(count.get(), departing);
  }

  /** Ends the work, or waits for what is under way first. */
  Step endOrWait(Ending ending) {
    return count.get() == 0 ? new Step.End(ending) : Step.Plain.WAIT;
  }

  /** Sends off a URL of the frontier. */
  Step send(QueuedUrl entry, Duration delay) {
    return depart(task(entry.kind(), entry.url(), entry, entry.triesSpent(), delay));
  }

  /** A request for a robots.txt, for the sake of this URL. */
  FetchTask forRobots(CrawlUrl file, QueuedUrl entry, int triesSpent, Duration delay) {
    return task(Kind.ROBOTS, file, entry, triesSpent, delay);
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
        parts);
  }

  /** Sends it off, if its address is known, its page can be paid for and there is a place. */
  Step depart(FetchTask task) {
    // Known before anything is reserved: looking a name up may take long and holds nothing.
    Authority authority = task.url().authority();
    Optional<String> address = addresses.of(authority, parts.time().instant());
    if (address.isEmpty()) {
      lookUp(authority);
      return Step.Plain.WAIT;
    }
    Instant now = parts.time().instant();
    Optional<Instant> turn = takeTurns(address.get(), now);
    if (turn.isPresent()) {
      return notNext(turn.get(), now);
    }
    Step step = departNow(task, address.get(), now);
    if (step == Step.Plain.SENT) {
      inLineAt = Optional.empty();
    } else {
      leaveLine();
    }
    return step;
  }

  /** When to ask again, if the domain shares a budget and another one is next. */
  private Optional<Instant> takeTurns(String address, Instant now) {
    if (!inLineAt.equals(Optional.of(address))) {
      leaveLine();
      inLineAt = Optional.of(address);
    }
    return context.servers().ask(address, claimed.domain(), inbox.wake(), now);
  }

  private Step notNext(Instant at, Instant now) {
    context.rate().leave(inbox.wake());
    leaveBerths();
    boolean isLong = Duration.between(now, at).compareTo(DomainPolicy.PARK_AFTER) > 0;
    return isLong
        ? endOrWait(new Ending.RestUntil(at, SHARED))
        : new Step.TakeTurns(new CrawlSnapshot.Wait(at, SHARED, false));
  }

  private Step departNow(FetchTask task, String address, Instant now) {
    if (!context.rate().admits(inbox.wake(), now)) {
      // A place that was set aside is of use to others meanwhile.
      leaveBerths();
      return context
          .rate()
          .nextFor(inbox.wake())
          .<Step>map(Step.QueueUntil::new)
          .orElse(Step.Plain.QUEUE);
    }
    boolean isPage = task.kind() == Kind.PAGE;
    boolean isSitemap = task.kind() == Kind.SITEMAP;
    boolean isForPages = isSitemap || task.kind() == Kind.LINKS;
    // A sitemap costs no page, nor do links, but both are of no use where none can be had.
    if ((isPage && !job.reserve()) || (isForPages && !job.hasRoom())) {
      return endOrWait(job.isSpent() ? new Ending.OutOfBudget() : new Ending.RunOutOfBudget());
    }
    queuing = !context.slots().take(pass, address);
    if (queuing) {
      if (isPage) {
        job.giveBack();
      }
      context.rate().leave(inbox.wake());
      return Step.Plain.QUEUE;
    }
    if (isSitemap) {
      job.askedSitemap();
    }
    context.rate().started(inbox.wake(), now);
    places.put(task, address);
    task.goesTo(address);
    count.incrementAndGet();
    departing = true;
    threads.start(task.url().toString(), task::run);
    return Step.Plain.SENT;
  }

  private void lookUp(Authority authority) {
    if (!addresses.seek(authority)) {
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
    addresses.found(found.authority(), found.address(), found.at());
  }

  /** Asked by a request that has its connection: whether what let it be sent off still holds. */
  private boolean mayStart(FetchTask task, Instant now) {
    int others = count.get() - 1;
    return !leaving
        && !claimed.isOver(now)
        && !context.isStopping()
        && !context.outages().isPaused()
        && !inbox.hasPushback()
        && claimed.turn(InFlight.started(others), now) instanceof Turn.Fetch
        && isItsTurn(task, now);
  }

  /** The last question: what shares its budget counts the start from here on. */
  private boolean isItsTurn(FetchTask task, Instant now) {
    SharedBudgets.Start start = context.servers().started(task.address(), claimed.domain(), now);
    task.startsUnder(start.shared());
    return start.inTime();
  }

  /** The first byte has left. */
  void started(FetchTask task, Instant at) {
    context.servers().left(task.address(), claimed.domain(), at);
    departing = false;
  }

  /** It is over; its place is kept until what it brought is dealt with. */
  void landed(Answer answer) {
    count.decrementAndGet();
    if (answer.startedAt().isEmpty()) {
      context.servers().leave(answer.task().address(), claimed.domain());
      departing = false;
    }
  }

  /** Gives its place and the memory of its body back. */
  void vacate(FetchTask task) {
    context.bodies().release(task.share());
    context.slots().release(Objects.requireNonNull(places.remove(task)));
  }

  /** Neither a start nor a place is waited for any more. */
  void leaveQueue() {
    context.rate().leave(inbox.wake());
    leaveBerths();
    leaveLine();
  }

  private void leaveLine() {
    inLineAt.ifPresent(address -> context.servers().leave(address, claimed.domain()));
    inLineAt = Optional.empty();
  }

  private void leaveBerths() {
    if (queuing) {
      queuing = false;
      context.slots().withdraw(pass);
    }
  }

  /**
   * Nothing may go on in the domain's name once its claim is given back. An interrupt has done its
   * work by now and goes no further: giving back is not to be cut short by it.
   */
  void abandon() {
    leaving = true;
    threads.interrupt();
    threads.joinAll();
    Thread.interrupted();
  }
}
