package dev.comity;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.SystemTimeline;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.fetch.ExchangeArchive;
import dev.comity.core.port.fetch.PageKeeper;
import dev.comity.core.port.image.ImageFiles;
import dev.comity.core.port.image.ImageHarvest;
import dev.comity.core.port.image.ImageMode;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunStore;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.SeedIntake;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.scope.Scope.Reach;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlRefusal;
import dev.comity.keep.ContentKeeper;
import dev.comity.keep.KeepTerms;
import dev.comity.keep.PackedBody;
import dev.comity.store.DataDirectory;
import dev.comity.store.KeptStore;
import dev.comity.store.StoreSettings;
import dev.comity.store.image.ImageDirectory;
import dev.comity.store.open.OpenStore;
import dev.comity.store.operate.Intake;
import dev.comity.web.html.HtmlReader;
import dev.comity.web.http.FetchSettings;
import dev.comity.web.http.HttpFetcher;
import dev.comity.web.http.UserAgent;
import dev.comity.web.image.FetchedImages;
import dev.comity.web.image.ImageLimits;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.DnsCache;
import dev.comity.web.net.Egress;
import dev.comity.web.net.Resolver;
import dev.comity.web.robots.RobotsTxt;
import dev.comity.web.sitemap.SitemapFiles;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One crawl put together: plan, seeds, network and store. {@link Comity} and the command use the
 * same wiring. A caller opens a store, begins the run, adds the seeds and crawls.
 *
 * @param start the URLs that identify the run, also those not asked this time
 * @param seeds the seeds that are asked
 * @param limits how much a store keeps of a domain, and how long claims last
 * @param sitemaps whether sitemaps are read
 * @param keep what is kept of pages beside their titles
 * @param reading the user's hooks that change which URLs are asked
 * @param images how images are collected; empty if they are only counted
 */
