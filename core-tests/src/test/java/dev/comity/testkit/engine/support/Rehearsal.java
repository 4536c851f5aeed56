package dev.comity.testkit.engine.support;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.SharedBudgets;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.fetch.SitemapReader;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.scope.Scope;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.usage.Purpose;
import dev.comity.testkit.engine.support.DoorwayStore.Door;
import dev.comity.testkit.engine.support.DoorwayStore.Keeper;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A crawl in virtual time in which something goes wrong, and all that was heard of it. */
public final class Rehearsal implements CrawlListener {
  public static final Instant START = VirtualTimeline.START;

  public final VirtualTimeline time = new VirtualTimeline(42);

  /** The time as the crawl sees it. */
  public Timeline crawlTime = time;

  public final PretendWeb web = new PretendWeb(time);
  public final MemoryStore memory;
  public final List<Settlement> settled = new ArrayList<>();
  public final List<String> claims = new ArrayList<>();
  public final List<Ending> endings = new ArrayList<>();
  public final List<Boolean> outages = new ArrayList<>();
  public final List<Change> changes = new ArrayList<>();
  public final List<SharedBudgets.BudgetChange> budgets = new ArrayList<>();
  public final List<CrawlUrl> sitemapsRead = new ArrayList<>();
  public PolicySettings settings = PolicySettings.DEFAULTS;
  public double maxRate;
  CrawlStore store;
  public CrawlListener listener = this;
  public long maxPages = 1000;
  public long maxPagesPerDomain = 1000;
  public int maxInFlight = 256;
  public long bodyMemory = Long.MAX_VALUE;
  public Duration grace = Duration.ofSeconds(10);
  public boolean sitemaps = true;
  public Set<Purpose> purposes = Purpose.USUAL;

  public Rehearsal() {
    this(Duration.ofMinutes(30));
  }

  /** With claims that last so long. */
  public Rehearsal(Duration lease) {
    memory =
        new MemoryStore(
            CrawlUrl::domain,
            new DomainPolicy(PolicySettings.DEFAULTS),
            StoreLimits.DEFAULTS.withLease(lease),
            time);
    store = memory;
  }

  @Override
  public void claimed(DomainName domain) {
    claims.add("claimed " + domain);
  }

  @Override
  public void settled(DomainName domain, Settlement settlement) {
    settled.add(settlement);
  }

  @Override
  public void changed(DomainName domain, Change change) {
    changes.add(change);
  }

  @Override
  public void listed(DomainName domain, CrawlUrl sitemap, SitemapReader.Tally tally) {
    sitemapsRead.add(sitemap);
  }

  @Override
  public void shared(SharedBudgets.BudgetChange change) {
    budgets.add(change);
  }

  @Override
  public void outage(boolean ours) {
    outages.add(ours);
  }

  @Override
  public void ended(DomainName domain, Ending ending) {
    claims.add("ended " + domain);
    endings.add(ending);
  }

  public Rehearsal seed(String... urls) {
    for (String url : urls) {
      memory.add(List.of(QueuedUrl.seed(CrawlUrl.of(url), Optional.empty())), Instant.EPOCH);
    }
    return this;
  }

  public Rehearsal keptBy(Keeper keeper) {
    store = new DoorwayStore(memory, keeper);
    return this;
  }

  public Crawl crawl() {
    Scope anywhere = Scope.ofSeeds(List.of(), Grouping.BY_HOST).reaching(Scope.Reach.ANY);
    CrawlPlan plan =
        new CrawlPlan(
            new DomainPolicy(settings),
            anywhere,
            new CrawlLimits(maxPages, maxPagesPerDomain, maxInFlight, 1000, maxRate, grace),
            TrapSettings.DEFAULTS,
            Map.of(),
            purposes);
    Optional<SitemapReader> reader = sitemaps ? Optional.of(web) : Optional.empty();
    return new Crawl(
        plan, new CrawlParts(store, web, web, web, reader, listener, crawlTime, bodyMemory));
  }

  public Crawl.End run() {
    return time.run(() -> crawl().run());
  }

  /** Another crawl, so much later. */
  public Crawl.End runAfter(Duration pause) {
    return time.run(
        () -> {
          pass(pause);
          return crawl().run();
        });
  }

  public Crawl.End runAndStopAt(Instant at) {
    Crawl crawl = crawl();
    return time.run(
        () -> {
          at(at, crawl::stop);
          return crawl.run();
        });
  }

  /** Lets something else happen at that time. */
  public void at(Instant at, Runnable event) {
    time.start(
        "something else",
        () -> {
          pass(Duration.between(time.instant(), at));
          event.run();
        });
  }

  /** Time goes by in the middle of a call; being interrupted changes nothing about that. */
  public void pass(Duration duration) {
    Instant until = time.instant().plus(duration);
    boolean interrupted = false;
    while (time.instant().isBefore(until)) {
      try {
        time.await(new Signal(), until);
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The claim's time is over before its holder knows: from now on anyone may claim the domain. */
  public void steal(Claim claim) {
    DomainState last = memory.state(claim.domain()).orElseThrow();
    DomainState takenOver = new DomainPolicy(settings).startFailed(last, time.instant());
    memory.release(claim, takenOver, new Ending.Stopped(), Instant.EPOCH);
  }

  /** Takes the claim away the first time its holder comes to this door. */
  public Keeper thiefAt(Door door) {
    return new Keeper() {
      private boolean stolen;

      @Override
      public void before(Door at, Optional<Claim> claim) {
        if (at == door && !stolen && claim.isPresent()) {
          stolen = true;
          steal(claim.get());
        }
      }
    };
  }

  public List<String> done() {
    return settled.stream()
        .filter(one -> one.fate() instanceof Fate.Done)
        .map(one -> one.entry().url().toString())
        .toList();
  }

  public DomainState state(String domain) {
    return memory.state(CrawlUrl.of("http://" + domain + "/").domain()).orElseThrow();
  }
}
