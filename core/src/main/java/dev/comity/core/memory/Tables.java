package dev.comity.core.memory;

import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** What all handles on a store in memory share. Each locks it before use. */
final class Tables {
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(5);

  final Function<CrawlUrl, DomainName> naming;
  final DomainPolicy policy;
  final StoreLimits limits;
  private final InstantSource clock;
  final DomainTable domains;
  final CurrentRun run = new CurrentRun();
  final Map<Authority, RobotsCopy> robots = new HashMap<>();
  final Map<Authority, RobotsCopy> tdmRep = new HashMap<>();
  final Map<Authority, SeedAddress> addresses = new HashMap<>();
  final MemorySources sources = new MemorySources(this);
  final RecentRequests requests = new RecentRequests();
  final ImageTable images = new ImageTable();

  /** Links that depth or patterns leave out, kept for a wider scope. */
  private final Map<CrawlUrl, QueuedUrl> outside = new LinkedHashMap<>();

  /** Dates of pages, by domain: few stores have any, and rows are many. */
  private final Map<DomainName, DatedPages> dated = new HashMap<>();

  /** Whether pages get dates for later visits. */
  boolean dates;

  /** Whether idle domains are forgotten. */
  boolean forgetful;

  /** Whether an operator has ever changed anything: until then no terms need be looked for. */
  volatile boolean operated;

  private Instant nextSweep = Instant.MIN;

  Tables(
      Function<CrawlUrl, DomainName> naming,
      DomainPolicy policy,
      StoreLimits limits,
      InstantSource clock) {
    this.naming = naming;
    this.policy = policy;
    this.limits = limits;
    this.clock = clock;
    domains = new DomainTable(naming, policy, limits, sources);
  }

  /** The dates of a domain's pages. */
  DatedPages dated(DomainRow row) {
    return dated.computeIfAbsent(row.name, _ -> new DatedPages());
  }

  Instant now() {
    return clock.instant();
  }

  /** Ends expired leases and cooldowns. */
  void sweep() {
    Instant now = now();
    domains.all().forEach(row -> row.sweep(policy, now));
    if (forgetful && !now.isBefore(nextSweep)) {
      nextSweep = now.plus(SWEEP_EVERY);
      Set<DomainName> idle = domains.forgetIdle(now);
      robots.keySet().removeIf(authority -> idle.contains(naming.apply(authority.robotsTxt())));
      tdmRep.keySet().removeIf(authority -> idle.contains(naming.apply(authority.robotsTxt())));
    }
  }

  /** Keeps a copy of a robots.txt or tdmrep.json. */
  void keep(RobotsCopy copy) {
    (copy.kind() == Kind.TDMREP ? tdmRep : robots).put(copy.authority(), copy);
  }

  /** Ends expired leases. */
  void sweepClaims() {
    Instant now = now();
    domains.all().forEach(row -> row.endExpired(now));
  }

  /** How many domains are held. */
  int held() {
    return (int) domains.all().stream().filter(DomainRow::isHeld).count();
  }

  /** Whether another worker has a claim whose lease goes on. */
  boolean isHeldByOthers(String worker) {
    Instant now = now();
    return domains.all().stream()
        .flatMap(row -> row.live().stream())
        .anyMatch(claim -> !claim.worker().equals(worker) && now.isBefore(claim.expires()));
  }

  /** The workers that hold a domain. */
  Set<String> holders() {
    Set<String> holders = new HashSet<>();
    domains.all().forEach(row -> row.holder().ifPresent(holders::add));
    return holders;
  }

  void keepOutside(List<QueuedUrl> urls) {
    for (QueuedUrl url : urls) {
      QueuedUrl kept = outside.get(url.url());
      boolean nearer = kept != null && url.depth() < kept.depth();
      // All domains together have as many as one may have unfinished: memory is limited.
      if (nearer || (kept == null && outside.size() < limits.maxUnfinished())) {
        outside.put(url.url(), url);
      }
    }
  }

  List<QueuedUrl> takeOutside(Predicate<DomainName> about, Predicate<QueuedUrl> inScope) {
    List<QueuedUrl> taken =
        outside.values().stream()
            .filter(kept -> about.test(naming.apply(kept.url())) && inScope.test(kept))
            .toList();
    taken.forEach(kept -> outside.remove(kept.url()));
    return taken;
  }
}
