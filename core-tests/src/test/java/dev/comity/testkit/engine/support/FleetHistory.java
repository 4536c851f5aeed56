package dev.comity.testkit.engine.support;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.CrawlFailed;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Signal;
import dev.comity.core.port.fetch.Fetcher;
import dev.comity.core.port.image.ImageHarvest;
import dev.comity.core.port.image.ImageMode;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Grouping;
import dev.comity.testkit.engine.support.FleetCircumstances.Fortune;
import dev.comity.testkit.site.PretendImages;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** One history of several workers on one store, from its seed to the end of the last worker. */
public final class FleetHistory {
  private static final DomainPolicy POLICY = new DomainPolicy(PolicySettings.DEFAULTS);

  private final long seed;
  private final FleetCircumstances given;
  private final VirtualTimeline time;
  private final PretendWeb web;
  private final MemoryStore memory;
  private final FleetJudge judge;
  private int left;

  private FleetHistory(long seed) {
    this.seed = seed;
    given = FleetCircumstances.of(seed);
    time = new VirtualTimeline(seed);
    web = new PretendWeb(time);
    RandomWeb sites = new RandomWeb(seed, web, given.sites(), given.maxImages() > 0, _ -> false);
    memory =
        new MemoryStore(
            CrawlUrl::domain, POLICY, StoreLimits.DEFAULTS.withLease(given.lease()), time);
    judge = new FleetJudge(time, web, sites, memory, given, POLICY);
  }

  /** Lets it take place. */
  public static FleetHistory of(long seed) {
    FleetHistory history = new FleetHistory(seed);
    history.takePlace();
    return history;
  }

  public List<String> broken() {
    return judge.broken;
  }

  public List<String> events() {
    return judge.events;
  }

  public FleetCircumstances given() {
    return given;
  }

  public int answered() {
    return judge.answered();
  }

  private void takePlace() {
    for (int number = 0; number < given.sites(); number++) {
      CrawlUrl url = CrawlUrl.of(RandomWeb.host(number) + "/0");
      QueuedUrl seeded =
          SourceJudge.given(number, given.sources(), QueuedUrl.seed(url, Optional.empty()), memory);
      memory.add(List.of(seeded), VirtualTimeline.START);
      judge.seeded(seeded);
    }
    Crawl.End end =
        time.run(
            () -> {
              int number = 0;
              for (Fortune fortune : given.workers()) {
                start("w" + number++, fortune);
              }
              if (given.operated()) {
                new FleetOperator(seed, given.sites(), memory.operations(), time, judge).start();
              }
              while (left < given.workers().size()) {
                time.await(new Signal(), time.instant().plusSeconds(1));
              }
              // What would have happened to one that has left has come and gone.
              time.await(new Signal(), time.instant().plusSeconds(100));
              // Whatever became of the others, one more worker finishes the run.
              return worker("last", Duration.ZERO, Optional.empty()).run();
            });
    judge.historyEnds(
        end instanceof Crawl.End.Finished,
        end instanceof Crawl.End.OutOfBudget,
        memory.pagesOfRun());
  }

  private void start(String name, Fortune fortune) {
    time.start(
        name,
        () -> {
          try {
            time.await(new Signal(), fortune.joins());
            Mortal mortal = mortal(name);
            Crawl crawl = worker(name, fortune.ahead(), Optional.of(mortal));
            boolean[] over = {false};
            Thread thread = Thread.currentThread();
            happen(fortune.stops(), over, crawl::stop);
            happen(
                fortune.dies(),
                over,
                () -> {
                  mortal.kill();
                  thread.interrupt();
                });
            run(name, crawl, mortal);
            over[0] = true;
          } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
          } finally {
            Thread.interrupted();
            left++;
          }
        });
  }

  /** Lets something happen at that time, if the worker is still there. */
  private void happen(Instant at, boolean[] over, Runnable event) {
    if (at.equals(Instant.MAX)) {
      return;
    }
    time.start(
        "fate",
        () -> {
          try {
            time.await(new Signal(), at);
          } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
          }
          if (!over[0]) {
            event.run();
          }
        });
  }

  private void run(String name, Crawl crawl, Mortal mortal) {
    try {
      if (crawl.run() instanceof Crawl.End.Finished) {
        judge.saysFinished(name);
      }
    } catch (InterruptedException _) {
      // Killed; its threads were ended.
    } catch (CrawlFailed | Mortal.Dead failed) {
      if (!mortal.isDead()) {
        judge.broken.add(name + " failed: " + failed.getMessage());
      }
    }
  }

  private Mortal mortal(String name) {
    return new Mortal(
        new FleetMischief(seed * 31 + name.hashCode(), given, time), judge.seenFrom(name));
  }

  private Crawl worker(String name, Duration ahead, Optional<Mortal> mortal) {
    CrawlStore judged =
        new JudgedStore(new SourceWatchingStore(memory.another(name), judge.sources), judge, name);
    CrawlStore line =
        given.unanswered() ? new UnansweredStore(judged, seed * 17 + name.hashCode()) : judged;
    Run run = judged.begin(terms(), time.instant());
    judge.runBegins(run);
    CrawlStore store =
        mortal.<CrawlStore>map(keeper -> new DoorwayStore(line, keeper)).orElse(line);
    CrawlParts parts =
        new CrawlParts(
            store,
            mortal.<Fetcher>map(own -> own).orElseGet(() -> judge.seenFrom(name)),
            web,
            web,
            Optional.of(web),
            new CrawlListener() {},
            new SkewedTimeline(time, ahead),
            Long.MAX_VALUE);
    ImageHarvest harvest = new ImageHarvest(new PretendImages(), Optional.empty());
    return new Crawl(plan(), given.maxImages() == 0 ? parts : parts.collecting(harvest), run);
  }

  private RunTerms terms() {
    RunTerms terms =
        new RunTerms(List.of(), new TreeMap<>(), given.maxPages(), FleetJudge.PAGES_PER_DOMAIN);
    return given.maxImages() == 0 ? terms : terms.collecting(ImageMode.METADATA, given.maxImages());
  }

  private CrawlPlan plan() {
    return CrawlPlan.of(
        POLICY,
        Scope.ofSeeds(List.of(), Grouping.BY_HOST).reaching(Scope.Reach.ANY),
        new CrawlLimits(
            given.maxPages(),
            FleetJudge.PAGES_PER_DOMAIN,
            20,
            4,
            0,
            Duration.ofSeconds(2),
            given.maxImages()));
  }
}
