package dev.comity.testkit.engine.support;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.fetch.Fetcher;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.site.PretendWeb.Visit;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A crawl of simulated sites from their seeds, and what it settled. */
public abstract class SitesCrawled {
  protected static final Instant START = VirtualTimeline.START;
  protected static final Scope ANYWHERE =
      Scope.ofSeeds(List.of(), Grouping.BY_HOST).reaching(Scope.Reach.ANY);
  protected static final FetchOutcome REFUSED = new FetchOutcome.ConnectionFailed("refused");

  protected final VirtualTimeline time = new VirtualTimeline(42);
  protected final PretendWeb web = new PretendWeb(time);
  protected final MemoryStore store = new MemoryStore(CrawlUrl::domain, time);
  protected final List<Settlement> settled = new ArrayList<>();
  protected final List<Ending> endings = new ArrayList<>();
  protected final List<Boolean> outages = new ArrayList<>();
  protected long maxPages = 1000;
  protected long maxPagesPerDomain = 1000;

  protected final CrawlListener log =
      new CrawlListener() {
        @Override
        public void settled(DomainName domain, Settlement settlement) {
          settled.add(settlement);
        }

        @Override
        public void outage(boolean ours) {
          outages.add(ours);
        }

        @Override
        public void ended(DomainName domain, Ending ending) {
          endings.add(ending);
        }
      };

  protected static DomainPolicy policy(Duration minimum) {
    return new DomainPolicy(
        PolicySettings.DEFAULTS.with(PaceSettings.DEFAULTS.withMinimum(minimum)));
  }

  protected Crawl crawlOf(Fetcher fetcher) {
    CrawlPlan plan =
        CrawlPlan.of(
            policy(Duration.ofSeconds(1)),
            ANYWHERE.toDepth(19),
            new CrawlLimits(maxPages, maxPagesPerDomain, 256, 1000, 0, Duration.ofSeconds(10)));
    return new Crawl(plan, new CrawlParts(store, fetcher, web, web, log, time));
  }

  protected Crawl.End crawl(String... seeds) {
    for (String seed : seeds) {
      store.add(List.of(QueuedUrl.seed(CrawlUrl.of(seed), Optional.empty())), Instant.EPOCH);
    }
    return time.run(() -> crawlOf(web).run());
  }

  protected List<Duration> startsAfterBeginning() {
    return web.visits().stream().map(visit -> Duration.between(START, visit.startedAt())).toList();
  }

  protected static FetchOutcome redirect(String target) {
    return new FetchOutcome.Redirect(301, Optional.of(CrawlUrl.of(target)));
  }

  protected static List<Duration> gaps(List<Visit> visits) {
    List<Duration> gaps = new ArrayList<>();
    for (int i = 1; i < visits.size(); i++) {
      gaps.add(Duration.between(visits.get(i - 1).startedAt(), visits.get(i).startedAt()));
    }
    return gaps;
  }
}
