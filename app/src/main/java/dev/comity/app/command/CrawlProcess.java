package dev.comity.app.command;

import dev.comity.CrawlSession;
import dev.comity.CrawlSession.ImageCollection;
import dev.comity.app.lists.ListIntake;
import dev.comity.app.monitor.Budgets;
import dev.comity.app.monitor.CrawlCounts;
import dev.comity.app.process.EndSignals;
import dev.comity.app.process.Version;
import dev.comity.app.seeds.GivenSeed;
import dev.comity.app.settings.RunSettings;
import dev.comity.app.settings.Settings;
import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.SystemTimeline;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.fetch.ExchangeArchive;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.scope.AcceptedTypes;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Seed;
import dev.comity.core.usage.Purpose;
import dev.comity.keep.KeepTerms;
import dev.comity.store.KeptStore;
import dev.comity.store.StoreSettings;
import dev.comity.store.fleet.JoinableRun;
import dev.comity.web.http.UserAgent;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Egress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A crawl that a command runs: set by its settings, counted, and stopped by Ctrl-C. */
final class CrawlProcess implements AutoCloseable {
  private static final Duration GRACE = CrawlLimits.DEFAULTS.grace();

  /** How long the store and the outputs may take to close. */
  private static final Duration CLOSING = Duration.ofSeconds(6);

  private final Settings settings;
  private final List<GivenSeed> given;
  private final Optional<ListIntake> list;
  private Runnable seedsStored = () -> {};
  private Map<DomainName, String> origins = Map.of();
  private final CrawlSession session;
  private final CrawlCounts counts;
  private final CountDownLatch closed = new CountDownLatch(1);

  private boolean supersedes;
  private List<String> off = List.of();
  private Optional<RunSettings> forWorkers = Optional.empty();
  private Optional<Crawl.End> end = Optional.empty();

  /** The domains of a refresh, where it is one; none: all. */
  private Optional<Set<DomainName>> refreshed = Optional.empty();

  /**
   * @param start the URLs that identify the run, also those not asked this time
   * @param given the seeds that are asked
   * @param keep what is kept of pages beside their titles
   * @param accepted types of documents that are pages, too
   * @param images how images are collected
   */
  CrawlProcess(
      Settings settings,
      List<CrawlUrl> start,
      List<GivenSeed> given,
      AddressGuard guard,
      Egress egress,
      KeepTerms keep,
      AcceptedTypes accepted,
      Optional<ImageCollection> images) {
    this(
        settings,
        plan(settings, given),
        start,
        given,
        Optional.empty(),
        guard,
        egress,
        keep,
        accepted,
        images);
  }

  /**
   * One that fetches a list.
   *
   * @param name tells the list from others: the same name is the same run
   */
  static CrawlProcess ofList(
      Settings settings,
      String name,
      ListIntake list,
      AddressGuard guard,
      Egress egress,
      KeepTerms keep,
      AcceptedTypes accepted,
      Optional<ImageCollection> images) {
    return new CrawlProcess(
        settings,
        plan(settings, Scope.ofList(name, settings.reach().grouping())),
        List.of(),
        List.of(),
        Optional.of(list),
        guard,
        egress,
        keep,
        accepted,
        images);
  }

  /**
   * One that visits known pages again. New links are followed within the domain of their page, as
   * far as the scope goes.
   *
   * @param domains those that it is about; none: all
   * @param given the seeds of the data directory
   */
  static CrawlProcess ofRefresh(
      Settings settings,
      Set<DomainName> domains,
      List<GivenSeed> given,
      AddressGuard guard,
      Egress egress,
      KeepTerms keep,
      AcceptedTypes accepted,
      Optional<ImageCollection> images) {
    CrawlProcess process =
        new CrawlProcess(
            settings,
            refreshPlan(settings, given),
            List.of(),
            given,
            Optional.empty(),
            guard,
            egress,
            keep,
            accepted,
            images);
    process.counts.refreshing();
    process.refreshed = Optional.of(domains);
    return process;
  }

