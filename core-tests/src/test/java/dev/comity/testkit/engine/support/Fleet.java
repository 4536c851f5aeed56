package dev.comity.testkit.engine.support;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Several crawls in virtual time that share one store in memory, each a worker of its own. */
public final class Fleet {
  public static final Instant START = VirtualTimeline.START;
  private static final DomainPolicy POLICY = new DomainPolicy(PolicySettings.DEFAULTS);

  public final VirtualTimeline time = new VirtualTimeline(42);
  public final PretendWeb web = new PretendWeb(time);
  public final MemoryStore memory;

  /** What each worker settled, in order. */
  public final List<Settlement> settled = new ArrayList<>();

  public final List<Ending> endings = new ArrayList<>();

  /** When each worker left. */
  public final Map<String, Instant> leftAt = new HashMap<>();

  public long maxPages = 1000;
  public int maxClaims = 1000;

  public Fleet(Duration lease) {
    memory = new MemoryStore(CrawlUrl::domain, POLICY, StoreLimits.DEFAULTS.withLease(lease), time);
  }

  /** One worker of the fleet. */
  public final class Worker implements CrawlListener {
    private final String name;
    public final CrawlStore store;
    public final Crawl crawl;

    Worker(String name, Timeline clock, CrawlStore store) {
      this.name = name;
      this.store = store;
      Run run = store.begin(terms(), clock.instant());
      crawl = new Crawl(plan(), new CrawlParts(store, web, web, web, this, clock), run);
    }

    public Crawl.End run() throws InterruptedException {
      Crawl.End end = crawl.run();
      leftAt.put(name, time.instant());
      return end;
    }

    /** Runs beside the others; {@code ends} gets how it ended. */
    public void startInto(Map<String, Crawl.End> ends) {
      time.start(
          name,
          () -> {
            try {
              ends.put(name, run());
            } catch (InterruptedException unexpected) {
              throw new AssertionError(unexpected);
            }
          });
    }

    @Override
    public void settled(DomainName domain, Settlement settlement) {
      settled.add(settlement);
    }

    @Override
    public void ended(DomainName domain, Ending ending) {
      endings.add(ending);
    }
  }

  public Fleet seed(String... urls) {
    memory.add(
        Arrays.stream(urls).map(url -> QueuedUrl.seed(CrawlUrl.of(url), Optional.empty())).toList(),
        Instant.EPOCH);
    return this;
  }

  public Worker worker(String name) {
    return worker(name, Duration.ZERO);
  }

  public Worker worker(String name, Duration ahead) {
    return worker(name, new SkewedTimeline(time, ahead));
  }

  public Worker worker(String name, Timeline clock) {
    return new Worker(name, clock, memory.another(name));
  }

  public RunTerms terms() {
    return new RunTerms(List.of(), new TreeMap<>(), maxPages, 1000);
  }

  private CrawlPlan plan() {
    return CrawlPlan.of(
        POLICY,
        Scope.ofSeeds(List.of(), Grouping.BY_HOST).reaching(Scope.Reach.ANY),
        new CrawlLimits(maxPages, 1000, 256, maxClaims, 0, Duration.ofSeconds(2)));
  }

  /** Lets time go by. */
  public void pass(Duration duration) throws InterruptedException {
    time.await(new Signal(), time.instant().plus(duration));
  }

  /** A site whose home links to so many pages, each alone. */
  public void site(String host, int pages) {
    PretendWeb.Site site = web.site("http://" + host);
    String[] links = new String[pages];
    for (int page = 0; page < pages; page++) {
      links[page] = "/" + page;
      site.page("/" + page);
    }
    site.page("/", links);
  }

  /** When requests to this domain started, whichever worker sent them. */
  public List<Instant> starts(String domain) {
    return web.visits().stream()
        .filter(visit -> visit.url().domain().name().equals(domain))
        .map(PretendWeb.Visit::startedAt)
        .toList();
  }

  /** The shortest time between two requests to this domain. */
  public Duration shortestGap(String domain) {
    List<Instant> starts = starts(domain);
    Duration shortest = Duration.ofDays(1);
    for (int n = 1; n < starts.size(); n++) {
      Duration gap = Duration.between(starts.get(n - 1), starts.get(n));
      shortest = gap.compareTo(shortest) < 0 ? gap : shortest;
    }
    return shortest;
  }
}
