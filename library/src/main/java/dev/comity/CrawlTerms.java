package dev.comity;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.SystemTimeline;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.engine.plan.DomainTerms;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.scope.DroppedParameters;
import dev.comity.core.scope.Scope;
import dev.comity.core.scope.Scope.Reach;
import dev.comity.core.scope.UrlPattern;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Seed;
import dev.comity.core.usage.Purpose;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreUnusable;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.web.http.FetchSettings;
import dev.comity.web.http.UserAgent;
import dev.comity.web.net.AddressGuard;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What was said of a crawl, and what makes it of that. */
final class CrawlTerms {
  final List<Seed> seeds;
  final Map<Seed, Long> ranks = new LinkedHashMap<>();
  final NetworkTerms network = new NetworkTerms();
  final Map<DomainName, DomainTerms> domains = new LinkedHashMap<>();
  final ContentTerms content = new ContentTerms();
  Optional<String> contact = Optional.empty();
  Optional<String> userAgent = Optional.empty();
  DroppedParameters dropped = DroppedParameters.NONE;
  Optional<Set<Purpose>> purposes = Optional.empty();
  Duration delay = PaceSettings.DEFAULTS.minimum();
  long maxPages = 1000;
  long maxPagesPerDomain = 1000;
  int maxDepth = Integer.MAX_VALUE;
  Optional<Duration> maxTime = Optional.empty();
  Reach reach = Reach.SEEDS;
  final List<UrlPattern> include = new ArrayList<>();
  final List<UrlPattern> exclude = new ArrayList<>();
  boolean sitemaps = true;
  Optional<Path> data = Optional.empty();
  Optional<Consumer<ReadPage>> read = Optional.empty();
  Optional<Predicate<Link>> follow = Optional.empty();
  final StopSwitch stopping = new StopSwitch();
  final ImageTerms images = new ImageTerms();
  final SourceTerms sources = new SourceTerms();
  Consumer<Page> page = _ -> {};
  Consumer<Link> link = _ -> {};
  Consumer<Outcome> outcome = _ -> {};

  CrawlTerms(List<Seed> seeds) {
    this.seeds = new ArrayList<>(seeds);
  }

  Summary run() throws InterruptedException {
    CrawlSession session = session();
    AddressGuard guard = session.network().guard();
    data.ifPresent(home -> SeedCheck.recall(new DataDirectory(home), session.domains(), guard));
    SeedCheck.require(seeds, guard, network.egress().httpProxy().isPresent());
    if (data.isEmpty()) {
      CrawlStore store = session.memoryStore();
      return crawl(session, store, session.begin(store));
    }
    try (SqliteStore store =
        SqliteStore.open(new DataDirectory(data.get()), session.storeSettings())) {
      store
          .checkpoints()
          .home()
          .ifPresent(
              there -> {
                throw new StoreUnusable(
                    "the queues are in Redis at %s: move them with `comity frontier move --to store`"
                        .formatted(there.address()));
              });
      Run run = session.begin(store);
      session.confine(store);
      return crawl(session, store, run);
    }
  }

  private Summary crawl(CrawlSession session, CrawlStore store, Run run)
      throws InterruptedException {
    Instant began = session.time().instant();
    sources.make(store, data.map(DataDirectory::new));
    session.addSeeds(store, seeds.stream().map(sources::entry).toList());
    session.rank(store, ranks);
    Hooks hooks =
        new Hooks(
            page,
            link,
            outcome,
            content.accepted(),
            settlement -> images.settled(settlement, data));
    Crawl.End end =
        session.crawl(
            store,
            run,
            List.of(hooks),
            crawl -> {
              stopping.begins(crawl);
              sources.begins(session, store, crawl);
              maxTime.ifPresent(most -> crawl.endAt(began.plus(most)));
            });
    sources.ends();
    session.reading().requireSound();
    return hooks.summary(end, images.taken(), Duration.between(began, session.time().instant()));
  }

  private CrawlSession session() {
    AddressGuard guard =
        new AddressGuard(CrawlSession.names(), contact.isPresent(), network.overrides());
    ReadHooks reading = new ReadHooks(read, follow, stopping::stop);
    return new CrawlSession(
        plan(),
        seeds.stream().map(Seed::url).toList(),
        seeds,
        new CrawlSession.NetworkAccess(
            new UserAgent(version(), contact, userAgent),
            guard,
            network.egress(),
            FetchSettings.DEFAULT.accepting(content.accepted())),
        StoreLimits.DEFAULTS,
        sitemaps,
        content.terms(),
        reading,
        new SystemTimeline(),
        images.collection(data));
  }

  /** Adds a URL to the crawl at work, or else to the data directory for the next one. */
  AddAnswer add(String url, Optional<String> source) {
    return sources
        .addRunning(url, source)
        .orElseGet(
            () ->
                data.<AddAnswer>map(
                        home -> sources.addTo(new DataDirectory(home), session(), url, source))
                    .orElseGet(
                        () ->
                            new AddAnswer.Refused(
                                "no crawl is at work and no data directory is named: call"
                                    + " data(directory) first, or add while run is at work")));
  }

  private CrawlPlan plan() {
    return new CrawlPlan(
        new DomainPolicy(PolicySettings.DEFAULTS.with(PaceSettings.DEFAULTS.withMinimum(delay))),
        Scope.ofSeeds(seeds.stream().map(Seed::url).toList(), Grouping.BY_HOST)
            .reaching(reach)
            .including(include)
            .excluding(exclude)
            .dropping(dropped)
            .toDepth(maxDepth),
        CrawlLimits.DEFAULTS.withPages(maxPages, maxPagesPerDomain).withImages(images.most()),
        TrapSettings.DEFAULTS,
        domains,
        purposes.orElse(Purpose.USUAL),
        purposes.isPresent());
  }

  /** The version in the manifest; classes run outside their jar have none. */
  private static String version() {
    return Optional.ofNullable(Comity.class.getPackage().getImplementationVersion())
        .orElse("development");
  }
}
