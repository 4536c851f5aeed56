package dev.comity.core.engine.shared;

import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.port.Signal;
import dev.comity.core.port.image.ImageHarvest;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What the workers of one crawl share: limits, caches, budgets and signals. Thread-safe. */
public final class CrawlContext {
  private static final System.Logger LOG = System.getLogger(CrawlContext.class.getName());

  private final CrawlPlan plan;
  private final CrawlParts parts;
  private final RunBudget budget;
  private final RunBudget imageBudget;
  private final Signal news = new Signal();
  private final TaskGroup errands;
  private final ActiveDomains activeDomains;
  private final RequestSlots slots;
  private final ByteBudget bodies;
  private final StartRate rate;
  private final ServerBudgets servers;
  private final Outages outages;
  private final RobotsCache robots;
  private final YieldOrder yields;
  private final ReservationCache reservations;
  private final CrossDomainRobots crossDomain = new CrossDomainRobots();
  private final ReachedHosts reachedHosts = new ReachedHosts();
  private final SourceTurns sources;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Whether a second failure was logged: many workers may fail for one reason. */
  private final AtomicBoolean furtherFailure = new AtomicBoolean();

  /** Domains that the redirects of seeds ended on. */
  private final Set<DomainName> starts = ConcurrentHashMap.newKeySet();

  private volatile boolean stopping;

  public CrawlContext(
      CrawlPlan plan,
      CrawlParts parts,
      RunBudget budget,
      RunBudget imageBudget,
      Set<DomainName> starts) {
    this.budget = budget;
    this.imageBudget = imageBudget;
    this.plan = plan;
    this.parts = parts;
    this.starts.addAll(starts);
    errands = new TaskGroup(parts.time(), this::failed, () -> {});
    activeDomains = new ActiveDomains(plan, budget);
    slots = new RequestSlots(plan.limits().maxInFlight(), RequestSlots.PER_ADDRESS);
    bodies = new ByteBudget(parts.bodyMemory());
    rate = new StartRate(plan.limits().maxRate());
    servers = new ServerBudgets(plan.policy(), parts.listener());
    outages = new Outages(plan.policy(), parts, activeDomains, errands, news);
    robots = new RobotsCache(parts);
    yields = new YieldOrder(plan, budget, parts.images().filter(ImageHarvest::byYield).isPresent());
    reservations = new ReservationCache(parts);
    sources = new SourceTurns(parts.store());
  }

  public CrawlPlan plan() {
    return plan;
  }

  public CrawlParts parts() {
    return parts;
  }

  /** The page budget of the run. */
  public RunBudget budget() {
    return budget;
  }

  /** The budget of images of the run; without room if the crawl collects none. */
  public RunBudget imageBudget() {
    return imageBudget;
  }

  /** Whether images are collected. */
  public boolean collectsImages() {
    return parts.images().isPresent();
  }

  /** Which domains may use pages of the run. */
  public YieldOrder yields() {
    return yields;
  }

  /** What the budgets of the run have room for; empty for nothing. */
  public Optional<Wanted> wanted() {
    return Wanted.of(budget.hasRoom(), collectsImages() && imageBudget.hasRoom());
  }

  /** Gives back what is reserved of no budget. */
  public void returnUnused() {
    budget.returnUnused();
    imageBudget.returnUnused();
  }

  /** Whether a link is followed. */
  public boolean follows(CrawlUrl from, CrawlUrl to, int depth) {
    return plan.scope().judge(from, to, depth, starts::contains) == Scope.ScopeVerdict.IN_SCOPE
        && isWanted(from, to, depth);
  }

  /** Whether a link is left out that a wider scope would follow. */
  public boolean isOutside(CrawlUrl from, CrawlUrl to, int depth) {
    return plan.scope().isOutside(from, to, depth, starts::contains);
  }

  /** Whether a seed's redirect is followed: in a scope of seeds it may lead to any domain. */
  public boolean followsMove(CrawlUrl from, CrawlUrl to, int depth) {
    return plan.scope().judge(from, to, depth, _ -> true) == Scope.ScopeVerdict.IN_SCOPE
        && isWanted(from, to, depth);
  }

  private boolean isWanted(CrawlUrl from, CrawlUrl to, int depth) {
    return parts.filter().isEmpty() || parts.filter().get().follows(from, to, depth);
  }

  /** The redirects of a seed end on this domain: the crawl starts from it, too. */
  public void startsFrom(DomainName domain) {
    if (!plan.scope().seeds().contains(domain)) {
      starts.add(domain);
    }
  }

  /** The domains with a worker. */
  public ActiveDomains activeDomains() {
    return activeDomains;
  }

  /** Slots for requests in flight, over all domains. */
  public RequestSlots slots() {
    return slots;
  }

  /** Memory for bodies in flight, over all domains. */
  public ByteBudget bodies() {
    return bodies;
  }

  /** The limit of starts per second, over all domains. */
  public StartRate rate() {
    return rate;
  }

  /** Budgets shared by domains of one server. */
  public ServerBudgets servers() {
    return servers;
  }

  /** The turns of sources. */
  public SourceTurns sources() {
    return sources;
  }

  /** Outages of the crawler's own network. */
  public Outages outages() {
    return outages;
  }

  /** The cache of robots.txt files. */
  public RobotsCache robots() {
    return robots;
  }

  public ReservationCache reservations() {
    return reservations;
  }

  /** Requests of workers for robots.txt files of other domains. */
  public CrossDomainRobots crossDomain() {
    return crossDomain;
  }

  /** The cache of hosts that were reached. */
  public ReachedHosts reachedHosts() {
    return reachedHosts;
  }

  /** Background tasks that belong to no domain. */
  public TaskGroup errands() {
    return errands;
  }

  /**
   * Asks the worker of the file's domain to fetch it; answers its reply, once there is one.
   *
   * @param asker raised when there is a reply
   */
  public Optional<CrossDomainRobots.RobotsReply> askFor(CrawlUrl file, Signal asker) {
    DomainName domain = plan.domainOf(file);
    if (crossDomain.ask(domain, file, asker, parts.time().instant())) {
      activeDomains.wake(domain);
      tell();
    }
    return crossDomain.collect(domain, file, asker);
  }

  /** Whether another crawl's worker holds the domain of this file. */
  public boolean isHeldElsewhere(CrawlUrl file) {
    return crossDomain.isHeldElsewhere(plan.domainOf(file));
  }

  /** Raised when the claim loop should look again. */
  public Signal news() {
    return news;
  }

  /** There may be a domain to claim: wakes the claim loop. */
  public void tell() {
    news.raise();
  }

  /** A URL was added to the store by a caller of the crawl. */
  public void arrived(CrawlUrl url) {
    activeDomains.wake(plan.domainOf(url));
    tell();
  }

  public void stop() {
    stopping = true;
    activeDomains.wakeAll();
    tell();
  }

  public boolean isStopping() {
    return stopping;
  }

  /** An unexpected failure ends the crawl. */
  public void failed(Throwable cause) {
    // The caller of the crawl gets the first failure; a second one would be seen nowhere.
    if (!failure.compareAndSet(null, cause) && !furtherFailure.getAndSet(true)) {
      LOG.log(System.Logger.Level.DEBUG, "another failure while the crawl stops", cause);
    }
    tell();
  }

  /** The first unexpected failure. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure.get());
  }
}
