package dev.comity.app.command;

import dev.comity.Assembly;
import dev.comity.SeedCheck;
import dev.comity.app.monitor.Budgets;
import dev.comity.app.monitor.CrawlCounts;
import dev.comity.app.process.EndSignals;
import dev.comity.app.process.Version;
import dev.comity.app.seeds.GivenSeed;
import dev.comity.app.settings.Settings;
import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.SystemTimeline;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Run;
import dev.comity.core.port.store.RunTerms;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Seed;
import dev.comity.store.StoreSettings;
import dev.comity.web.http.UserAgent;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Egress;
import dev.comity.web.net.Resolver;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One crawl as a command runs it: the parts put together, a person watching, Ctrl-C understood. */
final class CrawlSession implements AutoCloseable {
  private static final Duration GRACE = CrawlLimits.DEFAULTS.grace();

  /** How long everything that is no answer under way may take to end. */
  private static final Duration CLOSING = Duration.ofSeconds(6);

  private final Settings settings;
  private final List<CrawlUrl> start;
  private final List<GivenSeed> given;
  private final List<Seed> seeds;
  private final AddressGuard guard;
  private final Egress egress;
  private final boolean text;
  private final Timeline time = new SystemTimeline();
  private final CrawlCounts counts;
  private final CountDownLatch over = new CountDownLatch(1);

  /**
   * @param start what makes this crawl the same run as another, also URLs that are not asked today
   * @param given the seeds that are asked
   * @param text whether the text of pages is wanted in full
   */
  CrawlSession(
      Settings settings,
      List<CrawlUrl> start,
      List<GivenSeed> given,
      AddressGuard guard,
      Egress egress,
      boolean text) {
    this.settings = settings;
    this.start = start;
    this.given = given;
    this.seeds = given.stream().map(GivenSeed::seed).toList();
    this.guard = guard;
    this.egress = egress;
    this.text = text;
    boolean narrow =
        settings.reach().scope() == Scope.Reach.HOST
            || settings.reach().scope() == Scope.Reach.DOMAIN;
    counts =
        narrow
            ? new CrawlCounts("start there, or use --scope seeds, to follow")
            : new CrawlCounts();
  }

  /** The machine's own names, each looked up once in a while and not waited for without end. */
  static Resolver names() {
    return Assembly.names();
  }

  CrawlCounts counts() {
    return counts;
  }

  Timeline time() {
    return time;
  }

  /** The domains of the seeds, each once, in the order they were given in. */
  Set<DomainName> domains() {
    Grouping grouping = scope().grouping();
    return seeds.stream()
        .map(seed -> grouping.domainOf(seed.url()))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Whether it may leave the domains of its seeds. */
  boolean roams() {
    return settings.reach().scope() == Scope.Reach.ANY;
  }

  /** A store that forgets. */
  MemoryStore forgetful() {
    return new MemoryStore(scope().grouping()::domainOf, policy(), settings.storeLimits())
        .forgettingIdle();
  }

  /** What a store that remembers is told. */
  StoreSettings storeSettings() {
    return StoreSettings.of(policy(), scope().grouping(), time).with(settings.storeLimits());
  }

  /** How many pages the run may have, and how many requests may be in flight. */
  Budgets budgets() {
    return new Budgets(settings.limits().maxPages(), settings.limits().maxInFlight());
  }

  /** Joins the run these settings ask for. */
  Run begin(CrawlStore store) {
    return store.begin(terms(), time.instant());
  }

  /** The same, where pages are asked again that a run on narrower terms has already. */
  Run beginAnew(CrawlStore store) {
    return store.begin(terms().anew(), time.instant());
  }

  private RunTerms terms() {
    return plan().terms(start);
  }

  /** Puts the seeds where they are not known yet, and says in which order their domains come. */
  void plant(CrawlStore store) {
    boolean sitemaps = settings.sitemaps() && settings.reach().maxDepth() > 0;
    store.add(given.stream().map(seed -> seed.entry(sitemaps)).toList(), time.instant());
    SeedCheck.keep(seeds, guard, store);
    plan().takeOutside(store, time.instant());
    Map<DomainName, Long> ranks = GivenSeed.ranks(given, scope().grouping());
    if (!settings.smart()) {
      store.order(List.copyOf(domains()), time.instant());
    } else if (!ranks.isEmpty()) {
      store.rank(ranks, time.instant());
    }
  }

  /**
   * Crawls to the end, or until the process is told to end; either way everything is closed in
   * order.
   *
   * @param begins hears of the crawl before it begins
   */
  Crawl.End run(CrawlStore store, Run run, List<CrawlListener> listeners, Consumer<Crawl> begins)
      throws InterruptedException {
    UserAgent userAgent = new UserAgent(Version.number(), settings.contact());
    return new Assembly(
            plan(), userAgent, guard, egress, settings.fetch(), settings.sitemaps(), text, time)
        .crawl(
            store,
            run,
            listeners,
            crawl -> {
              endWithTheProcess(crawl);
              begins.accept(crawl);
            });
  }

  /**
   * The JVM runs hooks when it is told to end, and ends when they return: the hook stops the crawl
   * and stays until the command has said its last words and closed the session.
   */
  private void endWithTheProcess(Crawl crawl) {
    Thread hook =
        new Thread(
            () -> {
              crawl.stop();
              awaitClosed();
            },
            "stop the crawl");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException _) {
      // Told to end before it began.
      crawl.stop();
    }
  }

  private void awaitClosed() {
    try {
      if (!over.await(GRACE.plus(CLOSING).toMillis(), TimeUnit.MILLISECONDS)) {
        Runtime.getRuntime().halt(EndSignals.code());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets a process that was told to end do so. */
  @Override
  public void close() {
    over.countDown();
  }

  private Scope scope() {
    return Scope.ofSeeds(seeds.stream().map(Seed::url).toList(), settings.reach().grouping())
        .reaching(settings.reach().scope())
        .including(settings.reach().include())
        .excluding(settings.reach().exclude())
        .toDepth(settings.reach().maxDepth());
  }

  /** The rules it goes by. */
  DomainPolicy policy() {
    return new DomainPolicy(settings.policy());
  }

  private CrawlPlan plan() {
    return new CrawlPlan(
        policy(), scope(), settings.limits(), settings.traps(), settings.domains());
  }
}