  /**
   * One that works on a run that another process began.
   *
   * @param seeds those of the run; of a refresh, those of its domains
   */
  static CrawlProcess ofRun(
      Settings settings,
      JoinableRun run,
      List<Seed> seeds,
      AddressGuard guard,
      Egress egress,
      KeepTerms keep,
      AcceptedTypes accepted,
      Optional<ImageCollection> images) {
    List<GivenSeed> given = seeds.stream().map(GivenSeed::of).toList();
    CrawlPlan plan =
        run.list()
            .map(name -> plan(settings, Scope.ofList(name, settings.reach().grouping())))
            .orElseGet(
                () ->
                    run.refreshed().isPresent()
                        ? refreshPlan(settings, given)
                        : plan(settings, given));
    CrawlProcess process =
        new CrawlProcess(
            settings,
            plan,
            run.seeds(),
            given,
            Optional.empty(),
            guard,
            egress,
            keep,
            accepted,
            images);
    run.refreshed().ifPresent(_ -> process.counts.refreshing());
    return process;
  }

  private CrawlProcess(
      Settings settings,
      CrawlPlan plan,
      List<CrawlUrl> start,
      List<GivenSeed> given,
      Optional<ListIntake> list,
      AddressGuard guard,
      Egress egress,
      KeepTerms keep,
      AcceptedTypes accepted,
      Optional<ImageCollection> images) {
    this.settings = settings;
    this.given = given;
    this.list = list;
    session =
        new CrawlSession(
            plan,
            start,
            given.stream().map(GivenSeed::seed).toList(),
            new CrawlSession.NetworkAccess(
                new UserAgent(Version.number(), settings.contact(), settings.userAgent()),
                guard,
                egress,
                settings.fetch().accepting(accepted)),
            settings.storeLimits(),
            settings.sitemaps(),
            keep,
            new SystemTimeline(),
            images.map(collection -> collection.byYield(settings.smart())));
    boolean narrow =
        settings.reach().scope() == Scope.Reach.SUBTREE
            || settings.reach().scope() == Scope.Reach.HOST
            || settings.reach().scope() == Scope.Reach.DOMAIN;
    counts =
        narrow
            ? new CrawlCounts("start there, or use --scope seeds, to follow")
            : new CrawlCounts();
  }

  /** A refresh of all follows no link to another domain. */
  private static CrawlPlan refreshPlan(Settings settings, List<GivenSeed> given) {
    Scope.Reach reach = settings.reach().scope();
    return plan(
        settings, scope(settings, given, reach == Scope.Reach.ANY ? Scope.Reach.DOMAIN : reach));
  }

  private static CrawlPlan plan(Settings settings, List<GivenSeed> given) {
    return plan(settings, scope(settings, given, settings.reach().scope()));
  }

  private static Scope scope(Settings settings, List<GivenSeed> given, Scope.Reach far) {
    Settings.Bounds reach = settings.reach();
    return Scope.ofSeeds(given.stream().map(one -> one.seed().url()).toList(), reach.grouping())
        .reaching(far)
        .including(reach.include())
        .excluding(reach.exclude())
        .dropping(reach.dropped())
        .toDepth(reach.maxDepth());
  }

  private static CrawlPlan plan(Settings settings, Scope scope) {
    return new CrawlPlan(
        new DomainPolicy(settings.policy()),
        scope,
        settings.limits(),
        settings.traps(),
        settings.domains(),
        settings.purposes().orElse(Purpose.USUAL),
        settings.purposes().isPresent());
  }

  /** What the domains of the seeds came from; kept with them. */
  CrawlProcess from(Map<DomainName, String> known) {
    origins = Map.copyOf(known);
    return this;
  }

  /** Called when the seeds are in the store. */
  CrawlProcess afterSeeds(Runnable then) {
    seedsStored = then;
    return this;
  }

  /** Closes the open run of other terms, though workers are at it. */
  CrawlProcess superseding(boolean wanted) {
    supersedes = wanted;
    return this;
  }

  /** Tells other workers which switches are off. */
  CrawlProcess without(List<String> switches) {
    off = List.copyOf(switches);
    return this;
  }

  /** What the store is told. */
  StoreSettings storeSettings() {
    return session.storeSettings().without(off);
  }

