package dev.comity.store.support;

import static dev.comity.store.support.Stores.POLICY;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.PaymentRequired;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.UsageRefused;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Borrowing;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.trap.Traps;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.usage.Purpose;
import dev.comity.core.usage.UsageRefusal;
import dev.comity.core.usage.UsageSignal;
import dev.comity.core.usage.Wish;
import dev.comity.core.usage.Wishes;
import dev.comity.testkit.gen.Draw;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A history of calls as workers make them, and as workers make them who have lost their claim. Each
 * step draws from a seed of its own, so that a history can be cut and what is left stays alike.
 */
public final class StoreHistory {
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");
  public static final List<CrawlUrl> DOORS =
      NAMES.stream().map(name -> CrawlUrl.of(page(name, 0))).toList();

  private static final int PAGES = 14;
  private static final int MOST_KILLS = 2;
  private static final UsageRefusal REFUSAL =
      new UsageRefusal(Purpose.TRAIN_AI, new Wish(UsageSignal.NO_AI, Wish.FoundIn.HEADER, "noai"));
  private static final List<FetchOutcome> OUTCOMES =
      List.of(
          new Success(200, Headers.NONE, Body.of("a page")),
          new ClientError(404),
          new PaymentRequired(402, Optional.of("USD 0.01")),
          new UsageRefused(200, REFUSAL, Wishes.of(List.of(REFUSAL.wish()))),
          new ServerError(500),
          new Forbidden(403),
          new ConnectionFailed("reset"),
          new RateLimited(429, Optional.empty()));

  /** A claim as its worker sees it; whether it is still held is for the stores to say. */
  private static final class Holding {
    private final Claim claim;
    private final List<QueuedUrl> taken = new ArrayList<>();
    private final Traps traps;
    private final boolean borrowed;
    private DomainState state;

    Holding(Claim claim, List<TemplateStats> tallies, boolean borrowed, Instant now) {
      this.borrowed = borrowed;
      this.claim = claim;
      traps = new Traps(new TrapSettings(3), tallies);
      state =
          claim.takenOver()
              ? POLICY.takenOver(claim.state(), now)
              : POLICY.claimed(claim.state(), now);
    }

    @Override
    public String toString() {
      return claim.domain() + "#" + claim.token();
    }
  }

  private final SideBySide stores;
  private final List<Holding> holdings = new ArrayList<>();
  private final List<Holding> stale = new ArrayList<>();
  private List<Settlement> lastSettled = List.of();
  private long budget = 100;
  private int kills;
  private Draw draw = Draw.of(0);

  public StoreHistory(SideBySide stores) {
    this.stores = stores;
    begin();
    // Among equals the order is free: both take the domain they heard of first, so they hear of
    // all in the same order.
    for (CrawlUrl door : DOORS) {
      QueuedUrl seed = QueuedUrl.seed(door, Optional.empty());
      stores.both("add " + door, store -> store.add(List.of(seed), stores.now()));
    }
  }

  private static String page(String name, int number) {
    return "http://" + name + ".example/" + number;
  }

  public void step(long seed, int step) {
    draw = Draw.of(seed * 1_000_003 + step);
    switch (draw.below(100)) {
      case 0 -> anotherRun();
      case 1 -> restart();
      case 2 -> kill();
      case 3 -> stores.examine();
      case 4, 5, 6 -> takeBack();
      case 7, 8, 9 -> recalculate();
      case 10, 11, 12 -> renew();
      case 13, 14, 15, 16 -> repeat();
      case 17, 18, 19, 20, 21 -> note(holding());
      case 22, 23, 24, 25, 26, 27, 28, 29, 30 -> pass();
      case 31, 32, 33, 34, 35, 36, 37, 38, 39 -> release(holding());
      default -> work();
    }
  }

  private void work() {
    switch (draw.below(10)) {
      case 0, 1 -> add();
      case 2, 3 -> claim();
      case 4, 5, 6 -> next(holding());
      default -> settle(holding());
    }
  }

  public void end() {
    draw = Draw.of(1);
    stores.examine();
    giveBack();
    stores.examine();
  }

  private void begin() {
    RunTerms terms = new RunTerms(DOORS, new TreeMap<>(), budget, 1000);
    stores.both("begin " + budget, store -> store.begin(terms, stores.now()));
  }

