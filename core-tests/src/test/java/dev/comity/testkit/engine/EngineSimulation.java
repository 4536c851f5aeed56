package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.CrawlFailed;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.Signal;
import dev.comity.core.port.image.ImageHarvest;
import dev.comity.core.port.image.ImageMode;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Grouping;
import dev.comity.testkit.engine.support.Circumstances;
import dev.comity.testkit.engine.support.DoorwayStore;
import dev.comity.testkit.engine.support.FailingListener;
import dev.comity.testkit.engine.support.Judge;
import dev.comity.testkit.engine.support.Mischief;
import dev.comity.testkit.engine.support.Mortal;
import dev.comity.testkit.engine.support.RandomWeb;
import dev.comity.testkit.engine.support.SourceJudge;
import dev.comity.testkit.engine.support.SourceWatchingStore;
import dev.comity.testkit.site.PretendImages;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The real engine against sites of every shape, in a thousand histories. Each history is stopped in
 * the middle, or ended by something worse, and goes on with a new crawl on the same store: the same
 * run, unless that was over.
 */
class EngineSimulation {
  /** So little that pages of a few links wait for it. */
  private static final long BODY_MEMORY = 2_000;

  private static final int HISTORIES = Integer.getInteger("comity.histories", 1000);
  private static final long FIRST = Long.getLong("comity.first-history", 0);
  private static final DomainPolicy POLICY = new DomainPolicy(PolicySettings.DEFAULTS);

  /** Everything that can be said about one history, so that two can be compared. */
  private record History(List<String> events, int answered, int ofSources) {}

  @Test
  void every_invariant_holds_in_a_thousand_histories() {
    int answered = 0;
    int ofSources = 0;
    for (long seed = FIRST; seed < FIRST + HISTORIES; seed++) {
      try {
        History history = history(seed);
        answered += history.answered();
        ofSources += history.ofSources();
      } catch (AssertionError | RuntimeException failed) {
        throw new AssertionError("seed " + seed + ": " + failed.getMessage(), failed);
      }
    }
    // The generator is not to grow tame: most of a history's sites answer.
    assertThat(answered).isGreaterThan(HISTORIES * 30);
    assertThat(ofSources).isGreaterThan(HISTORIES * 3);
  }

  @Test
  void the_same_seed_gives_the_same_history_and_another_seed_another() {
    for (long seed = 0; seed < 20; seed++) {
      assertThat(history(seed).events()).as("seed " + seed).isEqualTo(history(seed).events());
    }
    assertThat(history(3).events()).isNotEqualTo(history(4).events());
  }

  private static History history(long seed) {
    Circumstances given = Circumstances.of(seed);
    VirtualTimeline time = new VirtualTimeline(seed);
    PretendWeb web = new PretendWeb(time);
    RandomWeb sites = new RandomWeb(seed, web, given.sites(), given.maxImages() > 0, given::isDown);
    MemoryStore memory =
        new MemoryStore(
            CrawlUrl::domain, POLICY, StoreLimits.DEFAULTS.withLease(given.lease()), time);
    Judge judge = new Judge(time, web, sites, memory, given, POLICY);
    for (int number = 0; number < given.sites(); number++) {
      QueuedUrl seeded =
          SourceJudge.given(
              number,
              given.sources(),
              QueuedUrl.seed(CrawlUrl.of(RandomWeb.host(number) + "/0"), Optional.empty()),
              memory);
      memory.add(List.of(seeded), Instant.EPOCH);
      judge.seeded(seeded);
    }
    Mischief mischief = new Mischief(seed, given, time, memory, judge);
    Mortal mortal = new Mortal(mischief, judge);
    FailingListener failing = new FailingListener(judge, given.failsAt());
    Crawl.End end =
        time.run(
            () -> {
              Run run = memory.begin(terms(given), time.instant());
              judge.runBegins(run);
              CrawlStore store =
                  new DoorwayStore(new SourceWatchingStore(memory, judge.sources), mortal);
              Crawl first =
                  new Crawl(
                      plan(given),
                      parts(
                          given,
                          new CrawlParts(
                              store,
                              mortal,
                              web,
                              web,
                              Optional.of(web),
                              failing,
                              time,
                              BODY_MEMORY)),
                      run);
              runUntilEnded(first, given, time, failing, mortal)
                  .ifPresent(left -> memory.end(left, time.instant()));
              if (mortal.isDead()) {
                judge.processDied();
              }
              judge.runEnds();
              // Whoever would have ended it has come and gone.
              time.await(new Signal(), later(given.again(), time.instant()));
              time.await(new Signal(), time.instant().plusMillis(1));
              if (mortal.isDead() && given.expires()) {
                time.await(new Signal(), time.instant().plus(given.lease()));
              } else {
                memory.endClaims();
              }
              return goOn(given, memory, mischief, judge, web, time);
            });
    judge.runEnds();
    judge.historyEnds(end);
    assertThat(judge.broken).as(given.toString()).isEmpty();
    return new History(judge.events, judge.done.size(), judge.sources.starts());
  }

