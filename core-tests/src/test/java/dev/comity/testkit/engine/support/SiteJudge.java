package dev.comity.testkit.engine.support;

import dev.comity.core.memory.MemoryStore;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.port.fetch.Fetcher;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What must hold in every history, of one worker or of several. Requests keep their distance, no
 * site is asked while it wants to be left alone, nothing that is denied is asked, and no URL is
 * lost.
 */
abstract class SiteJudge {
  public static final int PAGES_PER_DOMAIN = 6;

  /** What happened, so that two histories can be compared. */
  public final List<String> events = new ArrayList<>();

  /** What must never happen and did. */
  public final List<String> broken = new ArrayList<>();

  /** Domains with a claim that was not released: what its holder had heard is lost with it. */
  final Set<DomainName> stolen = new HashSet<>();

  final VirtualTimeline time;
  final PretendWeb web;
  final RandomWeb sites;
  final MemoryStore store;
  final DomainPolicy policy;

  /** Whether calls of the store take time, so that its state is not what a worker goes by. */
  private final boolean slowStore;

  final Map<DomainName, Ending> lastEnding = new HashMap<>();
  final Set<CrawlUrl> finished = new HashSet<>();
  private final Set<CrawlUrl> known = new HashSet<>();
  private final Map<DomainName, Instant> lastStart = new HashMap<>();
  private final Map<DomainName, Instant> leftAloneUntil = new HashMap<>();
  public final SourceJudge sources = new SourceJudge(this::check);

  SiteJudge(
      VirtualTimeline time,
      PretendWeb web,
      RandomWeb sites,
      MemoryStore store,
      DomainPolicy policy,
      boolean slowStore) {
    this.time = time;
    this.web = web;
    this.sites = sites;
    this.store = store;
    this.policy = policy;
    this.slowStore = slowStore;
  }

  final void check(boolean holds, String rule, Object about) {
    if (!holds) {
      broken.add(time.instant() + " " + rule + ": " + about);
    }
  }

  /** This URL is in a frontier. */
  public final void seeded(QueuedUrl entry) {
    known.add(entry.url());
  }

  /** A request of this worker is allowed to leave, with this delay to the one before. */
  abstract void begins(String worker, CrawlUrl url, Fetcher.Want want, Duration delay);

  /** A request that was allowed to leave is over. */
  void isOver(CrawlUrl url) {}

  /** A worker hears the outcome of a request. */
  void heard(CrawlUrl url, Fetcher.Want want, FetchOutcome outcome) {
    if (outcome instanceof FetchOutcome.RateLimited(_, var wait)) {
      wait.ifPresent(
          rest ->
              leftAloneUntil.merge(
                  url.domain(),
                  time.instant().plus(rest),
                  (one, other) -> one.isAfter(other) ? one : other));
    }
  }

  /** Sends a request of this worker, and watches when it starts and when it leaves. */
  final Fetched fetch(
      String worker,
      CrawlUrl url,
      Fetcher.Want want,
      Duration firstByte,
      Fetcher.Departure departure)
      throws InterruptedException {
    Watched watched = new Watched(worker, url, want, departure);
    try {
      Fetched fetched = web.fetch(url, want, firstByte, watched);
      heard(url, want, fetched.outcome());
      return fetched;
    } finally {
      if (watched.starts) {
        isOver(url);
      }
    }
  }

  /** One request on its way. */
  private final class Watched implements Fetcher.Departure {
    private final String worker;
    private final CrawlUrl url;
    private final Fetcher.Want want;
    private final Fetcher.Departure departure;
    private boolean starts;
    private Duration delay = Duration.ZERO;
    private Instant letGo = Instant.MIN;

    private Watched(String worker, CrawlUrl url, Fetcher.Want want, Fetcher.Departure departure) {
      this.worker = worker;
      this.url = url;
      this.want = want;
      this.departure = departure;
    }

    @Override
    public boolean start() {
      starts = departure.start();
      if (starts) {
        letGo = time.instant();
        delay = delay(url.domain());
        begins(worker, url, want, delay);
        sources.turn(url, want, letGo);
        mayAsk(url, want);
      }
      return starts;
    }

    @Override
    public void started() {
      leaves(url, letGo, delay);
      sources.leaves(url, want, time.instant());
      departure.started();
    }

    @Override
    public void reserve(long length) throws InterruptedException {
      departure.reserve(length);
    }
  }

  private void mayAsk(CrawlUrl url, Fetcher.Want want) {
    check(
        want == Fetcher.Want.ROBOTS || sites.denied.stream().noneMatch(url.toString()::startsWith),
        "denied and asked",
        url);
    if (!stolen.contains(url.domain())) {
      Instant until = leftAloneUntil.getOrDefault(url.domain(), Instant.MIN);
      check(!time.instant().isBefore(until), "told to stay away until " + until, url);
    }
  }

  /** What a site may expect of the next request, when it was allowed to leave. */
  Duration delay(DomainName domain) {
    return slowStore
        ? Duration.ofSeconds(1)
        : policy.pace(store.state(domain).orElseThrow()).effective();
  }

  /** The site sees the first byte, which may be some time after it was allowed to leave. */
  private void leaves(CrawlUrl url, Instant letGo, Duration delay) {
    Instant now = time.instant();
    // Held up for so long that its claim is another worker's, it cannot be called back. The other
    // worker does not see it, either.
    if (now.isAfter(letGo) && stolen.contains(url.domain())) {
      return;
    }
    Instant before = lastStart.put(url.domain(), now);
    check(before == null || !now.isBefore(before.plus(delay)), "too soon after " + before, url);
  }

  /** Every URL that was ever found is finished, unless its domain gave a reason why not. */
  final void nothingIsLeftBehind() {
    for (CrawlUrl url : known) {
      boolean exhausted = lastEnding.get(url.domain()) instanceof Ending.Exhausted;
      check(!exhausted || finished.contains(url), "lost", url);
    }
    check(store.claim(1, time.instant()).isEmpty(), "finished with work left", store);
  }

  /** A domain that has had its pages stays so, even if it is claimed again for its images. */
  final void remember(DomainName domain, Ending ending) {
    if (!(ending instanceof Ending.Borrowed)
        && !(lastEnding.get(domain) instanceof Ending.DomainOutOfBudget)) {
      lastEnding.put(domain, ending);
    }
  }

  /** Whether a domain has had its pages of the run. */
  final boolean isSpent(CrawlUrl url) {
    return lastEnding.get(url.domain()) instanceof Ending.DomainOutOfBudget;
  }
}