  /** With other terms the run before is closed, unless it was left as ended. */
  private void anotherRun() {
    giveBack();
    if (draw.onceIn(2)) {
      RunEnding ending = draw.from(List.of(RunEnding.values()));
      stores.both("end " + ending, store -> store.end(ending, stores.now()));
    }
    budget += draw.below(2);
    begin();
  }

  private void restart() {
    giveBack();
    stores.restart();
    budget += draw.onceIn(4) ? 1 : 0;
    begin();
  }

  /** A URL in flight at three deaths would be set aside, which is a rule of this store alone. */
  private void kill() {
    if (kills++ < MOST_KILLS) {
      stores.kill();
      stale.addAll(holdings);
      holdings.clear();
      begin();
    }
  }

  private void giveBack() {
    for (Holding holding : List.copyOf(holdings)) {
      release(
          holding, holding.state, holding.borrowed ? new Ending.Borrowed() : new Ending.Stopped());
    }
  }

  private void pass() {
    stores.pass(
        switch (draw.below(8)) {
          case 0 -> SideBySide.LEASE;
          case 1 -> Duration.ofHours(draw.below(48));
          case 2 -> Duration.ofDays(draw.below(20));
          default -> Duration.ofMillis(draw.logUniform(600_000));
        });
  }

  private void add() {
    List<QueuedUrl> urls = IntStream.range(0, 1 + draw.below(4)).mapToObj(_ -> seed()).toList();
    stores.both("add " + words(urls), store -> store.add(urls, stores.now()));
  }

  private QueuedUrl seed() {
    if (draw.onceIn(8)) {
      return QueuedUrl.sitemap(url());
    }
    Optional<CrawlUrl> fallback = draw.onceIn(4) ? Optional.of(url()) : Optional.empty();
    QueuedUrl seed = QueuedUrl.seed(url(), fallback);
    QueuedUrl named = draw.onceIn(3) ? seed.of("list") : seed;
    // A referrer is a page that was asked, so it is known.
    QueuedUrl known = QueuedUrl.seed(draw.from(DOORS), Optional.empty());
    return draw.onceIn(5) ? named.hop(url()) : draw.onceIn(3) ? known.link(url()) : named;
  }

  private CrawlUrl url() {
    return CrawlUrl.of(page(draw.from(NAMES), draw.below(PAGES)));
  }

  private void claim() {
    if (draw.onceIn(6)) {
      borrow();
      return;
    }
    int most = 1 + draw.below(3);
    stores
        .both("claim " + most, store -> store.claim(most, stores.now()))
        .value()
        .ifPresent(claims -> claims.forEach(claim -> holdings.add(holding(claim, false))));
  }

  private void borrow() {
    DomainName domain = Grouping.BY_HOST.domainOf(draw.from(DOORS));
    stores
        .both("borrow " + domain, store -> store.borrow(domain, stores.now()))
        .value()
        .ifPresent(
            borrowing -> {
              if (borrowing instanceof Borrowing.Lent(var claim)) {
                holdings.add(holding(claim, true));
              }
            });
  }

  private Holding holding(Claim claim, boolean borrowed) {
    List<TemplateStats> tallies =
        stores
            .both("templates of " + claim.domain(), store -> store.templates(claim.domain()))
            .value()
            .orElseThrow();
    return new Holding(claim, tallies, borrowed, stores.now());
  }

  /** Mostly someone who should still hold it. */
  private Optional<Holding> holding() {
    List<Holding> some = draw.onceIn(12) || holdings.isEmpty() ? stale : holdings;
    return some.isEmpty() ? Optional.empty() : Optional.of(draw.from(some));
  }

  private void next(Optional<Holding> some) {
    some.ifPresent(
        holding ->
            stores
                .both(
                    "next " + holding, store -> store.frontier().next(holding.claim, stores.now()))
                .value()
                .ifPresent(
                    next -> {
                      if (next instanceof Next.Ready(var entry)) {
                        holding.taken.add(entry);
                      }
                    }));
  }

  private void settle(Optional<Holding> some) {
    // Who has only borrowed a domain leaves its URLs alone.
    some.filter(holding -> !holding.taken.isEmpty() && !holding.borrowed)
        .ifPresentOrElse(this::settleSome, () -> next(some));
  }

