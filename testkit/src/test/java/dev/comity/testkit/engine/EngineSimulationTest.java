package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.CrawlParts;
import dev.comity.core.engine.CrawlPlan;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.policy.Attempt;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Ending;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.port.Settlement;
import dev.comity.core.port.Signal;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Scope;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The real engine against fifty sites of every shape, in a thousand histories. Each history is
 * stopped in the middle and goes on with a new crawl on the same store.
 */
class EngineSimulationTest {
  private static final int HISTORIES = Integer.getInteger("comity.histories", 1000);
  private static final int IN_FLIGHT = 20;
  private static final int PAGES_PER_DOMAIN = 6;

  /** Everything that can be said about one history, so that two can be compared. */
  private record History(List<String> events, int answered) {}

  @Test
  void every_invariant_holds_in_a_thousand_histories() {
    int answered = 0;
    for (long seed = 0; seed < HISTORIES; seed++) {
      try {
        answered += history(seed).answered();
      } catch (AssertionError | RuntimeException failed) {
        throw new AssertionError("seed " + seed + ": " + failed.getMessage(), failed);
      }
    }
    // The generator is not to grow tame: most of a history's sites answer.
    assertThat(answered).isGreaterThan(HISTORIES * 60);
  }

  @Test
  void the_same_seed_gives_the_same_history_and_another_seed_another() {
    assertThat(history(3).events()).isEqualTo(history(3).events());
    assertThat(history(3).events()).isNotEqualTo(history(4).events());
  }

  private static History history(long seed) {
    VirtualTimeline time = new VirtualTimeline(seed);
    PretendWeb web = new PretendWeb(time);
    RandomWeb sites = new RandomWeb(seed, web);
    Judge judge = new Judge(sites);
    MemoryStore store = new MemoryStore(CrawlUrl::domain);
    for (int number = 0; number < RandomWeb.SITES; number++) {
      store.add(
          List.of(QueuedUrl.seed(CrawlUrl.of(RandomWeb.host(number) + "/0"), Optional.empty())));
    }
    CrawlParts parts = new CrawlParts(store, web, web, web, judge, time);
    Instant stop = VirtualTimeline.START.plusMillis(new SplittableRandom(seed).nextInt(60_000));
    time.run(
        () -> {
          Crawl first = new Crawl(plan(), parts);
          time.start("operator", () -> stopAt(first, stop, time));
          first.run();
          judge.nothingIsInFlight();
          time.await(new Signal(), stop.isAfter(time.instant()) ? stop : time.instant());
          return new Crawl(plan(), parts).run();
        });
    judge.nothingIsInFlight();
    judge.wellBehavedSitesAreDone(web.visits());
    assertThat(sites.broken).as("asked while told to stay away").isEmpty();
    assertThat(web.visits()).allMatch(visit -> visit.inFlight() <= 5);
    return new History(judge.events, judge.done.size());
  }

  private static void stopAt(Crawl crawl, Instant at, VirtualTimeline time) {
    try {
      time.await(new Signal(), at);
      crawl.stop();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static CrawlPlan plan() {
    return new CrawlPlan(
        new DomainPolicy(PolicySettings.DEFAULTS),
        Scope.ofSeeds(List.of(), Grouping.BY_HOST).reaching(Scope.Reach.ANY),
        100_000,
        PAGES_PER_DOMAIN,
        IN_FLIGHT,
        1000,
        Duration.ofMinutes(10),
        Duration.ofSeconds(2));
  }

  /** Watches a history and fails it at the first thing that must never happen. */
  private static final class Judge implements CrawlListener {
    final List<String> events = new ArrayList<>();
    final Set<CrawlUrl> done = new HashSet<>();
    private final RandomWeb sites;
    private final Set<DomainName> claimed = new HashSet<>();
    private final Map<DomainName, Instant> lastStart = new HashMap<>();
    private final Map<DomainName, Integer> pages = new HashMap<>();
    private final Set<String> denied = new HashSet<>();

    Judge(RandomWeb sites) {
      this.sites = sites;
    }

    @Override
    public void claimed(DomainName domain) {
      assertThat(claimed.add(domain)).as(domain + " claimed twice at once").isTrue();
      pages.remove(domain);
    }

    @Override
    public void started(DomainName domain, Attempt attempt) {
      events.add(attempt.startedAt() + " " + attempt.url());
      assertThat(claimed).as("asked without a claim").contains(domain);
      assertThat(done).as("asked again after an answer").doesNotContain(attempt.url());
      assertThat(denied).as("denied and asked").doesNotContain(attempt.url().toString());
      Instant before = lastStart.put(domain, attempt.startedAt());
      if (before != null) {
        Duration gap = Duration.between(before, attempt.startedAt());
        assertThat(gap).as("gap before " + attempt).isGreaterThanOrEqualTo(attempt.delay());
      }
    }

    @Override
    public void settled(DomainName domain, Settlement settlement) {
      events.add(settlement.entry().url() + " " + settlement.fate());
      sites.heard(
          settlement.entry().url().toString(), settlement.entry().url().authority().toString());
      switch (settlement.fate()) {
        case Fate.Done _ -> {
          assertThat(done.add(settlement.entry().url())).as("answered twice").isTrue();
          assertThat(pages.merge(domain, 1, Integer::sum)).isLessThanOrEqualTo(PAGES_PER_DOMAIN);
        }
        case Fate.Denied _ -> denied.add(settlement.entry().url().toString());
        case Fate.Failed _, Fate.Retry _, Fate.Returned _ -> {}
      }
    }

    @Override
    public void ended(DomainName domain, Ending ending) {
      events.add(domain + " " + ending);
      assertThat(claimed.remove(domain)).isTrue();
    }

    void nothingIsInFlight() {
      assertThat(claimed).as("claims left").isEmpty();
    }

    /** Their seed at least has an answer: nothing was lost by stopping in the middle. */
    void wellBehavedSitesAreDone(List<PretendWeb.Visit> visits) {
      for (String host : sites.wellBehaved) {
        assertThat(done).as("answered").contains(CrawlUrl.of(host + "/0"));
        long robots =
            visits.stream()
                .filter(visit -> visit.url().toString().equals(host + "/robots.txt"))
                .count();
        assertThat(robots).as(host + "/robots.txt asked").isBetween(1L, 2L);
      }
    }
  }
}
