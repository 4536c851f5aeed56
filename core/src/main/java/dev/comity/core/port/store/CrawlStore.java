package dev.comity.core.port.store;

import dev.comity.core.policy.DomainState;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The store of a crawl: domains, claims, frontiers and runs. Thread-safe; a write that returns
 * normally is durable.
 */
public interface CrawlStore {

  /**
   * Joins a run, before the first claim. An unfinished run on the same terms is joined. Or else the
   * last run from the same seeds is joined if these terms are wider. Or else a new run begins.
   * Wider terms open domains again that have spent their pages. An unfinished run on other terms is
   * closed.
   */
  Run begin(RunTerms terms, Instant now);

  /**
   * Leaves the run, or ends it. A run that is out of work or budget ends only if no domain is held
   * and, if it is to be out of work, none can be claimed.
   *
   * @return whether the run is over
   */
  boolean end(RunEnding ending, Instant now);

  /** The store's own time. Leases and rests go by it, and so do the clocks of all workers. */
  Instant now();

  /**
   * Draws pages of the run's budget for this worker, or gives unused ones back. A worker without a
   * claim has none: they go back to the run by themselves.
   *
   * @param pages the most to draw; negative to give so many back
   */
  Portion draw(long pages);

  /**
   * Makes blocked writes fail, on a full disk for example. From now on a write that is not possible
   * fails at once.
   */
  default void hurry() {}

  /**
   * Adds URLs to their domains' frontiers, each once. A domain that had nothing left becomes
   * pending. A {@link QueuedUrl#isSkipped skipped} URL is known from then on, and finished.
   *
   * @return how many URLs entered. Known and skipped URLs do not count. Nor do URLs without room in
   *     their domain, or of one sub-domain too many
   */
  int add(List<QueuedUrl> urls, Instant now);

  /**
   * Keeps links within a claimed domain that depth or patterns leave out: a wider scope may want
   * them. Each is kept once, and as many as a domain may have unfinished. They are in no frontier
   * and not counted. They are durable when the claim's next settlement is.
   */
  void keepOutside(Claim claim, List<QueuedUrl> urls);

  /**
   * Adds links to the frontiers that were kept outside and are in scope now.
   *
   * @param about which domains the run is about
   * @return how many entered
   */
  int takeOutside(Predicate<DomainName> about, Predicate<QueuedUrl> inScope, Instant now);

  /**
   * Claims up to that many domains that have work and may be fetched. Claims with an expired lease
   * are ended first, and domains with an expired cooldown are opened. A domain that its operator
   * has paused is left out.
   *
   * <p>Healthy active domains come first, then pending ones, then those that recover from a
   * cooldown. Among these the higher priority counts, then the longer time since the last crawl.
   * Every fourth claim is the best pending domain, so that no domain starves. A domain that has
   * spent its share of the present run is left out.
   *
   * @param now when the worker asks, by its own clock: {@link Claim#until} is reckoned from it
   */
  List<Claim> claim(int most, Instant now);

  /**
   * Claims this domain for a request on behalf of another domain. It need not be part of the
   * present run. An unknown domain is added. Its job is not begun, and unchanged after a release as
   * {@link Ending.Borrowed}.
   */
  Borrowing borrow(DomainName domain, Instant now);

  /**
   * What a worker without a claim can expect. The end of a cooldown does not count, and a run does
   * not wait for the end of an operator's pause.
   */
  Outlook outlook(Instant now);

  /**
   * Renews the leases of these claims.
   *
   * @param now when the worker asks, by its own clock: {@link Renewal#until} is reckoned from it
   */
  Renewal renew(Collection<Claim> claims, Instant now);

  /**
   * What the operator wants of a claimed domain by now. It is asked before every request, so it
   * costs next to nothing while operators change nothing.
   *
   * @throws ClaimLost if the claim is known to be lost: an operator may have ended it
   */
  OperatorTerms terms(Claim claim);

  /** The URLs of claimed domains. */
  Frontier frontier();

  /**
   * Settles URLs that were taken from the frontier, together: all are durable, or none is. First
   * every URL meets its fate, then the URLs found are added. The state of the last one is kept. A
   * settlement that was made before changes nothing.
   *
   * <p>It may wait long. Meanwhile the claim's URLs can be taken, but no other write may be made
   * under the claim.
   *
   * @param settlements in the order in which they were decided
   * @throws ClaimLost if the claim is no longer held; nothing was written
   */
  Written settle(Claim claim, List<Settlement> settlements);

  /** Settles one URL that was taken from the frontier. */
  default Written settle(Claim claim, Settlement settlement) {
    return settle(claim, List.of(settlement));
  }

  /**
   * Writes the result of a request that settled no URL.
   *
   * @throws ClaimLost if the claim is no longer held; nothing was written
   */
  Written record(Claim claim, Note note);

  /**
   * Releases the domain with its last state. URLs in flight return to the frontier. If a URL has
   * arrived meanwhile, an exhausted domain becomes claimable again.
   *
   * @throws ClaimLost if the claim is no longer held; nothing was written
   */
  void release(Claim claim, DomainState state, Ending ending, Instant now);

  /**
   * Opens a domain again that was closed because of an outage of the crawler's own network. The
   * change is applied to its state, unless it is claimed or was claimed since.
   *
   * @param token of the last claim that this worker released
   */
  void takeBack(DomainName domain, long token, UnaryOperator<DomainState> change);

  /**
   * Recomputes the priority of every domain, without blocking other calls. After an interrupt, the
   * rest is left for the next call.
   */
  void recalculatePriorities(Instant now);

  /**
   * Sets the rank of domains in a list of well-known sites, from 1. It counts in their priority
   * from now on. Unknown domains are left out.
   */
  void rank(Map<DomainName, Long> ranks, Instant now);

  /**
   * Makes this the order of claims among domains of the same health, in place of their priority. It
   * holds for as long as this store is open. Other domains come after them.
   */
  void order(List<DomainName> domains, Instant now);

  /**
   * Stores the kind of address of seeds, after they were added. A kind stored before stays, and a
   * named seed stays named. Seeds of unknown domains are left out.
   *
   * @return what is stored of them now
   */
  List<SeedAddress> keepAddresses(List<SeedAddress> seeds);

  /** The last known state of a domain. */
  Optional<DomainState> state(DomainName domain);

  /**
   * The domains of the run that are quarantined because their stored data cannot be read, up to the
   * limit.
   */
  default List<String> damaged(int limit) {
    return List.of();
  }

  /** The statistics of the templates of a domain's URLs. */
  List<TemplateStats> templates(DomainName domain);

  /** The last copy of an authority's robots.txt, however old. */
  Optional<RobotsCopy> robots(Authority authority);

  /** When a request to this domain last started, according to the log. */
  Optional<Instant> lastStart(DomainName domain);

  /** When a request for a URL of this source last started, according to the log. */
  Optional<Instant> lastStartOfSource(String source);
}
