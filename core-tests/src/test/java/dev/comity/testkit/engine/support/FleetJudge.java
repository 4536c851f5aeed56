package dev.comity.testkit.engine.support;

import dev.comity.core.memory.MemoryStore;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.fetch.Fetcher;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Operations.LiveClaim;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.Delays;
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
 * Watches several workers on one store, from the store and from the sites. It writes down whatever
 * must never happen: two holders of one domain, requests too close, a URL lost or settled twice, a
 * budget exceeded.
 */
public final class FleetJudge {
  public static final int PAGES_PER_DOMAIN = 6;

  /** What must never happen and did. */
  public final List<String> broken = new ArrayList<>();

  /** What happened, so that two histories can be compared. */
  public final List<String> events = new ArrayList<>();

  private final VirtualTimeline time;
  private final PretendWeb web;
  private final RandomWeb sites;
  private final MemoryStore memory;
  private final FleetCircumstances given;
  private final DomainPolicy policy;
  private final Map<DomainName, Holding> held = new HashMap<>();
  private final Map<DomainName, Long> newest = new HashMap<>();
  private final Map<DomainName, String> lastWorker = new HashMap<>();
  private final Map<DomainName, Instant> waitsFrom = new HashMap<>();
  private final Map<DomainName, Instant> lastStart = new HashMap<>();
  private final Map<DomainName, Instant> leftAloneUntil = new HashMap<>();
  private final Map<DomainName, Ending> lastEnding = new HashMap<>();

  /** Domains with a claim that was not released: what its holder had heard is lost with it. */
  private final Set<DomainName> forgetful = new HashSet<>();

  private final Set<CrawlUrl> known = new HashSet<>();
  private final Set<CrawlUrl> finished = new HashSet<>();
  private final Map<DomainName, Set<CrawlUrl>> pages = new HashMap<>();
  private int answered;

  private record Holding(String worker, long token, Instant leaseEnds) {}

  public FleetJudge(
      VirtualTimeline time,
      PretendWeb web,
      RandomWeb sites,
      MemoryStore memory,
      FleetCircumstances given,
      DomainPolicy policy) {
    this.time = time;
    this.web = web;
    this.sites = sites;
    this.memory = memory;
    this.given = given;
    this.policy = policy;
  }

  private void check(boolean holds, String rule, Object about) {
    if (!holds) {
      broken.add(time.instant() + " " + rule + ": " + about);
    }
  }

  public int answered() {
    return answered;
  }

  public void seeded(CrawlUrl url) {
    known.add(url);
  }

  /** A worker joins the run, or begins one, since the last was over. */
  void runBegins(Run run) {
    if (!run.continued()) {
      pages.clear();
      lastEnding.clear();
    }
    check(run.pages() == settledPages(), "pages of the run", run + " but " + settledPages());
  }

  private long settledPages() {
    return pages.values().stream().mapToLong(Set::size).sum();
  }

  void granted(String worker, Claim claim) {
    DomainName domain = claim.domain();
    Instant now = time.instant();
    Holding before = held.put(domain, new Holding(worker, claim.token(), ends()));
    check(claim.token() > newest.getOrDefault(domain, 0L), "a token that did not grow", claim);
    check(
        before == null || !now.isBefore(before.leaseEnds()), "held by two", worker + " " + before);
    newest.put(domain, claim.token());
    String last = lastWorker.put(domain, worker);
    boolean another = last != null && !last.equals(worker);
    check(claim.takenOver() == (before != null || another), "taken over or not", claim);
    if (before != null) {
      forgetful.add(domain);
    }
    if (claim.takenOver()) {
      waitsFrom.put(domain, now);
    }
  }

  private Instant ends() {
    return time.instant().plus(given.lease());
  }

  void renewed(String worker, Claim claim) {
    check(holds(worker, claim), "renewed under an old claim", claim);
    held.put(claim.domain(), new Holding(worker, claim.token(), ends()));
  }

  /** An operator has ended these claims. */
  void ended(List<LiveClaim> claims) {
    for (LiveClaim claim : claims) {
      events.add(time.instant() + " ended " + claim.domain());
      held.computeIfPresent(
          claim.domain(),
          (_, holding) -> new Holding(holding.worker(), holding.token(), time.instant()));
    }
  }

  private boolean holds(String worker, Claim claim) {
    Holding holding = held.get(claim.domain());
    return holding != null && holding.worker().equals(worker) && holding.token() == claim.token();
  }

  /** The store took something from this worker. */
  void wrote(String worker, Claim claim) {
    check(holds(worker, claim), "written under an old claim", worker + " " + claim);
  }

  void released(String worker, Claim claim, Ending ending) {
    wrote(worker, claim);
    held.remove(claim.domain());
    if (!(ending instanceof Ending.Borrowed)) {
      lastEnding.put(claim.domain(), ending);
    }
  }

  void settled(String worker, Claim claim, Settlement settlement) {
    wrote(worker, claim);
    CrawlUrl url = settlement.entry().url();
    events.add(worker + " " + url + " " + settlement.fate());
    settlement.found().forEach(found -> known.add(found.url()));
    if (settlement.isPage()) {
      pages.computeIfAbsent(claim.domain(), _ -> new HashSet<>()).add(url);
      check(settledPages() <= given.maxPages(), "over the run's budget", settledPages());
    }
    if (!(settlement.fate() instanceof Fate.Retry || settlement.fate() instanceof Fate.Returned)) {
      finished.add(url);
    }
    answered += settlement.fate() instanceof Fate.Done ? 1 : 0;
  }