  private static Crawl.End goOn(
      Circumstances given,
      MemoryStore memory,
      Mischief mischief,
      Judge judge,
      PretendWeb web,
      VirtualTimeline time)
      throws InterruptedException {
    Run run = memory.begin(terms(given), time.instant());
    judge.runBegins(run);
    CrawlStore store = new DoorwayStore(new SourceWatchingStore(memory, judge.sources), mischief);
    CrawlParts parts =
        new CrawlParts(store, judge, web, web, Optional.of(web), judge, time, BODY_MEMORY);
    return new Crawl(plan(given), parts(given, parts), run).run();
  }

  private static CrawlParts parts(Circumstances given, CrawlParts parts) {
    return given.maxImages() == 0
        ? parts
        : parts.collecting(new ImageHarvest(new PretendImages(), Optional.empty()));
  }

  /** Answers how the run was left, if anybody could still say. */
  private static Optional<RunEnding> runUntilEnded(
      Crawl crawl,
      Circumstances given,
      VirtualTimeline time,
      FailingListener failing,
      Mortal mortal) {
    Thread runner = Thread.currentThread();
    boolean[] over = {false};
    for (Instant at : List.of(given.stop(), given.again())) {
      time.start(
          "operator",
          () -> {
            try {
              time.await(new Signal(), at);
            } catch (InterruptedException unexpected) {
              throw new AssertionError(unexpected);
            }
            if (given.killed() && !over[0]) {
              mortal.kill();
            }
            if ((given.interrupted() || given.killed()) && !over[0]) {
              runner.interrupt();
            } else {
              crawl.stop();
            }
          });
    }
    try {
      return Optional.of(
          switch (crawl.run()) {
            case Crawl.End.Finished _ -> RunEnding.FINISHED;
            case Crawl.End.OutOfBudget _ -> RunEnding.OUT_OF_BUDGET;
            case Crawl.End.OutOfImages _ -> RunEnding.OUT_OF_IMAGES;
            case Crawl.End.Parked _ -> RunEnding.PARKED;
            case Crawl.End.AllPaused _ -> RunEnding.PAUSED;
            case Crawl.End.OutOfTime _ -> RunEnding.OUT_OF_TIME;
            case Crawl.End.Stopped _ -> RunEnding.STOPPED;
          });
    } catch (InterruptedException _) {
      assertThat(given.interrupted() || mortal.isDead()).isTrue();
      return Optional.empty();
    } catch (CrawlFailed | Mortal.Dead failed) {
      if (!failing.hasFailed() && !mortal.isDead()) {
        throw failed;
      }
      return Optional.empty();
    } finally {
      over[0] = true;
      // A second interrupt is handed on by the crawl; here it goes no further.
      Thread.interrupted();
    }
  }

  private static RunTerms terms(Circumstances given) {
    RunTerms terms =
        new RunTerms(List.of(), new TreeMap<>(), given.maxPages(), Judge.PAGES_PER_DOMAIN);
    return given.maxImages() == 0 ? terms : terms.collecting(ImageMode.METADATA, given.maxImages());
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static CrawlPlan plan(Circumstances given) {
    return CrawlPlan.of(
        POLICY,
        Scope.ofSeeds(List.of(), Grouping.BY_HOST).reaching(Scope.Reach.ANY),
        new CrawlLimits(
            given.maxPages(),
            Judge.PAGES_PER_DOMAIN,
            given.inFlight(),
            1000,
            0,
            Duration.ofSeconds(2),
            given.maxImages()));
  }
}
