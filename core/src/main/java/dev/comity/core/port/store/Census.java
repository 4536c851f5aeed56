package dev.comity.core.port.store;

import dev.comity.core.policy.lifecycle.DomainStatus;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts of the work left in a run, for monitoring.
 *
 * @param urls URLs that the run may fetch, including those in flight
 * @param spent open domains that have spent their share of the run
 * @param domains how many domains of the run have each status
 */
public record Census(long urls, long spent, Map<DomainStatus, Long> domains) {

  public Census {
    Map<DomainStatus, Long> counts = new EnumMap<>(DomainStatus.class);
    counts.putAll(domains);
    domains = counts;
  }

  /** How many domains have that status. */
  public long domains(DomainStatus status) {
    return domains.getOrDefault(status, 0L);
  }
}
