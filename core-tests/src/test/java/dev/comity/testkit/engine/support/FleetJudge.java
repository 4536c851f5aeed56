package dev.comity.testkit.engine.support;

import dev.comity.core.memory.MemoryStore;
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
public final class FleetJudge extends SiteJudge {
  private final FleetCircumstances given;
  private final Map<DomainName, Holding> held = new HashMap<>();
  private final Map<DomainName, Long> newest = new HashMap<>();
  private final Map<DomainName, String> lastWorker = new HashMap<>();
  private final Map<DomainName, Instant> waitsFrom = new HashMap<>();
  private final Map<DomainName, Set<CrawlUrl>> pages = new HashMap<>();
  private int answered;
  private final Set<CrawlUrl> images = new HashSet<>();

  private record Holding(String worker, long token, Instant leaseEnds) {}

  public FleetJudge(
      VirtualTimeline time,
      PretendWeb web,
      RandomWeb sites,
      MemoryStore store,
      FleetCircumstances given,
      DomainPolicy policy) {
    super(time, web, sites, store, policy, given.slowStore());
    this.given = given;
    sources.areOfFleet();
  }

  public int answered() {
    return answered;
  }

  /** A worker joins the run, or begins one, since the last was over. */
  void runBegins(Run run) {
    if (!run.continued()) {
      pages.clear();
      lastEnding.clear();
      images.clear();
    }
    check(run.images() == images.size(), "images of the run", run + " but " + images.size());
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
      stolen.add(domain);
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
    remember(claim.domain(), ending);
  }

  void settled(String worker, Claim claim, Settlement settlement) {
    wrote(worker, claim);
    CrawlUrl url = settlement.entry().url();
    events.add(worker + " " + url + " " + settlement.fate());
    settlement.found().forEach(this::seeded);
    if (settlement.isPage()) {
      pages.computeIfAbsent(claim.domain(), _ -> new HashSet<>()).add(url);
      check(settledPages() <= given.maxPages(), "over the run's budget", settledPages());
    }
    if (settlement.isImage()) {
      images.add(url);
      check(images.size() <= given.maxImages(), "over the budget of images", images.size());
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
        return FleetJudge.this.fetch(worker, url, want, firstByte, departure);
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

  @Override
  Duration delay(DomainName domain) {
    return Delays.longer(super.delay(domain), terms(domain).minimum().orElse(Duration.ZERO));
  }

  private OperatorTerms terms(DomainName domain) {
    return store.operations().terms(domain).orElse(OperatorTerms.NONE);
  }

  @Override
  void begins(String worker, CrawlUrl url, Fetcher.Want want, Duration delay) {
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
    nothingIsLeftBehind();
    for (String host : sites.wellBehaved) {
      CrawlUrl first = CrawlUrl.of(host + "/0");
      check(finished.contains(first) || isSpent(first), "not answered", first);
    }
  }
}
