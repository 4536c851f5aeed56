package dev.comity.core.port.store;

import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Set;

/**
 * What became of leases that were to last longer.
 *
 * @param lost the domains somebody else may hold by now
 * @param until the end of all others, as in {@link Claim#until}
 */
public record Renewal(Set<DomainName> lost, Instant until) {}