  /** What the sites see of one worker. */
  Fetcher seenFrom(String worker) {
    return new Fetcher() {
      @Override
      public Fetched fetch(CrawlUrl url, Want want, Duration firstByte, Departure departure)
          throws InterruptedException {
        Fetched fetched = web.fetch(url, want, firstByte, watched(worker, url, want, departure));
        if (fetched.outcome() instanceof FetchOutcome.RateLimited(_, var wait)) {
          wait.ifPresent(
              rest ->
                  leftAloneUntil.merge(
                      url.domain(),
                      time.instant().plus(rest),
                      (one, other) -> one.isAfter(other) ? one : other));
        }
        return fetched;
      }

      @Override
      public String address(Authority authority) throws InterruptedException {
        return web.address(authority);
      }

      @Override
      public boolean reaches(Authority authority) throws InterruptedException {
        return web.reaches(authority);
      }
    };
  }

  private Fetcher.Departure watched(
      String worker, CrawlUrl url, Fetcher.Want want, Fetcher.Departure departure) {
    return new Fetcher.Departure() {
      private Duration delay = Duration.ZERO;
      private Instant letGo = Instant.MIN;

      @Override
      public boolean start() {
        boolean starts = departure.start();
        if (starts) {
          letGo = time.instant();
          delay = delay(url.domain());
          begins(worker, url, delay);
          check(
              want == Fetcher.Want.ROBOTS
                  || sites.denied.stream().noneMatch(url.toString()::startsWith),
              "denied and asked",
              url);
        }
        return starts;
      }

      @Override
      public void started() {
        leaves(url, letGo, delay);
        departure.started();
      }

      @Override
      public void reserve(long length) throws InterruptedException {
        departure.reserve(length);
      }
    };
  }

  /** The state in the store is what a worker goes by, unless calls take time. */
  private Duration delay(DomainName domain) {
    Duration delay =
        given.slowStore()
            ? Duration.ofSeconds(1)
            : policy.pace(memory.state(domain).orElseThrow()).effective();
    return Delays.longer(delay, terms(domain).minimum().orElse(Duration.ZERO));
  }

  private OperatorTerms terms(DomainName domain) {
    return memory.operations().terms(domain).orElse(OperatorTerms.NONE);
  }

  private void begins(String worker, CrawlUrl url, Duration delay) {
    DomainName domain = url.domain();
    Instant now = time.instant();
    events.add(now + " " + worker + " " + url);
    Holding holding = held.get(domain);
    check(
        holding != null && holding.worker().equals(worker) && now.isBefore(holding.leaseEnds()),
        "asked by a worker that does not hold it",
        worker + " " + url + " " + holding);
    check(!terms(domain).paused(), "asked while it is paused", worker + " " + url);
    Instant since = waitsFrom.remove(domain);
    check(
        since == null || !now.isBefore(since.plus(delay)),
        "too soon after another worker",
        worker + " " + url);
    if (!forgetful.contains(domain)) {
      Instant until = leftAloneUntil.getOrDefault(domain, Instant.MIN);
      check(!now.isBefore(until), "told to stay away until " + until, worker + " " + url);
    }
  }

  private void leaves(CrawlUrl url, Instant letGo, Duration delay) {
    Instant now = time.instant();
    Instant before = lastStart.put(url.domain(), now);
    // Held up for so long that its claim is another worker's, it cannot be called back.
    boolean outOfHand = now.isAfter(letGo) && forgetful.contains(url.domain());
    check(
        before == null || outOfHand || !now.isBefore(before.plus(delay)),
        "too soon after " + before,
        url);
  }

  /** A worker says that all is done: then no other may hold anything. */
  public void saysFinished(String worker) {
    Instant now = time.instant();
    held.forEach(
        (domain, holding) ->
            check(
                !now.isBefore(holding.leaseEnds()),
                "finished while it is held",
                worker + " " + domain + " " + holding));
  }

  /** The last worker has left by itself. */
  public void historyEnds(boolean isFinished, boolean isOutOfBudget, long countedPages) {
    long all = settledPages();
    check(countedPages == all, "pages counted", countedPages + " but settled " + all);
    check(all <= given.maxPages(), "over the run's budget", all);
    check(!isOutOfBudget || all == given.maxPages(), "the run's budget is not spent", all);
    pages.forEach(
        (domain, own) -> check(own.size() <= PAGES_PER_DOMAIN, "over its budget", domain));
    if (!isFinished) {
      return;
    }
    for (CrawlUrl url : known) {
      boolean exhausted = lastEnding.get(url.domain()) instanceof Ending.Exhausted;
      check(!exhausted || finished.contains(url), "lost", url);
    }
    for (String host : sites.wellBehaved) {
      CrawlUrl first = CrawlUrl.of(host + "/0");
      boolean spent = lastEnding.get(first.domain()) instanceof Ending.DomainOutOfBudget;
      check(finished.contains(first) || spent, "not answered", first);
    }
    check(memory.claim(1, time.instant()).isEmpty(), "finished with work left", "");
  }
}
