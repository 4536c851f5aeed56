package dev.comity.core.port.store;

import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Set;

/**
 * The result of a renewal of leases.
 *
 * @param lost the domains that another worker may hold by now
 * @param until when the workers of all others must stop, as in {@link Claim#until}
 */
public record Renewal(Set<DomainName> lost, Instant until) {

  public Renewal {
    lost = Set.copyOf(lost);
  }
}
