package dev.comity.core.port.store;

import dev.comity.core.policy.lifecycle.DomainStatus;
import java.util.EnumMap;
import java.util.Map;

/**
 * How much there is to do in a run, counted once in a while for people and never for the crawl.
 *
 * @param urls URLs the run may come to ask for, those in flight included
 * @param spent open domains of which the run has had all it may
 * @param domains the run's domains by status; one that has none of a status is left out
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
