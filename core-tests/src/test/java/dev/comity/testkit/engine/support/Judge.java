package dev.comity.testkit.engine.support;

import dev.comity.core.engine.Crawl;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.fetch.Fetcher;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Watches a history from both ends, what the engine says and what the sites see, and writes down
 * everything that must never happen.
 */
public final class Judge extends SiteJudge implements CrawlListener, Fetcher {
  private static final int CONCURRENCY = 5;
  private static final int MOST_HOPS = 5;

  /** Who may do anything at all. */
  final ClaimJudge claims = new ClaimJudge(broken);

  public final Set<CrawlUrl> done = new HashSet<>();

  private final Circumstances given;
  private final Set<DomainName> claimed = new HashSet<>();

  /** Their cooldown was over: where all had failed, what they were entered by is asked again. */
  private final Set<DomainName> recovered = new HashSet<>();

  private final Map<DomainName, Integer> pages = new HashMap<>();
  private final Map<DomainName, Integer> inFlight = new HashMap<>();
  private final Set<Authority> rulesHeard = new HashSet<>();
  private final Map<CrawlUrl, Integer> robotsAsked = new HashMap<>();
  private int allInFlight;
  private long allPages;
  private long allImages;
  private boolean outage;

  /** Whether this process had an outage of its own, and domains it wrote since that was over. */
  private boolean hadOutage;

  private final Set<DomainName> writtenSince = new HashSet<>();

  public Judge(
      VirtualTimeline time,
      PretendWeb web,
      RandomWeb sites,
      MemoryStore store,
      Circumstances given,
      DomainPolicy policy) {
    super(time, web, sites, store, policy, given.slowStore());
    this.given = given;
  }

  /** A process joins a run, or begins one. */
  public void runBegins(Run run) {
    rulesHeard.clear();
    outage = false;
    hadOutage = false;
    writtenSince.clear();
    if (!run.continued()) {
      pages.clear();
      lastEnding.clear();
      allPages = 0;
      allImages = 0;
    }
    check(run.images() == allImages, "images of the run", run + " but " + allImages);
    check(run.pages() == allPages, "pages of the run", run + " but " + allPages);
  }

  void granted(Claim claim) {
    claims.granted(claim, time.instant());
    check(claim.job().pages() == pages.getOrDefault(claim.domain(), 0), "pages of the job", claim);
    if (claim.takenOver()) {
      stolen.add(claim.domain());
    }
    if (claim.state().standing().recovering()) {
      recovered.add(claim.domain());
    }
  }

  /** The process is gone, and what it had heard and not written with it. */
  public void processDied() {
    stolen.addAll(claims.died());
    sources.processDied();
    claimed.clear();
  }

  /** What the sites see. */
  @Override
  public Fetched fetch(CrawlUrl url, Want want, Duration firstByte, Departure departure)
      throws InterruptedException {
    return fetch("", url, want, firstByte, departure);
  }

  @Override
  void isOver(CrawlUrl url) {
    inFlight.merge(url.domain(), -1, Integer::sum);
    allInFlight--;
  }

  @Override
  public String address(Authority authority) throws InterruptedException {
    return web.address(authority);
  }

  @Override
  public boolean reaches(Authority authority) throws InterruptedException {
    check(outage, "knocked though nothing was amiss", authority);
    return web.reaches(authority);
  }

  @Override
  void begins(String worker, CrawlUrl url, Want want, Duration delay) {
    DomainName domain = url.domain();
    int others = inFlight.merge(domain, 1, Integer::sum) - 1;
    allInFlight++;
    check(claimed.contains(domain), "asked without a claim", url);
    check(!done.contains(url), "asked again after an answer", url);
    check(!outage, "asked while our network was known to be down", url);
    check(others < CONCURRENCY, "too many in flight", url);
    check(allInFlight <= given.inFlight(), "too many in flight in all", allInFlight);
    if (want == Want.ROBOTS) {
      robotsAsked.merge(url, 1, Integer::sum);
    } else {
      check(
          rulesHeard.contains(url.authority()) || keepsRules(url.authority()),
          "asked before its robots.txt",
          url);
    }
    claims.starts(url, delay, time.instant());
    checkState(url, others);
  }

  /** Whether an earlier process read them and the store has them still. */
  private boolean keepsRules(Authority authority) {
    Instant yesterday = time.instant().minus(Duration.ofDays(1));
    return store.robots(authority).filter(copy -> copy.fetchedAt().isAfter(yesterday)).isPresent();
  }

  /**
   * The state in the store is what the worker goes by, unless the store is slow: then only what
   * holds for every domain is checked.
   */
  private void checkState(CrawlUrl url, int others) {
    Instant now = time.instant();
    DomainName domain = url.domain();
    DomainState state = store.state(domain).orElseThrow();
    if (!given.slowStore()) {
      // What our own outage caused is taken back in memory, and written with the next answer.
      boolean isTakenBack = hadOutage && !writtenSince.contains(domain);
      DomainState known = isTakenBack ? policy.takenBack(state, Instant.EPOCH) : state;
      check(others < policy.concurrency(known), "too many in flight in this state", url);
      check(state.standing().reason().isEmpty(), "asked though closed", url);
      check(!now.isBefore(state.slots().restUntil()), "asked while it rests", url);
    }
  }

