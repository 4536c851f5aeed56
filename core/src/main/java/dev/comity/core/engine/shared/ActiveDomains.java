package dev.comity.core.engine.shared;

import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.BoundedMap;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The registry of active domains: the worker of each claim, and each domain's share of the run. A
 * share outlives its worker while the domain's next worker waits for the seat. Thread-safe.
 */
public final class ActiveDomains {
  /** An outage of our own is noticed within seconds; no crawl leaves more domains in that time. */
  private static final int MOST_RELEASED = 10_000;

  private final CrawlPlan plan;
  private final RunBudget budget;
  private final Map<DomainName, ActiveWorker> active = new LinkedHashMap<>();
  private final Map<DomainName, Job> jobs = new HashMap<>();

  /** The tokens of the claims that were released last. */
  private final BoundedMap<DomainName, Long> released = BoundedMap.byPut(MOST_RELEASED);

  ActiveDomains(CrawlPlan plan, RunBudget budget) {
    this.plan = plan;
    this.budget = budget;
  }

  /** Adds the worker of a claim, made with the domain's share of the run. */
  public synchronized <W extends ActiveWorker> W enter(Claim claim, Function<Job, W> made) {
    DomainName domain = claim.domain();
    Job job =
        jobs.computeIfAbsent(
            domain, _ -> new Job(budget, plan.maxPagesOf(domain, claim.terms()), claim.job()));
    W worker = made.apply(job);
    active.put(domain, worker);
    return worker;
  }

  /** The worker has released its claim; the domain may have a new worker already. */
  public synchronized void leave(ActiveWorker worker) {
    active.remove(worker.claim().domain(), worker);
    released.putLast(worker.claim().domain(), worker.claim().token());
  }

  /** The token of the domain's claim that was released last. */
  synchronized Optional<Long> releasedToken(DomainName domain) {
    return Optional.ofNullable(released.get(domain));
  }

  /** Forgets a domain's share of the run, unless a worker has its claim or waits for its seat. */
  public synchronized void forgetJob(DomainName domain) {
    if (!active.containsKey(domain)) {
      jobs.remove(domain);
    }
  }

  /** Whether no further domain can be claimed. */
  public synchronized boolean isFull() {
    return active.size() >= plan.limits().maxClaims();
  }

  public synchronized boolean has(DomainName domain) {
    return active.containsKey(domain);
  }

  /**
   * Whether the domain of every URL has a worker. An active worker sees a new URL itself. If it is
   * just leaving, the claim loop runs after it and finds the URL.
   */
  public synchronized boolean hasAllOf(List<QueuedUrl> urls) {
    for (QueuedUrl each : urls) {
      if (!active.containsKey(plan.domainOf(each.url()))) {
        return false;
      }
    }
    return true;
  }

  public synchronized List<ActiveWorker> workers() {
    return List.copyOf(active.values());
  }

  /** How many domains have their share of the run in memory. */
  public synchronized int jobs() {
    return jobs.size();
  }

  synchronized void wake(DomainName domain) {
    Optional.ofNullable(active.get(domain)).ifPresent(ActiveWorker::wake);
  }

  synchronized void wakeAll() {
    active.values().forEach(ActiveWorker::wake);
  }

  /**
   * Tells the domain's worker that failures since then were our own outage; answers whether it has
   * a worker.
   */
  synchronized boolean takeBack(DomainName domain, Instant since) {
    ActiveWorker worker = active.get(domain);
    if (worker != null) {
      worker.takeBack(since);
    }
    return worker != null;
  }
}
