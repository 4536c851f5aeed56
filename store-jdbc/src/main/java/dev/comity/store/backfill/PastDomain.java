package dev.comity.store.backfill;

import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Optional;

/**
 * All spellings of a domain that another program crawled, in sum.
 *
 * @param first when it was first asked; likewise the last time, and when it last served a page
 * @param errors requests that the site refused, broke or did not answer
 * @param closed why it is closed: more than half of its requests failed, mostly for this
 * @param start the URL that was asked first
 */
public record PastDomain(
    DomainName name,
    Optional<Instant> first,
    Optional<Instant> last,
    Optional<Instant> served,
    long requests,
    long errors,
    long imagesFound,
    long imagesStored,
    Optional<CloseReason> closed,
    Optional<String> start) {

  /** Whether nothing but its images is known. */
  boolean isUnvisited() {
    return requests == 0 && start.isEmpty();
  }

  /** The same domain, whatever failed. */
  PastDomain open() {
    return new PastDomain(
        name,
        first,
        last,
        served,
        requests,
        errors,
        imagesFound,
        imagesStored,
        Optional.empty(),
        start);
  }
}
