package dev.comity.core.memory;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.Census;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.port.store.Run;
import dev.comity.core.port.store.RunEnding;
import dev.comity.core.port.store.RunTerms;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.port.store.Written;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A store in memory: domains, claims, frontiers and runs. Thread-safe, by one lock. */
public final class MemoryStore implements CrawlStore, Frontier {
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(5);

  private final Function<CrawlUrl, DomainName> naming;
  private final DomainPolicy policy;
  private final StoreLimits limits;
  private final DomainTable domains;
  private final CurrentRun run = new CurrentRun();
  private final Map<Authority, RobotsCopy> robots = new HashMap<>();
  private final Map<Authority, SeedAddress> addresses = new HashMap<>();
  private final Map<String, Instant> sourceStarts = new HashMap<>();

  /** Links that depth or patterns leave out, kept for a wider scope. */
  private final Map<CrawlUrl, QueuedUrl> outside = new LinkedHashMap<>();

  /** How many claims were granted. */
  private long granted;

  private boolean forgetful;
  private Instant nextSweep = Instant.MIN;

  public MemoryStore(Function<CrawlUrl, DomainName> naming) {
    this(naming, new DomainPolicy(PolicySettings.DEFAULTS), StoreLimits.DEFAULTS);
  }

  public MemoryStore(
      Function<CrawlUrl, DomainName> naming, DomainPolicy policy, StoreLimits limits) {
    this.naming = naming;
    this.policy = policy;
    this.limits = limits;
    domains = new DomainTable(naming, policy, limits);
  }

  /**
   * The same store, which forgets what politeness knew of domains idle for an hour. A crawl that
   * keeps nothing would otherwise grow for as long as it runs.
   */
  public synchronized MemoryStore forgettingIdle() {
    forgetful = true;
    return this;
  }

  private void sweepIdle(Instant now) {
    if (!forgetful || now.isBefore(nextSweep)) {
      return;
    }
    nextSweep = now.plus(SWEEP_EVERY);
    Set<DomainName> idle = domains.forgetIdle(now);
    robots.keySet().removeIf(authority -> idle.contains(naming.apply(authority.robotsTxt())));
  }

  /** Ends every claim, as a store on disk does with the claims of a process that has died. */
  public synchronized void endClaims() {
    domains.all().forEach(DomainRow::endClaim);
    // Each process counts its own claims.
    granted = 0;
  }

  /** Counts what there is to do. */
  public synchronized Census census() {
    Map<DomainStatus, Long> byStatus = new EnumMap<>(DomainStatus.class);
    long urls = 0;
    long spent = 0;
    for (DomainRow row : domains.all()) {
      byStatus.merge(row.state.standing().status(), 1L, Long::sum);
      urls += row.isOpenTo(run.number()) ? row.urls.size() : 0;
      spent += row.isSpentBy(run.number()) ? 1 : 0;
    }
    return new Census(urls, spent, byStatus);
  }

  /** When a worker must stop by itself: a thirtieth before the lease ends. */
  static Instant stopBefore(Instant now, Duration lease) {
    return now.plus(lease).minus(lease.dividedBy(30));
  }

  @Override
  public synchronized Run begin(RunTerms wanted, Instant now) {
    return run.begin(wanted, domains);
  }

  @Override
  public synchronized void end(RunEnding ending, Instant now) {
    run.end(ending);
  }

  @Override
  public synchronized void keepOutside(Claim claim, List<QueuedUrl> urls) {
    domains.held(claim);
    for (QueuedUrl url : urls) {
      QueuedUrl kept = outside.get(url.url());
      boolean nearer = kept != null && url.depth() < kept.depth();
      // All domains together have as many as one may have unfinished: memory is limited.
      if (nearer || (kept == null && outside.size() < limits.maxUnfinished())) {
        outside.put(url.url(), url);
      }
    }
  }

  @Override
  public synchronized int takeOutside(
      Predicate<DomainName> about, Predicate<QueuedUrl> inScope, Instant now) {
    List<QueuedUrl> taken =
        outside.values().stream()
            .filter(kept -> about.test(naming.apply(kept.url())) && inScope.test(kept))
            .toList();
    taken.forEach(kept -> outside.remove(kept.url()));
    return add(taken, now);
  }

  @Override
  public synchronized int add(List<QueuedUrl> urls, Instant now) {
    return domains.enter(urls, now).queued();
  }

  @Override
  public synchronized List<Claim> claim(int most, Instant now) {
    domains.all().forEach(row -> row.sweep(policy, now));
    sweepIdle(now);
    List<DomainRow> candidates =
        new ArrayList<>(
            claimable()
                .filter(row -> !row.notBefore(now).isAfter(now))
                .sorted(DomainRow.ORDER)
                .toList());
    List<Claim> claims = new ArrayList<>();
    while (claims.size() < most && !candidates.isEmpty()) {
      DomainRow next =
          ++granted % StoreLimits.PENDING_EVERY == 0
              ? bestPending(candidates)
              : candidates.getFirst();
      candidates.remove(next);
      claims.add(next.claim(run.number(), limits.lease(), policy, now));
    }
    return claims;
  }

  @Override
  public synchronized Optional<Claim> borrow(DomainName domain, Instant now) {
    domains.all().forEach(row -> row.sweep(policy, now));
    return domains
        .findOrMake(domain, now)
        .filter(DomainRow::isLent)
        .map(row -> row.claim(run.number(), limits.lease(), policy, now));
  }

