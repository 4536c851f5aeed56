package dev.comity.core.port.store;

import dev.comity.core.policy.DomainState;
import dev.comity.core.url.DomainName;
import java.time.Instant;

/**
 * A worker's ownership of a domain, for as long as the lease lasts. No other worker sends requests
 * to the domain or writes its state.
 *
 * @param token a fencing token: it grows with every claim, not with renewals. Every write compares
 *     it, so a write under a lost claim changes nothing
 * @param state the domain's state when it was claimed
 * @param takenOver whether the last worker did not release it, so that requests may have started
 *     that were not recorded, or was another one, whose clock may differ. The first request then
 *     waits a full delay
 * @param job the progress of the present run with this domain
 * @param until when the worker must stop unless the lease is renewed: a margin before the lease
 *     ends, reckoned from the time at which the worker asked
 * @param terms what the operator has set for the domain
 * @param imagesOnly whether its pages are not for this run, or spent, so that only images are asked
 */
public record Claim(
    DomainName domain,
    long token,
    DomainState state,
    boolean takenOver,
    JobProgress job,
    Instant until,
    OperatorTerms terms,
    boolean imagesOnly) {

  /** A claim for whatever the domain has. */
  public Claim(
      DomainName domain,
      long token,
      DomainState state,
      boolean takenOver,
      JobProgress job,
      Instant until,
      OperatorTerms terms) {
    this(domain, token, state, takenOver, job, until, terms, false);
  }
}