public record CrawlSession(
    CrawlPlan plan,
    List<CrawlUrl> start,
    List<Seed> seeds,
    NetworkAccess network,
    StoreLimits limits,
    boolean sitemaps,
    KeepTerms keep,
    ReadHooks reading,
    Timeline time,
    Optional<ImageCollection> images) {

  /**
   * How images are collected.
   *
   * @param files where their files are kept, if the mode keeps files
   * @param hashesLooks whether each is decoded for a difference hash
   * @param byYield whether scarce pages of the run are used where images are
   */
  public record ImageCollection(
      ImageMode mode, Optional<ImageFiles> files, boolean hashesLooks, boolean byYield) {
    /** Empty for a crawl that only counts images. */
    public static Optional<ImageCollection> of(
        ImageMode mode, DataDirectory directory, boolean hashesLooks) {
      Optional<ImageFiles> files = Optional.empty();
      if (mode == ImageMode.FILES) {
        ImageDirectory kept = new ImageDirectory(directory);
        kept.deleteUnfinished(Instant.now());
        files = Optional.of(kept);
      }
      return mode == ImageMode.OFF
          ? Optional.empty()
          : Optional.of(new ImageCollection(mode, files, hashesLooks, true));
    }

    /** The same, with pages used where images are, or else in the order of claims. */
    public ImageCollection byYield(boolean first) {
      return new ImageCollection(mode, files, hashesLooks, first);
    }
  }

  /** A session without hooks. */
  public CrawlSession(
      CrawlPlan plan,
      List<CrawlUrl> start,
      List<Seed> seeds,
      NetworkAccess network,
      StoreLimits limits,
      boolean sitemaps,
      KeepTerms keep,
      Timeline time,
      Optional<ImageCollection> images) {
    this(plan, start, seeds, network, limits, sitemaps, keep, ReadHooks.NONE, time, images);
  }

  /**
   * How requests leave this machine.
   *
   * @param agent the name and contact sent with every request
   * @param guard decides which addresses may be asked; it must know the seeds
   */
  public record NetworkAccess(
      UserAgent agent, AddressGuard guard, Egress egress, FetchSettings fetch) {}

  public CrawlSession {
    start = List.copyOf(start);
    seeds = List.copyOf(seeds);
  }

  /** The machine's own resolver, with a cache and a time-out. */
  public static Resolver names() {
    return new DnsCache(Resolver.SYSTEM, FetchSettings.DEFAULT.connect(), new SystemTimeline());
  }

  /** The domains of the seeds, each once, in the order of the seeds. */
  public Set<DomainName> domains() {
    return seeds.stream()
        .map(seed -> plan.domainOf(seed.url()))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** A store that keeps nothing after the process. */
  public MemoryStore memoryStore() {
    return new MemoryStore(grouping()::domainOf, plan.policy(), storeLimits(), time)
        .forgettingIdle();
  }

  /** The settings of a store in a data directory. */
  public StoreSettings storeSettings() {
    return StoreSettings.of(plan.policy(), grouping(), time).with(storeLimits());
  }

  private StoreLimits storeLimits() {
    return limits.accepting(network.fetch().accepted());
  }

  private Grouping grouping() {
    return plan.scope().grouping();
  }

  /** Joins the run of these terms, or begins it. */
  public Run begin(RunStore store) {
    return store.begin(terms(), time.instant());
  }

  /** The same; pages that a run on narrower terms has already are asked again. */
  public Run beginAnew(RunStore store) {
    return store.begin(terms().anew(), time.instant());
  }

  /**
   * Joins or begins the run that visits known pages of exhausted domains.
   *
   * @param domains those that it is about; none: all
   */
  public Run beginRefresh(KeptStore store, Collection<DomainName> domains) {
    Run run = store.begin(terms().refreshing(domains), time.instant());
    store.confine(domains);
    return run;
  }

  private RunTerms terms() {
    RunTerms terms = plan.terms(start);
    return images.isPresent()
        ? terms.collecting(images.get().mode(), plan.limits().maxImages())
        : terms;
  }

  /**
   * Keeps the run to the domains of its seeds, unless its scope is any. If it keeps files, it asks
   * for those of images that are known by their rows alone.
   *
   * @return how many images are asked for their files
   */
  public int confine(KeptStore store) {
    boolean keepsFiles = images.filter(one -> one.mode() == ImageMode.FILES).isPresent();
    int known = keepsFiles ? store.askForFiles(domains(), time.instant()) : 0;
    if (plan.scope().reach() != Reach.ANY) {
      store.confine(domains());
    }
    return known;
  }

  /** Queues the seeds, keeps what is known of their addresses, and queues links now in scope. */
  public void addSeeds(SeedIntake store, List<QueuedUrl> entries) {
    store.add(entries, time.instant());
    SeedCheck.keep(seeds, network.guard(), store);
    plan.takeOutside(store, time.instant());
  }

  /**
   * Adds one URL to a crawl that runs. It is asked in its turn, and with the source's.
   *
   * @param source the source that it is of; it must be known
   */
  public AddAnswer add(CrawlStore store, Crawl crawl, String url, Optional<String> source) {
    return add(
        url,
        seed -> {
          AddAnswer answer =
              store.offer(QueuedUrl.seed(seed.url(), seed.fallback()).of(source), time.instant());
          SeedCheck.keep(List.of(seed), network.guard(), store);
          crawl.arrived(seed.url());
          return answer;
        });
  }

  /**
   * Adds a URL to a data directory, also beside a crawl of another process.
   *
   * @param opened what is done first, when the directory is there
   */
  AddAnswer addTo(DataDirectory directory, String url, Optional<String> source, Runnable opened) {
    return add(
        url,
        seed -> {
          try (Intake intake = OpenStore.intake(directory, storeSettings())) {
            opened.run();
            AddAnswer answer =
                intake.offer(
                    QueuedUrl.seed(seed.url(), seed.fallback()).of(source),
                    source.map("source "::concat).orElse("add"),
                    time.instant());
            SeedCheck.keep(List.of(seed), network.guard(), intake::keepAddresses);
            return answer;
          }
        });
  }

  private AddAnswer add(String url, Function<Seed, AddAnswer> adding) {
    return switch (Seed.parse(url)) {
      case UrlRefusal refusal -> new AddAnswer.Refused(refusal.message());
      case Seed seed ->
          SeedCheck.denial(seed, network.guard())
              .<AddAnswer>map(AddAnswer.Refused::new)
              .orElseGet(() -> adding.apply(seed));
    };
  }

  /** Sets the order of domains by the ranks of their seeds; the lower, the earlier. */
  void rank(CrawlStore store, Map<Seed, Long> ranks) {
    Map<DomainName, Long> byDomain = new LinkedHashMap<>();
    ranks.forEach((seed, rank) -> byDomain.merge(plan.domainOf(seed.url()), rank, Math::min));
    if (!byDomain.isEmpty()) {
      store.rank(byDomain, time.instant());
    }
  }

  /**
   * Crawls what is in the store and ends the run. A run that fails stays open, so that the next
   * process continues it.
   *
   * @param begins receives the crawl before it begins, to watch it or to stop it
   */
  public Crawl.End crawl(
      CrawlStore store, Run run, List<CrawlListener> listeners, Consumer<Crawl> begins)
      throws InterruptedException {
    return crawl(store, run, listeners, Optional.empty(), begins);
  }

  /**
   * The same, and keeps every exchange.
   *
   * @param archive gets each exchange before its URL is settled
   */
  public Crawl.End crawl(
      CrawlStore store,
      Run run,
      List<CrawlListener> listeners,
      Optional<ExchangeArchive> archive,
      Consumer<Crawl> begins)
      throws InterruptedException {
    Crawl.End end;
    try (HttpFetcher fetcher =
            new HttpFetcher(
                network.fetch(), network.agent(), network.guard(), network.egress(), time);
        ContentKeeper keeper =
            new ContentKeeper(
                keep,
                store.keepsPages() ? Optional.of(PackedBody::pack) : Optional.empty(),
                !network.fetch().accepted().isEmpty())) {
      Listeners all = new Listeners(listeners);
      fetcher.tellOfShortage(all::shortOfDescriptors);
      CrawlParts parts =
          new CrawlParts(
              store,
              fetcher,
              new RobotsTxt(network.agent().token()),
              reading.after(
                  new HtmlReader(
                      network.agent().token(),
                      time,
                      HtmlReader.BEGINNING,
                      !network.fetch().accepted().isEmpty())),
              sitemaps ? Optional.of(new SitemapFiles()) : Optional.empty(),
              all,
              time);
      CrawlParts kept = parts.keeping(keeper(keeper)).filtering(reading.filter());
      CrawlParts archived = archive.map(kept::archiving).orElse(kept);
      CrawlParts whole = images.map(this::harvest).map(archived::collecting).orElse(archived);
      Crawl crawl = new Crawl(plan, whole, run);
      begins.accept(crawl);
      end = crawl.run();
    }
    store.end(ending(end), time.instant());
    return end;
  }

  private ImageHarvest harvest(ImageCollection collection) {
    return new ImageHarvest(
        new FetchedImages(
            ImageLimits.USUAL, network.agent().token(), time, collection.hashesLooks()),
        collection.files(),
        collection.byYield());
  }

  /** A crawl that keeps nothing has no keeper: then no page costs anything. */
  private Optional<PageKeeper> keeper(ContentKeeper keeper) {
    return keep.isNothing() ? Optional.empty() : Optional.of(keeper);
  }

  private static RunEnding ending(Crawl.End end) {
    return switch (end) {
      case Crawl.End.Finished _ -> RunEnding.FINISHED;
      case Crawl.End.OutOfBudget _ -> RunEnding.OUT_OF_BUDGET;
      case Crawl.End.OutOfImages _ -> RunEnding.OUT_OF_IMAGES;
      case Crawl.End.OutOfTime _ -> RunEnding.OUT_OF_TIME;
      case Crawl.End.Parked _ -> RunEnding.PARKED;
      case Crawl.End.AllPaused _ -> RunEnding.PAUSED;
      case Crawl.End.Stopped _ -> RunEnding.STOPPED;
    };
  }
}
