package dev.comity.core.port.store;

import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What operators do beside running crawls. A change is durable when the call returns, and a worker
 * obeys it before its next request. Each change leaves a row in the audit, where there is one.
 */
public interface Operations {

  /** The terms of a domain before and after a change. */
  record TermsChange(DomainName domain, OperatorTerms before, OperatorTerms after) {}

  /**
   * A claim that a worker holds.
   *
   * @param since when it was granted
   * @param expires when its lease ends; in the past if it was not renewed
   */
  record LiveClaim(DomainName domain, String worker, long token, Instant since, Instant expires) {}

  /** What is set for a domain; empty if it is unknown. */
  Optional<OperatorTerms> terms(DomainName domain);

  /**
   * Sets the terms of a domain. With more pages, a domain that had spent its share goes on.
   *
   * @return empty if the domain is unknown
   */
  Optional<TermsChange> setTerms(DomainName domain, UnaryOperator<OperatorTerms> change);

  /** Sets the terms of all domains with this status; returns those that changed. */
  List<TermsChange> setTerms(DomainStatus status, UnaryOperator<OperatorTerms> change);

  /** What {@link #setTerms(DomainStatus, UnaryOperator)} would change; changes nothing. */
  List<TermsChange> wouldSet(DomainStatus status, UnaryOperator<OperatorTerms> change);

  /** The claims that workers hold, expired ones too. */
  List<LiveClaim> claims();

  /** Ends the claims whose lease has ended; returns them. */
  List<LiveClaim> endExpiredClaims();

  /** Ends all claims of a worker, expired or not; returns them. Its next writes change nothing. */
  List<LiveClaim> endClaims(String worker);

  /** Recomputes the priority of every domain. */
  void recalculatePriorities();
}