  @Override
  void heard(CrawlUrl url, Want want, FetchOutcome outcome) {
    super.heard(url, want, outcome);
    boolean isAnswer =
        outcome instanceof FetchOutcome.Answer || outcome instanceof FetchOutcome.Forbidden;
    if (want == Want.ROBOTS && isAnswer) {
      rulesHeard.add(url.authority());
    }
  }

  @Override
  public void claimed(DomainName domain) {
    check(claimed.add(domain), "claimed twice at once", domain);
  }

  @Override
  public void started(DomainName domain, Attempt attempt) {
    events.add(attempt.startedAt() + " " + attempt.url());
  }

  @Override
  public void settled(DomainName domain, Settlement settlement) {
    CrawlUrl url = settlement.entry().url();
    Fate fate = settlement.fate();
    events.add(url + " " + fate);
    if (!outage) {
      writtenSince.add(domain);
    }
    check(claimed.contains(domain), "settled without a claim", url);
    check(settlement.entry().hops() <= MOST_HOPS, "too many hops", settlement.entry());
    settlement.found().forEach(this::seeded);
    if (settlement.isPage()) {
      countPage(domain);
    }
    if (settlement.isImage()) {
      allImages++;
      check(allImages <= given.maxImages(), "over the budget of images", allImages);
    }
    switch (fate) {
      case Fate.Done _ -> {
        check(done.add(url), "answered twice", url);
        finish(url);
      }
      case Fate.Failed _, Fate.Denied _, Fate.Suppressed _, Fate.Skipped _, Fate.Moved _ ->
          finish(url);
      case Fate.Retry _, Fate.Returned _ -> {}
    }
  }

  private void finish(CrawlUrl url) {
    check(finished.add(url) || recovered.contains(url.domain()), "finished twice", url);
  }

  private void countPage(DomainName domain) {
    check(++allPages <= given.maxPages(), "over the run's budget", allPages);
    int own = pages.merge(domain, 1, Integer::sum);
    check(own <= PAGES_PER_DOMAIN, "over its budget", domain);
  }

  @Override
  public void outage(boolean ours) {
    check(outage != ours, "told twice of an outage", ours);
    check(
        !ours || !given.up().equals(given.down()),
        "took theirs for our own outage",
        time.instant());
    outage = ours;
    hadOutage = true;
    writtenSince.clear();
  }

  @Override
  public void ended(DomainName domain, Ending ending) {
    events.add(domain + " " + ending);
    check(claimed.remove(domain), "ended without a claim", domain);
    remember(domain, ending);
    if (ending instanceof Ending.DomainOutOfBudget) {
      check(pages.getOrDefault(domain, 0) == PAGES_PER_DOMAIN, "budget not spent", domain);
    }
    check(
        !(ending instanceof Ending.Lost) || stolen.contains(domain) || given.cutOff(),
        "not lost",
        domain);
  }

  /** A run is over, however it ended. */
  public void runEnds() {
    check(claimed.isEmpty(), "claims left", claimed);
    check(allInFlight == 0, "left in flight", allInFlight);
  }

  /** The last run was left to end by itself. */
  public void historyEnds(Crawl.End end) {
    switch (end) {
      case Crawl.End.Finished _ -> {
        nothingIsLeftBehind();
        wellBehavedSitesAreDone();
      }
      case Crawl.End.Parked(var until) -> {
        check(until.isAfter(time.instant()), "parked until", until);
        wellBehavedSitesAreDone();
      }
      case Crawl.End.OutOfBudget _ ->
          check(allPages == given.maxPages(), "the run's budget is not spent", allPages);
      case Crawl.End.OutOfImages _ -> {
        boolean spent = given.maxImages() > 0 && allImages == given.maxImages();
        check(spent, "the run's images are not spent", allImages);
        wellBehavedSitesAreDone();
      }
      case Crawl.End.OutOfTime _ -> check(false, "nobody gave it a time", time.instant());
      case Crawl.End.AllPaused _ -> check(false, "the operator paused nothing", time.instant());
      case Crawl.End.Stopped _ -> check(false, "nobody told it to stop", time.instant());
    }
  }

  /** Their seed at least has an answer: nothing was lost by stopping in the middle. */
  private void wellBehavedSitesAreDone() {
    // A run whose pages are spent may be parked for its images.
    if (!given.isHarmless() || allPages == given.maxPages()) {
      return;
    }
    for (String host : sites.wellBehaved) {
      CrawlUrl first = CrawlUrl.of(host + "/0");
      boolean spent = isSpent(first);
      check(done.contains(first) || spent, "not answered", first);
      boolean listed = web.asked().contains(host + "/map");
      check(
          !listed || spent || done.contains(CrawlUrl.of(host + "/listed")),
          "listed and lost",
          host);
      if (!stolen.contains(first.domain()) && given.up().equals(given.down())) {
        int asked = robotsAsked.getOrDefault(first.authority().robotsTxt(), 0);
        check(asked == 1 || asked == 2, "robots.txt asked " + asked + " times", host);
      }
    }
  }
}
