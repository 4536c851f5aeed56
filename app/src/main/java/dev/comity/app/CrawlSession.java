package dev.comity.app;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.CrawlParts;
import dev.comity.core.engine.CrawlPlan;
import dev.comity.core.engine.SystemTimeline;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.PaceSettings;
import dev.comity.core.policy.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.CrawlStore;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.port.Timeline;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Scope;
import dev.comity.core.url.Seed;
import dev.comity.web.FetchSettings;
import dev.comity.web.OkHttpFetcher;
import dev.comity.web.UserAgent;
import dev.comity.web.address.AddressGuard;
import dev.comity.web.html.JsoupLinks;
import dev.comity.web.robots.RobotsTxt;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One crawl as a command runs it: the parts put together, a person watching, Ctrl-C understood. */
final class CrawlSession implements AutoCloseable {
  private static final int MAX_IN_FLIGHT = 256;
  private static final int MAX_CLAIMS = 1000;
  private static final Duration LONG_WAIT = Duration.ofMinutes(10);
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Settings settings;
  private final List<Seed> seeds;
  private final AddressGuard guard;
  private final Timeline time = new SystemTimeline();
  private final Tally tally = new Tally();
  private final CountDownLatch over = new CountDownLatch(1);

  CrawlSession(Settings settings, List<Seed> seeds, AddressGuard guard) {
    this.settings = settings;
    this.seeds = seeds;
    this.guard = guard;
  }

  Tally tally() {
    return tally;
  }

  /**
   * Crawls to the end, or until the process is told to end; either way everything is closed in
   * order.
   */
  Crawl.End run(Screen screen, List<CrawlListener> listeners) throws InterruptedException {
    Scope scope = scope();
    CrawlStore store = new MemoryStore(scope.grouping()::domainOf);
    store.add(
        seeds.stream().map(seed -> QueuedUrl.seed(seed.url(), seed.fallback())).toList(),
        time.instant());
    UserAgent userAgent = new UserAgent(Version.number(), settings.contact());
    try (OkHttpFetcher fetcher = new OkHttpFetcher(FetchSettings.DEFAULT, userAgent, guard, time);
        LiveLine _ = new LiveLine(screen, tally, time)) {
      Listeners all = new Listeners(listeners);
      CrawlParts parts =
          new CrawlParts(
              store,
              fetcher,
              new RobotsTxt(UserAgent.TOKEN),
              new JsoupLinks(UserAgent.TOKEN),
              all,
              time);
      return runUntilToldToEnd(new Crawl(plan(scope), parts));
    }
  }

  /**
   * The JVM runs hooks when it is told to end, and ends when they return: the hook stops the crawl
   * and stays until the command has said its last words and closed the session.
   */
  private Crawl.End runUntilToldToEnd(Crawl crawl) throws InterruptedException {
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
      // Told to end before it began.
      crawl.stop();
    }
    return crawl.run();
  }

  private void awaitClosed() {
    try {
      // Longer than a stop takes; a process that hangs all the same is not to hang for ever.
      boolean closed = over.await(GRACE.plusSeconds(5).toSeconds(), TimeUnit.SECONDS);
      if (!closed) {
        Runtime.getRuntime().halt(Exit.FAILED);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets a process that was told to end do so. */
  @Override
  public void close() {
    over.countDown();
  }

  private Scope scope() {
    return Scope.ofSeeds(seeds.stream().map(Seed::url).toList(), Grouping.BY_HOST)
        .reaching(settings.scope())
        .including(settings.include())
        .excluding(settings.exclude())
        .toDepth(settings.maxDepth());
  }

  private CrawlPlan plan(Scope scope) {
    return new CrawlPlan(
        new DomainPolicy(
            PolicySettings.DEFAULTS.with(
                PaceSettings.DEFAULTS.withMinimum(settings.minimumInterval()))),
        scope,
        settings.maxPages(),
        settings.maxPages(),
        MAX_IN_FLIGHT,
        MAX_CLAIMS,
        LONG_WAIT,
        GRACE);
  }
}