  /** One URL, or several that were decided one after the other. */
  private void settleSome(Holding holding) {
    DomainState before = holding.state;
    int many = draw.onceIn(3) ? 1 : 1 + draw.below(holding.taken.size());
    List<Settlement> group = new ArrayList<>();
    for (int number = 0; number < many; number++) {
      QueuedUrl entry = holding.taken.remove(draw.below(holding.taken.size()));
      Settlement settlement = settlement(holding, entry);
      holding.state = settlement.state();
      group.add(settlement);
    }
    if (call("settle " + holding + shown(group), store -> store.settle(holding.claim, group))) {
      lastSettled = group;
    } else {
      holding.state = before;
    }
  }

  private static String shown(List<Settlement> group) {
    return group.stream()
        .map(
            settlement ->
                " %s %s %s found %s"
                    .formatted(
                        settlement.entry().url(),
                        settlement.fate(),
                        settlement.state().standing(),
                        words(settlement.found())))
        .collect(Collectors.joining(","));
  }

  private QueuedUrl found(QueuedUrl entry) {
    return switch (draw.below(8)) {
      case 0, 1 -> entry.hop(url());
      case 2 -> entry.furtherSitemap(url());
      case 3 -> entry.listed(url());
      default -> entry.link(url());
    };
  }

  private Settlement settlement(Holding holding, QueuedUrl entry) {
    List<QueuedUrl> found = IntStream.range(0, draw.below(4)).mapToObj(_ -> found(entry)).toList();
    if (draw.onceIn(4)) {
      Fate unasked =
          draw.from(
              List.of(
                  new Fate.Returned(),
                  new Fate.Denied(),
                  new Fate.Denied(REFUSAL),
                  new Fate.Moved(),
                  new Fate.Suppressed(),
                  new Fate.Retry(soon(), false)));
      return new Settlement(
          entry,
          Optional.empty(),
          Optional.empty(),
          unasked,
          holding.state,
          found,
          Optional.empty());
    }
    Attempt attempt = attempt(entry.url(), entry.kind(), entry.asked() + 1);
    Fetched fetched = fetched();
    Decision decision =
        POLICY.decide(POLICY.started(holding.state, attempt), attempt, fetched, stores.now());
    Fate other =
        draw.from(
            List.of(
                new Fate.Retry(soon(), draw.onceIn(2)),
                new Fate.Failed(Category.TOO_LARGE),
                new Fate.Failed(Category.TIMEOUT)));
    return new Settlement(
        entry,
        Optional.of(attempt),
        Optional.of(fetched),
        draw.onceIn(3) ? other : decision.fate(),
        decision.state(),
        found,
        Optional.empty(),
        tallies(holding, entry));
  }

  /** What a worker would know now of its domain's templates. */
  private List<TemplateStats> tallies(Holding holding, QueuedUrl entry) {
    String text = draw.onceIn(3) ? "page " + (char) ('a' + draw.below(26)) + "z" : "the same";
    Optional<CrawlUrl> referrer = entry.referrer().or(() -> Optional.of(entry.url()));
    holding.traps.landed(entry.url(), referrer, () -> text, List.of(), List.of(), stores.now());
    return holding.traps.takeChanged();
  }

  private Instant soon() {
    return stores.now().plusMillis(draw.logUniform(3_600_000));
  }

  private Attempt attempt(CrawlUrl url, Kind kind, int number) {
    return new Attempt(url, kind, number, stores.now(), Duration.ofSeconds(1));
  }

  private Fetched fetched() {
    FetchOutcome outcome = draw.onceIn(3) ? draw.from(OUTCOMES) : OUTCOMES.getFirst();
    return new Fetched(outcome, Optional.of(Duration.ofMillis(80)), Duration.ofMillis(100), 6);
  }

  /** Repeats some settlements, under the present claim of their domain or under an older one. */
  private void repeat() {
    if (lastSettled.isEmpty()) {
      return;
    }
    List<Settlement> again =
        lastSettled.subList(draw.below(lastSettled.size()), lastSettled.size());
    DomainName domain = Grouping.BY_HOST.domainOf(again.getFirst().entry().url());
    List<Holding> some =
        Stream.concat(holdings.stream(), stale.stream())
            .filter(holding -> holding.claim.domain().equals(domain))
            .filter(holding -> again.stream().noneMatch(one -> holding.taken.contains(one.entry())))
            .toList();
    if (!some.isEmpty()) {
      Holding holding = draw.from(some);
      call("settle again " + holding + shown(again), store -> store.settle(holding.claim, again));
    }
  }

