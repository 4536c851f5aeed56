package dev.comity.store.support;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.doctor.Doctor;
import dev.comity.store.doctor.Finding;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Crawls one after the other on one data directory, as processes would be: each opens it, works on
 * a run, and leaves. Time goes on from one to the next.
 */
public final class Lives implements CrawlListener {
  public final VirtualTimeline time = new VirtualTimeline(7);
  public final PretendWeb web = new PretendWeb(time);
  private final DomainPolicy policy = new DomainPolicy(PolicySettings.DEFAULTS);
  public DataDirectory directory;
  public long maxPages = 10_000;
  public long maxPagesPerDomain = 1000;
  public int maxClaims = 1000;
  public List<String> again = List.of();
  private Happening happening = (_, _, _) -> {};
  private Optional<Life> life = Optional.empty();

  /** What goes on while a crawl lives. */
  public record Life(SqliteStore store, Crawl crawl, Run run) {}

  /** Something that happens when a page is settled or, with no page, when a domain is left. */
  public interface Happening {
    void when(Life life, DomainName domain, Optional<Settlement> page);
  }

  public Lives(Path directory) {
    this.directory = ReadyTables.in(directory);
  }

  public Lives when(Happening other) {
    happening = other;
    return this;
  }

  public SqliteStore open() {
    return SqliteStore.open(directory, StoreSettings.of(policy, Grouping.BY_HOST, time));
  }

  /** One process from start to end. */
  public Crawl.End crawl(String... seeds) {
    List<CrawlUrl> urls = Arrays.stream(seeds).map(CrawlUrl::of).toList();
    try (SqliteStore store = open()) {
      return time.run(() -> crawl(store, urls));
    }
  }

  private Crawl.End crawl(SqliteStore store, List<CrawlUrl> seeds) throws InterruptedException {
    Run run =
        store.begin(
            new RunTerms(seeds, new TreeMap<>(), maxPages, maxPagesPerDomain), time.instant());
    store.confine(seeds.stream().map(CrawlUrl::domain).toList());
    store.add(
        seeds.stream().map(url -> QueuedUrl.seed(url, Optional.empty())).toList(), time.instant());
    store.again(again.stream().map(DomainName::new).toList(), false, time.instant());
    Scope scope = Scope.ofSeeds(seeds, Grouping.BY_HOST);
    CrawlPlan plan =
        CrawlPlan.of(
            policy,
            scope,
            new CrawlLimits(maxPages, maxPagesPerDomain, 256, maxClaims, 0, Duration.ofMinutes(5)));
    Crawl crawl = new Crawl(plan, new CrawlParts(store, web, web, web, this, time), run);
    life = Optional.of(new Life(store, crawl, run));
    Crawl.End end = crawl.run();
    store.end(
        switch (end) {
          case Crawl.End.Finished _ -> RunEnding.FINISHED;
          case Crawl.End.OutOfBudget _ -> RunEnding.OUT_OF_BUDGET;
          case Crawl.End.OutOfImages _ -> RunEnding.OUT_OF_IMAGES;
          case Crawl.End.Parked _ -> RunEnding.PARKED;
          case Crawl.End.AllPaused _ -> RunEnding.PAUSED;
          case Crawl.End.OutOfTime _ -> RunEnding.OUT_OF_TIME;
          case Crawl.End.Stopped _ -> RunEnding.STOPPED;
        },
        time.instant());
    return end;
  }

  @Override
  public void settled(DomainName domain, Settlement settlement) {
    if (settlement.fate().isPage()) {
      happening.when(life.orElseThrow(), domain, Optional.of(settlement));
    }
  }

  @Override
  public void ended(DomainName domain, Ending ending) {
    happening.when(life.orElseThrow(), domain, Optional.empty());
  }

  /** What a process that is killed now leaves to the next: its files as they are. */
  public DataDirectory asAKillWouldLeaveIt(Path copy) {
    try {
      Files.createDirectories(copy);
      for (String name : List.of("comity.db", "comity.db-wal")) {
        Files.copy(directory.path().resolve(name), copy.resolve(name));
      }
      return new DataDirectory(copy);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  public Run lastRun() {
    return life.orElseThrow().run();
  }

  public Standing standing(String domain) {
    try (SqliteStore store = open()) {
      return store.state(new DomainName(domain)).orElseThrow().standing();
    }
  }

  /** The pages asked for since then, robots.txt left out. */
  public List<String> askedSince(int visits) {
    return web.asked().stream().skip(visits).filter(url -> !url.endsWith("/robots.txt")).toList();
  }

  public int visits() {
    return web.visits().size();
  }

  /** When a domain's requests started. */
  public List<Instant> starts(String host) {
    return web.visits().stream()
        .filter(visit -> visit.url().host().equals(host))
        .map(PretendWeb.Visit::startedAt)
        .toList();
  }

  /** What the doctor finds wrong. */
  public List<Finding> wrong() {
    List<Finding> wrong = new ArrayList<>();
    new Doctor(directory).examine(check -> wrong.addAll(check.findings()));
    return wrong;
  }

  /** A site whose home links to so many pages. */
  public void site(String host, int pages) {
    PretendWeb.Site site = web.site("http://" + host);
    String[] links = new String[pages - 1];
    for (int page = 1; page < pages; page++) {
      links[page - 1] = "/" + page;
      site.page("/" + page);
    }
    site.page("/", links);
  }
}
