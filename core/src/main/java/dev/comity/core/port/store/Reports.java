package dev.comity.core.port.store;

import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.port.store.Operations.LiveClaim;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What people read of a store, also beside a crawl. It shows what is durable, whichever worker
 * wrote it.
 */
public interface Reports {

  /**
   * What is known about one domain.
   *
   * @param state the state that its next holder begins with
   * @param terms what its operator has set
   * @param claim the claim on it, if there is one
   * @param unfinished URLs that are queued, deferred or in flight
   * @param pages URLs that were a page
   * @param pageRequests requests for pages
   * @param errors how many of these the site refused, broke or did not answer
   * @param images different images of its pages that were taken, whatever host they lie on
   */
  record DomainReport(
      DomainState state,
      OperatorTerms terms,
      Optional<LiveClaim> claim,
      long unfinished,
      long pages,
      long pageRequests,
      long errors,
      long images) {}

  /**
   * One request, as the log has it.
   *
   * @param token of the claim that it was sent under
   * @param status the status of the answer, if there was one
   */
  record LoggedRequest(String url, Kind kind, long token, Instant startedAt, OptionalInt status) {}

  /**
   * What there is to do in a run. Domains it is kept from do not count. Takes as long as there are
   * domains.
   */
  Census census(long run);

  /** One domain; empty if it is unknown. */
  Optional<DomainReport> domain(DomainName domain);

  /** A domain's last requests, the newest first. A store in memory keeps a hundred in all. */
  List<LoggedRequest> requests(DomainName domain, int limit);
}