  boolean supersedes() {
    return supersedes;
  }

  /** The settings by which other workers join the run. */
  CrawlProcess told(RunSettings settings) {
    forWorkers = Optional.of(settings);
    return this;
  }

  /** Lets other workers join the run, which is prepared, if they can be told its settings. */
  void openToWorkers(KeptStore store) {
    forWorkers.ifPresent(settings -> store.openToWorkers(settings.text()));
  }

  /** How the crawl ended; empty if it did not come to an end. */
  Optional<Crawl.End> end() {
    return end;
  }

  CrawlSession session() {
    return session;
  }

  boolean isRefresh() {
    return refreshed.isPresent();
  }

  /**
   * Joins or begins the run.
   *
   * @param again whether a new run begins even if its terms are wider than the last run's
   */
  Run begin(KeptStore store, boolean again) {
    if (refreshed.isPresent()) {
      return session.beginRefresh(store, refreshed.get());
    }
    return again ? session.beginAnew(store) : session.begin(store);
  }

  CrawlCounts counts() {
    return counts;
  }

  Timeline time() {
    return session.time();
  }

  /** How many pages the run may have, and how many requests may be in flight. */
  Budgets budgets() {
    return new Budgets(settings.limits().maxPages(), settings.limits().maxInFlight());
  }

  /** The domains to start from; those of a list are known once it was taken in. */
  Set<DomainName> domains() {
    return list.map(ListIntake::domains).orElseGet(session::domains);
  }

  /** Queues the URLs of the list, if it fetches one; says how many there are. */
  Optional<String> takeList(KeptStore store) {
    list.ifPresent(
        one -> {
          one.take(store, time().instant());
          store.confine(one.domains());
          keepAddresses(store, one.authorities());
        });
    return list.map(ListIntake::words);
  }

  /** Other workers of the run may ask those, too. */
  private void keepAddresses(KeptStore store, Collection<Authority> authorities) {
    AddressGuard guard = session.network().guard();
    List<SeedAddress> known = new ArrayList<>();
    for (Authority authority : authorities) {
      guard
          .firstKind(authority)
          .ifPresent(kind -> known.add(new SeedAddress(authority, kind.text(), false)));
    }
    store.keepAddresses(known);
  }

  /** Queues the seeds and sets the order of their domains. */
  void addSeeds(CrawlStore store) {
    boolean sitemaps = settings.sitemaps() && settings.reach().maxDepth() > 0;
    session.addSeeds(store, given.stream().map(seed -> seed.entry(sitemaps)).toList());
    store.keepOrigins(origins);
    seedsStored.run();
    Map<DomainName, Long> ranks = GivenSeed.ranks(given, settings.reach().grouping());
    if (!settings.smart()) {
      store.order(List.copyOf(session.domains()), time().instant());
    } else if (!ranks.isEmpty()) {
      store.rank(ranks, time().instant());
    }
  }

  /**
   * Crawls to the end, or until a signal ends the process; either way everything is closed in
   * order.
   *
   * @param archive keeps every exchange
   * @param begins receives the crawl before it begins
   */
  Crawl.End run(
      CrawlStore store,
      Run run,
      List<CrawlListener> listeners,
      Optional<ExchangeArchive> archive,
      Consumer<Crawl> begins)
      throws InterruptedException {
    Crawl.End how =
        session.crawl(
            store,
            run,
            listeners,
            archive,
            crawl -> {
              stopOnShutdown(crawl);
              begins.accept(crawl);
            });
    end = Optional.of(how);
    return how;
  }

  /**
   * The JVM ends when its shutdown hooks return. This hook stops the crawl and waits until the
   * command has printed its summary and closed this process.
   */
  private void stopOnShutdown(Crawl crawl) {
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
      // The JVM is shutting down already.
      crawl.stop();
    }
  }

  private void awaitClosed() {
    try {
      if (!closed.await(GRACE.plus(CLOSING).toMillis(), TimeUnit.MILLISECONDS)) {
        Runtime.getRuntime().halt(EndSignals.code());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets a JVM that is shutting down end. */
  @Override
  public void close() {
    closed.countDown();
  }
}
