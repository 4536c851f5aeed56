package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.SystemTimeline;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.fetch.Fetcher;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.testkit.site.PretendWeb;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/**
 * The engine on the machine's own threads and time, as fast as it can: what no simulation that runs
 * one task at a time would show. Each page leads to one page of the next site only, so the last
 * worker of a moment always leaves something behind for somebody else.
 */
@Timeout(60)
class RealThreadsTest {
  private static final int SITES = 12;
  private static final int PAGES = 15;
  private static final int IN_FLIGHT = 3;

  private final SystemTimeline time = new SystemTimeline();
  private final MemoryStore store = new MemoryStore(CrawlUrl::domain, time);
  private final Map<CrawlUrl, Integer> answered = new ConcurrentHashMap<>();
  private final Set<DomainName> claimed = ConcurrentHashMap.newKeySet();
  private final AtomicInteger wrong = new AtomicInteger();
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile Optional<Crawl> running = Optional.empty();
  private volatile int enough = Integer.MAX_VALUE;

  private final Fetcher web =
      new Fetcher() {
        @Override
        public Fetched fetch(CrawlUrl url, Want want, Duration firstByte, Departure departure) {
          if (!departure.start()) {
            return new Fetched(new Cancelled(), Optional.empty(), Duration.ZERO, 0);
          }
          departure.started();
          if (inFlight.incrementAndGet() > IN_FLIGHT) {
            wrong.incrementAndGet();
          }
          Body body = Body.of(want == Want.ROBOTS ? "" : next(url));
          inFlight.decrementAndGet();
          return new Fetched(
              new Success(200, Headers.NONE, body), Optional.empty(), Duration.ZERO, 0);
        }

        @Override
        public boolean reaches(Authority authority) {
          return true;
        }
      };

  private final CrawlListener listener =
      new CrawlListener() {
        @Override
        public void claimed(DomainName domain) {
          if (!claimed.add(domain)) {
            wrong.incrementAndGet();
          }
        }

        @Override
        public void settled(DomainName domain, Settlement settlement) {
          if (settlement.fate() instanceof Fate.Done) {
            answered.merge(settlement.entry().url(), 1, Integer::sum);
            if (answered.size() >= enough) {
              running.ifPresent(Crawl::stop);
            }
          }
        }

        @Override
        public void ended(DomainName domain, Ending ending) {
          if (!claimed.remove(domain)) {
            wrong.incrementAndGet();
          }
        }
      };

  /** From each site to the next, and from the last to the first one's next page. */
  private static String next(CrawlUrl url) {
    int site = Integer.parseInt(url.host().substring(1, url.host().indexOf('.')));
    int page = Integer.parseInt(url.target().substring(1));
    int to = (site + 1) % SITES;
    int at = to == 0 ? page + 1 : page;
    return at < PAGES ? "http://s" + to + ".example/" + at : "";
  }

  private Crawl crawl() {
    PretendWeb reader = new PretendWeb(time);
    CrawlPlan plan =
        CrawlPlan.of(
            new DomainPolicy(
                PolicySettings.DEFAULTS.with(PaceSettings.DEFAULTS.withMinimum(Duration.ZERO))),
            Scope.ofSeeds(List.of(), Grouping.BY_HOST).reaching(Scope.Reach.ANY),
            new CrawlLimits(100_000, 100_000, IN_FLIGHT, 1000, 0, Duration.ofSeconds(10)));
    return new Crawl(plan, new CrawlParts(store, web, reader, reader, listener, time));
  }

  @RepeatedTest(100)
  void every_page_is_answered_once_and_no_run_ends_before_the_last() throws Exception {
    store.add(
        List.of(QueuedUrl.seed(CrawlUrl.of("http://s0.example/0"), Optional.empty())),
        Instant.EPOCH);
    assertThat(crawl().run()).isEqualTo(new Crawl.End.Finished());
    assertThat(answered).hasSize(SITES * PAGES);
    assertThat(answered.values()).containsOnly(1);
    assertThat(wrong).hasValue(0);
    assertThat(claimed).isEmpty();
  }

  @RepeatedTest(20)
  void stopped_at_any_moment_it_goes_on_where_it_was() throws Exception {
    store.add(
        List.of(QueuedUrl.seed(CrawlUrl.of("http://s0.example/0"), Optional.empty())),
        Instant.EPOCH);
    Crawl.End end = new Crawl.End.Stopped();
    for (int pages = 1; end instanceof Crawl.End.Stopped; pages += 7) {
      enough = pages;
      Crawl crawl = crawl();
      running = Optional.of(crawl);
      end = crawl.run();
      assertThat(claimed).isEmpty();
    }
    assertThat(answered).hasSize(SITES * PAGES);
    assertThat(answered.values()).containsOnly(1);
    assertThat(wrong).hasValue(0);
  }
}
