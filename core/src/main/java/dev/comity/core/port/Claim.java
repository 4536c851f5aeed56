package dev.comity.core.port;

import dev.comity.core.policy.DomainState;
import dev.comity.core.url.DomainName;

/**
 * A worker's ownership of a domain: only its holder asks the site and writes about it.
 *
 * @param token grows with every claim of the domain; every write compares it, so who lost the claim
 *     changes nothing
 * @param state what was known of the domain when it was claimed
 */
public record Claim(DomainName domain, long token, DomainState state) {}