  private void note(Optional<Holding> some) {
    some.ifPresent(
        holding -> {
          CrawlUrl door = door(holding.claim.domain());
          Attempt attempt = attempt(door, Kind.ROBOTS, 1);
          Optional<Body> file =
              draw.onceIn(2)
                  ? Optional.of(Body.of("Disallow: /" + draw.below(9)))
                  : Optional.empty();
          Note note =
              new Note(
                  POLICY.started(holding.state, attempt),
                  draw.onceIn(3)
                      ? Optional.empty()
                      : Optional.of(new Note.Exchange(attempt, fetched())),
                  draw.onceIn(3)
                      ? Optional.empty()
                      : Optional.of(
                          new RobotsCopy(door.authority(), file, draw.onceIn(2), stores.now())),
                  draw.onceIn(3) ? List.of(seed()) : List.of());
          if (call(
              "record " + holding + " found " + words(note.found()),
              store -> store.record(holding.claim, note))) {
            holding.state = note.state();
          }
        });
  }

  private static CrawlUrl door(DomainName domain) {
    return DOORS.stream()
        .filter(door -> Grouping.BY_HOST.domainOf(door).equals(domain))
        .findFirst()
        .orElseThrow();
  }

  private void release(Optional<Holding> some) {
    some.ifPresent(
        holding -> {
          DomainState state =
              draw.onceIn(12)
                  ? POLICY.blocked(holding.state)
                  : draw.onceIn(4) && holding.state.standing().mayBeAsked()
                      ? POLICY.emptied(holding.state, stores.now())
                      : holding.state;
          release(holding, state, ending(holding, state));
        });
  }

  private Ending ending(Holding holding, DomainState state) {
    if (holding.borrowed) {
      return new Ending.Borrowed();
    }
    if (state.standing().reason().isPresent()) {
      return new Ending.Closed(state.standing());
    }
    if (!state.standing().equals(holding.state.standing())) {
      return new Ending.Exhausted();
    }
    return draw.from(
        List.of(
            new Ending.Stopped(),
            new Ending.RestUntil(soon(), "asked to"),
            new Ending.JobFailed("too many failed"),
            new Ending.DomainOutOfBudget(),
            new Ending.RunOutOfBudget(),
            new Ending.Lost()));
  }

  /** Whoever gave it back or lost it may still try to write. */
  private void release(Holding holding, DomainState state, Ending ending) {
    call(
        "release " + holding + " " + ending + " " + state.standing(),
        store -> store.release(holding.claim, state, ending, stores.now()));
    holdings.remove(holding);
    if (!stale.contains(holding)) {
      stale.add(holding);
    }
  }

  private void renew() {
    List<Claim> claims =
        Stream.concat(holdings.stream(), stale.stream().skip(Math.max(0, stale.size() - 2)))
            .map(holding -> holding.claim)
            .toList();
    stores.both("renew all", store -> store.renew(claims, stores.now()));
  }

  private void takeBack() {
    List<Holding> any = Stream.concat(holdings.stream(), stale.stream()).toList();
    if (any.isEmpty()) {
      return;
    }
    // The newest claim of a domain, or one before it.
    Claim claim = draw.from(any).claim;
    DomainName domain = claim.domain();
    Instant since = stores.now().minusMillis(draw.logUniform(100_000_000));
    call(
        "takeBack " + domain + " since " + since,
        store -> store.takeBack(domain, claim.token(), state -> POLICY.takenBack(state, since)));
  }

  private void recalculate() {
    call("recalculatePriorities", store -> store.recalculatePriorities(stores.now()));
  }

  private boolean call(String line, Consumer<CrawlStore> call) {
    return stores
        .both(
            line,
            store -> {
              call.accept(store);
              return true;
            })
        .thrown()
        .isEmpty();
  }

  private static String words(List<QueuedUrl> urls) {
    return urls.stream()
        .map(url -> url.url() + " depth " + url.depth() + " hops " + url.hops())
        .toList()
        .toString();
  }
}
