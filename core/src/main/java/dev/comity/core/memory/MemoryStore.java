package dev.comity.core.memory;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.Census;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
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
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Domains, claims and frontiers in memory. */
public final class MemoryStore implements CrawlStore, Frontier {
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(5);

  private final Function<CrawlUrl, DomainName> naming;
  private final DomainPolicy policy;
  private final StoreLimits limits;
  private final Map<DomainName, DomainRow> rows = new LinkedHashMap<>();
  private final Map<String, Integer> subdomains = new HashMap<>();
  private final Map<Authority, RobotsCopy> robots = new HashMap<>();
  private final Map<Authority, SeedAddress> addresses = new HashMap<>();
  private final Map<String, Instant> sourceStarts = new HashMap<>();
  private Optional<RunTerms> terms = Optional.empty();

  /** Whether a process may go on with the run on the same terms. */
  private boolean open;

  private final Map<CrawlUrl, QueuedUrl> outside = new LinkedHashMap<>();
  private long run;
  private long pages;
  private long unkept;

  /** Other domains that seeds' redirects lead to, and those of them on which they ended. */
  private final Set<DomainName> movedTo = new HashSet<>();

  private final Set<DomainName> starts = new HashSet<>();
  private long granted;
  private boolean ordered;
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
  }

  /**
   * The same store, told to forget what politeness knew of domains that nobody used for an hour. A
   * crawl that keeps nothing would otherwise grow for as long as it runs.
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
    Set<DomainName> idle = new HashSet<>();
    rows.forEach(
        (name, row) -> {
          if (row.forgetIdle(policy, now)) {
            idle.add(name);
          }
        });
    robots.keySet().removeIf(authority -> idle.contains(naming.apply(authority.robotsTxt())));
  }

  /** Ends every claim, as a store does that finds those of a process that is gone. */
  public synchronized void endClaims() {
    rows.values().forEach(DomainRow::endClaim);
    // Whose turn it is, each process counts for itself.
    granted = 0;
  }

  /** Counts what there is to do. */
  public synchronized Census census() {
    Map<DomainStatus, Long> domains = new EnumMap<>(DomainStatus.class);
    long urls = 0;
    long spent = 0;
    for (DomainRow row : rows.values()) {
      domains.merge(row.state.standing().status(), 1L, Long::sum);
      urls += row.isOpenTo(run) ? row.urls.size() : 0;
      spent += row.isSpentBy(run) ? 1 : 0;
    }
    return new Census(urls, spent, domains);
  }

  /** When a holder stops of itself: a thirtieth before the lease ends. */
  static Instant stopBefore(Instant now, Duration lease) {
    return now.plus(lease).minus(lease.dividedBy(30));
  }

  @Override
  public synchronized Run begin(RunTerms wanted, Instant now) {
    boolean same = open && terms.equals(Optional.of(wanted));
    boolean goesOn = same || terms.filter(earlier -> widens(wanted, earlier)).isPresent();
    OptionalLong superseded = goesOn || !open ? OptionalLong.empty() : OptionalLong.of(run);
    if (!goesOn) {
      run++;
      pages = 0;
      unkept = 0;
      movedTo.clear();
      starts.clear();
    } else if (!same) {
      rows.values().forEach(row -> row.openAgain(run));
    }
    boolean further = goesOn && terms.filter(old -> wanted.reachFurther(old.scope())).isPresent();
    int reread = further ? askForLinks(wanted) : 0;
    terms = Optional.of(wanted);
    open = true;
    return new Run(run, goesOn, pages, unkept, starts, superseded).rereading(reread);
  }

  private int askForLinks(RunTerms wanted) {
    Set<DomainName> seeded = new HashSet<>();
    wanted.seeds().forEach(seed -> seeded.add(naming.apply(seed)));
    int known = 0;
    for (Map.Entry<DomainName, DomainRow> row : rows.entrySet()) {
      if (seeded.contains(row.getKey()) || row.getValue().isOf(run)) {
        known += row.getValue().askForLinks(policy);
      }
    }
    return known;
  }

  private static boolean widens(RunTerms wanted, RunTerms earlier) {
    return !wanted.equals(earlier)
        && Set.copyOf(wanted.seeds()).equals(Set.copyOf(earlier.seeds()))
        && wanted.widen(earlier.scope(), earlier.maxPages(), earlier.maxPagesPerDomain());
  }

  @Override
  public synchronized void end(RunEnding ending, Instant now) {
    open = !ending.ended();
  }

  @Override
  public synchronized void keepOutside(Claim claim, List<QueuedUrl> urls) {
    held(claim);
    for (QueuedUrl url : urls) {
      QueuedUrl kept = outside.get(url.url());
      boolean nearer = kept != null && url.depth() < kept.depth();
      // All domains together have as many as one may have unfinished: nothing here outlives us.
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
    return enter(urls, now).queued();
  }

  /** How many URLs were new, by whether they are asked. */
  private record Entered(int queued, int skipped) {}

  private Entered enter(List<QueuedUrl> urls, Instant now) {
    Set<DomainName> tooMany = beyondTheCap(urls);
    Set<DomainRow> fresh = new LinkedHashSet<>();
    int queued = 0;
    int skipped = 0;
    for (QueuedUrl url : urls) {
      DomainName name = naming.apply(url.url());
      if (tooMany.contains(name)) {
        continue;
      }
      DomainRow row = rows.get(name);
      if (row == null) {
        row = row(name);
        rows.put(name, row);
        fresh.add(row);
      }
      if (url.isSkipped()) {
        skipped += row.urls.skip(url.url()) ? 1 : 0;
      } else {
        queued += row.add(url, policy) ? 1 : 0;
      }
    }
    fresh.forEach(row -> row.recalculate(now));
    return new Entered(queued, skipped);
  }

  private DomainRow row(DomainName name) {
    DomainRow row = new DomainRow(name, limits.maxUnfinished());
    if (ordered) {
      row.stand(Long.MIN_VALUE);
    }
    return row;
  }

  /**
   * Sub-domains that only links lead to, of names that have enough of them. They are looked at in
   * the order of their names, so that it does not matter which link stood first.
   */
  private Set<DomainName> beyondTheCap(List<QueuedUrl> urls) {
    Map<DomainName, Boolean> named = new TreeMap<>(Comparator.comparing(DomainName::name));
    for (QueuedUrl url : urls) {
      DomainName name = naming.apply(url.url());
      if (!rows.containsKey(name)) {
        named.merge(name, url.isSeed(), Boolean::logicalOr);
      }
    }
    Set<DomainName> tooMany = new HashSet<>();
    named.forEach(
        (name, seed) -> {
          if (!enters(name, seed)) {
            tooMany.add(name);
          }
        });
    return tooMany;
  }

  /** Counts a domain that is not known yet, if there is room for it. */
  private boolean enters(DomainName name, boolean seed) {
    String owner = name.owner();
    if (name.name().equals(owner)) {
      return true;
    }
    boolean room = seed || subdomains.getOrDefault(owner, 0) < StoreLimits.MOST_SUBDOMAINS;
    if (room) {
      subdomains.merge(owner, 1, Integer::sum);
    }
    return room;
  }

  @Override
  public synchronized List<Claim> claim(int most, Instant now) {
    rows.values().forEach(row -> row.sweep(policy, now));
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
      claims.add(next.claim(run, limits.lease(), policy, now));
    }
    return claims;
  }

  @Override
  public synchronized Optional<Claim> borrow(DomainName domain, Instant now) {
    rows.values().forEach(row -> row.sweep(policy, now));
    if (!rows.containsKey(domain) && !enters(domain, false)) {
      return Optional.empty();
    }
    if (!rows.containsKey(domain)) {
      DomainRow fresh = row(domain);
      fresh.recalculate(now);
      rows.put(domain, fresh);
    }
    return Optional.ofNullable(rows.get(domain))
        .filter(DomainRow::isLent)
        .map(row -> row.claim(run, limits.lease(), policy, now));
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
    return rows.values().stream().filter(row -> row.isClaimable(run));
  }

  @Override
  public synchronized Renewal renew(Collection<Claim> claims, Instant now) {
    Set<DomainName> lost = new HashSet<>();
    for (Claim claim : claims) {
      DomainRow row = rows.get(claim.domain());
      if (row == null || !row.renew(claim.token(), limits.lease(), now)) {
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
    return held(claim).urls.next(now);
  }

  @Override
  public synchronized boolean isEmpty(Claim claim) {
    return held(claim).urls.isEmpty();
  }

  @Override
  public synchronized Written settle(Claim claim, Settlement settlement) {
    DomainRow row = held(claim);
    if (!row.settle(settlement)) {
      return Written.NOTHING;
    }
    if (!forgetful) {
      // One that forgets serves one crawl: no wider terms follow.
      row.keepRead(settlement);
    }
    pages += settlement.isPage() ? 1 : 0;
    unkept += settlement.isUnkept() ? 1 : 0;
    noteMove(claim.domain(), settlement);
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
    return written(settlement.found());
  }

  private void noteMove(DomainName domain, Settlement settlement) {
    if (settlement.entry().isStart() && settlement.location().isPresent()) {
      settlement.found().stream()
          .map(found -> naming.apply(found.url()))
          .filter(target -> !target.equals(domain))
          .forEach(movedTo::add);
    }
    if (settlement.endsMove() && movedTo.contains(domain)) {
      starts.add(domain);
    }
  }

  @Override
  public synchronized Written record(Claim claim, Note note) {
    DomainRow row = held(claim);
    row.state = note.state();
    row.remember(note.tallies());
    note.request().ifPresent(request -> row.started(request.attempt().startedAt()));
    note.robots().ifPresent(copy -> robots.put(copy.authority(), copy));
    return written(note.found());
  }

  private Written written(List<QueuedUrl> found) {
    Entered entered = enter(found, Instant.EPOCH);
    return new Written(entered.queued() > 0, entered.skipped());
  }

  @Override
  public synchronized void release(Claim claim, DomainState state, Ending ending, Instant now) {
    held(claim).release(state, ending, policy, now);
  }

  @Override
  public synchronized void takeBack(DomainName domain, UnaryOperator<DomainState> change) {
    DomainRow row = rows.get(domain);
    if (row != null) {
      row.takeBack(change);
    }
  }

  @Override
  public synchronized void recalculatePriorities(Instant now) {
    rows.values().forEach(row -> row.recalculate(now));
  }

  @Override
  public synchronized void rank(Map<DomainName, Long> ranks, Instant now) {
    ranks.forEach(
        (domain, rank) -> {
          DomainRow row = rows.get(domain);
          if (row != null) {
            row.rank(rank, now);
          }
        });
  }

  @Override
  public synchronized void order(List<DomainName> domains, Instant now) {
    ordered = true;
    rows.values().forEach(row -> row.stand(-domains.size()));
    for (int place = 0; place < domains.size(); place++) {
      DomainRow row = rows.get(domains.get(place));
      if (row != null) {
        row.stand(-place);
      }
    }
  }

  @Override
  public synchronized List<SeedAddress> keepAddresses(List<SeedAddress> seeds) {
    return seeds.stream()
        .filter(seed -> rows.containsKey(naming.apply(seed.authority().robotsTxt())))
        .map(seed -> addresses.merge(seed.authority(), seed, MemoryStore::kept))
        .toList();
  }

  private static SeedAddress kept(SeedAddress known, SeedAddress seed) {
    return new SeedAddress(known.authority(), known.kind(), known.named() || seed.named());
  }

  @Override
  public synchronized Optional<DomainState> state(DomainName domain) {
    return Optional.ofNullable(rows.get(domain)).map(row -> row.state);
  }

  @Override
  public synchronized List<TemplateStats> templates(DomainName domain) {
    DomainRow row = rows.get(domain);
    return row == null ? List.of() : List.copyOf(row.templates.values());
  }

  @Override
  public synchronized Optional<RobotsCopy> robots(Authority authority) {
    return Optional.ofNullable(robots.get(authority));
  }

  @Override
  public synchronized Optional<Instant> lastStart(DomainName domain) {
    return Optional.ofNullable(rows.get(domain))
        .map(row -> row.lastStart)
        .filter(at -> !at.equals(Instant.MIN));
  }

  @Override
  public synchronized Optional<Instant> lastStartOfSource(String source) {
    return Optional.ofNullable(sourceStarts.get(source));
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private DomainRow held(Claim claim) {
    DomainRow row = rows.get(claim.domain());
    if (row == null || !row.isHeldBy(claim.token())) {
      throw new ClaimLost(claim.domain(), claim.token());
    }
    return row;
  }
}