  private static DomainRow bestPending(List<DomainRow> candidates) {
    return candidates.stream()
        .filter(DomainRow::isPending)
        .findFirst()
        .orElseGet(candidates::getFirst);
  }

  @Override
  public synchronized Optional<Instant> nextClaimable(Instant now) {
    return claimable()
        .map(row -> row.notBefore(now))
        .filter(at -> at.isAfter(now))
        .min(Instant::compareTo);
  }

  private Stream<DomainRow> claimable() {
    return domains.all().stream().filter(row -> row.isClaimable(run.number()));
  }

  @Override
  public synchronized Renewal renew(Collection<Claim> claims, Instant now) {
    Set<DomainName> lost = new HashSet<>();
    for (Claim claim : claims) {
      Optional<DomainRow> row = domains.find(claim.domain());
      if (row.isEmpty() || !row.get().renew(claim.token(), limits.lease(), now)) {
        lost.add(claim.domain());
      }
    }
    return new Renewal(lost, stopBefore(now, limits.lease()));
  }

  @Override
  public Frontier frontier() {
    return this;
  }

  @Override
  public synchronized Next next(Claim claim, Instant now) {
    return domains.held(claim).urls.next(now);
  }

  @Override
  public synchronized boolean isEmpty(Claim claim) {
    return domains.held(claim).urls.isEmpty();
  }

  @Override
  public synchronized Written settle(Claim claim, List<Settlement> settlements) {
    DomainRow row = domains.held(claim);
    List<QueuedUrl> found = new ArrayList<>();
    for (Settlement settlement : settlements) {
      if (row.settle(settlement)) {
        settled(row, claim, settlement);
        found.addAll(settlement.found());
      }
    }
    return written(found);
  }

  private void settled(DomainRow row, Claim claim, Settlement settlement) {
    if (!forgetful) {
      // A store that forgets serves one crawl: no wider scope follows.
      row.keepRead(settlement);
    }
    run.settled(claim.domain(), settlement, movedTo(settlement));
    settlement
        .attempt()
        .ifPresent(
            attempt -> {
              row.started(attempt.startedAt());
              settlement
                  .entry()
                  .source()
                  .ifPresent(
                      name -> sourceStarts.merge(name, attempt.startedAt(), MemoryStore::later));
            });
  }

  /** The domains that a seed's redirect leads to. */
  private List<DomainName> movedTo(Settlement settlement) {
    return settlement.entry().isStart() && settlement.location().isPresent()
        ? settlement.found().stream().map(found -> naming.apply(found.url())).toList()
        : List.of();
  }

  @Override
  public synchronized Written record(Claim claim, Note note) {
    DomainRow row = domains.held(claim);
    row.state = note.state();
    row.remember(note.tallies());
    note.request().ifPresent(request -> row.started(request.attempt().startedAt()));
    note.robots().ifPresent(copy -> robots.put(copy.authority(), copy));
    return written(note.found());
  }

  private Written written(List<QueuedUrl> found) {
    DomainTable.Entered entered = domains.enter(found, Instant.EPOCH);
    return new Written(entered.queued() > 0, entered.skipped());
  }

  @Override
  public synchronized void release(Claim claim, DomainState state, Ending ending, Instant now) {
    domains.held(claim).release(state, ending, policy, now);
  }

  @Override
  public synchronized void takeBack(DomainName domain, UnaryOperator<DomainState> change) {
    domains.find(domain).ifPresent(row -> row.takeBack(change));
  }

  @Override
  public synchronized void recalculatePriorities(Instant now) {
    domains.all().forEach(row -> row.recalculate(now));
  }

  @Override
  public synchronized void rank(Map<DomainName, Long> ranks, Instant now) {
    ranks.forEach((domain, rank) -> domains.find(domain).ifPresent(row -> row.rank(rank, now)));
  }

  @Override
  public synchronized void order(List<DomainName> inOrder, Instant now) {
    domains.order(inOrder);
  }

  @Override
  public synchronized List<SeedAddress> keepAddresses(List<SeedAddress> seeds) {
    return seeds.stream()
        .filter(seed -> domains.has(naming.apply(seed.authority().robotsTxt())))
        .map(seed -> addresses.merge(seed.authority(), seed, MemoryStore::kept))
        .toList();
  }

  private static SeedAddress kept(SeedAddress known, SeedAddress seed) {
    return new SeedAddress(known.authority(), known.kind(), known.named() || seed.named());
  }

  @Override
  public synchronized Optional<DomainState> state(DomainName domain) {
    return domains.find(domain).map(row -> row.state);
  }

  @Override
  public synchronized List<TemplateStats> templates(DomainName domain) {
    return domains.find(domain).map(row -> List.copyOf(row.templates.values())).orElseGet(List::of);
  }

  @Override
  public synchronized Optional<RobotsCopy> robots(Authority authority) {
    return Optional.ofNullable(robots.get(authority));
  }

  @Override
  public synchronized Optional<Instant> lastStart(DomainName domain) {
    return domains.find(domain).map(row -> row.lastStart).filter(at -> !at.equals(Instant.MIN));
  }

  @Override
  public synchronized Optional<Instant> lastStartOfSource(String source) {
    return Optional.ofNullable(sourceStarts.get(source));
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
