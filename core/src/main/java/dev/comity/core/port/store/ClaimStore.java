package dev.comity.core.port.store;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Claims on domains, and what is written under them. Thread-safe; a write that returns normally is
 * durable.
 */
public interface ClaimStore {

  /**
   * Claims up to that many domains that have work and may be fetched. Claims with an expired lease
   * are ended first, and domains with an expired cooldown are opened. A domain that its operator
   * has paused is left out.
   *
   * <p>Healthy active domains come first, then pending ones, then those that recover from a
   * cooldown. Among these the higher priority counts, then the longer time since the last crawl.
   * Every fourth claim is the best pending domain, so that no domain starves. A domain that has
   * spent its share of the present run is left out, unless it has images that the run found.
   *
   * @param now when the worker asks, by its own clock: {@link Claim#until} is reckoned from it
   * @param wanted only domains with such work are claimed; a domain whose pages are spent has none
   */
  List<Claim> claim(int most, Instant now, Wanted wanted);

  /** Claims domains with work of any kind. */
  default List<Claim> claim(int most, Instant now) {
    return claim(most, now, Wanted.ANY);
  }

  /**
   * Claims this domain for a request on behalf of another domain. It need not be part of the
   * present run. An unknown domain is added. Its job is not begun, and unchanged after a release as
   * {@link Ending.Borrowed}.
   */
  Borrowing borrow(DomainName domain, Instant now);

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
   * Writes the result of a request that settled no URL. A note whose request was written before
   * changes nothing.
   *
   * @throws ClaimLost if the claim is no longer held; nothing was written
   */
  Written record(Claim claim, Note note);

  /**
   * Keeps links within a claimed domain that depth or patterns leave out: a wider scope may want
   * them. Each is kept once, and as many as a domain may have unfinished. They are in no frontier
   * and not counted. They are durable when the claim's next settlement is.
   */
  void keepOutside(Claim claim, List<QueuedUrl> urls);

  /**
   * Takes in what the site says of changes of its pages. A known page that was visited before its
   * change becomes due, as far as the domain's hints are trusted. A refresh visits it at once,
   * within what its claim left of the domain's budget. Nothing is written under a claim that is
   * lost.
   */
  void hint(Claim claim, List<PageHint> hints);

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
   * Makes this the order of claims among domains of the same health, in place of their priority. It
   * holds for as long as this store is open. Other domains come after them.
   */
  void order(List<DomainName> domains, Instant now);
}
