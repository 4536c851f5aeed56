package dev.comity.core.engine.shared;

import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.engine.shared.Job.PageBudget;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Who is at work: of each domain the worker that holds its claim, and its share of the run. A share
 * outlasts the worker as long as another waits to take over; the store knows how far it is.
 */
public final class ActiveDomains {
  private final CrawlPlan plan;
  private final PageBudget budget;
  private final Map<DomainName, ActiveWorker> active = new LinkedHashMap<>();
  private final Map<DomainName, Job> jobs = new HashMap<>();

  ActiveDomains(CrawlPlan plan, PageBudget budget) {
    this.plan = plan;
    this.budget = budget;
  }

  /** Adds the worker of a domain that was claimed, made with the domain's share of the run. */
  public synchronized <W extends ActiveWorker> W enter(Claim claim, Function<Job, W> made) {
    DomainName domain = claim.domain();
    Job job =
        jobs.computeIfAbsent(domain, _ -> new Job(budget, plan.maxPagesOf(domain), claim.job()));
    W worker = made.apply(job);
    active.put(domain, worker);
    return worker;
  }

  /** The worker holds its claim no more; the domain may be in new hands already. */
  public synchronized void leave(ActiveWorker worker) {
    active.remove(worker.claim().domain(), worker);
  }

  /** Only when nobody works on the domain or waits for its seat. */
  public synchronized void forgetJob(DomainName domain) {
    if (!active.containsKey(domain)) {
      jobs.remove(domain);
    }
  }

  public synchronized boolean has(DomainName domain) {
    return active.containsKey(domain);
  }

  /**
   * Whether somebody is at work on the domain of each of these. Who is sees what is new there, or
   * leaves later than this was asked; and whenever somebody has left, what is left is looked for.
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

  /** How many domains have a share of the run in memory. */
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
   * Tells who works on the domain that what was counted since then was our own outage; answers
   * whether anybody does.
   */
  synchronized boolean takeBack(DomainName domain, Instant since) {
    ActiveWorker worker = active.get(domain);
    if (worker != null) {
      worker.takeBack(since);
    }
    return worker != null;
  }
}
