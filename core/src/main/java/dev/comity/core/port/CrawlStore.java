package dev.comity.core.port;

import dev.comity.core.policy.DomainState;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Domains, claims and everything that must survive. Safe to use from many threads. */
public interface CrawlStore {

  /** Adds URLs to their domains' frontiers; answers how many were not known before. */
  int add(List<QueuedUrl> urls);

  /** Claims up to that many domains that have work and may be asked. */
  List<Claim> claim(int most, Instant now);

  /** When the next domain may be claimed that may not be yet. */
  Optional<Instant> nextClaimable(Instant now);

  /** The URLs of claimed domains. */
  Frontier frontier();

  /**
   * Writes what became of a URL that was taken from the frontier.
   *
   * @throws ClaimLost if the claim is no longer held; nothing was written
   */
  void settle(Claim claim, Settlement settlement);

  /** Writes the domain's state where no URL was settled: a robots.txt answered, a start failed. */
  void record(Claim claim, DomainState state);

  /** Gives the domain back with its last state. What was in flight returns to the frontier. */
  void release(Claim claim, DomainState state, Ending ending);

  /**
   * Opens a domain again that was closed by what turned out to be our own outage: the change is
   * applied to its state, and unless someone holds it, it can be claimed as before.
   */
  void takeBack(DomainName domain, UnaryOperator<DomainState> change);

  /** The last known state of a domain. */
  Optional<DomainState> state(DomainName domain);
}
