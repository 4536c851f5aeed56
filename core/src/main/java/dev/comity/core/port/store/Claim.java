package dev.comity.core.port.store;

import dev.comity.core.policy.DomainState;
import dev.comity.core.url.DomainName;
import java.time.Instant;

/**
 * A worker's ownership of a domain, for as long as the lease lasts: only its holder asks the site
 * and writes about it.
 *
 * @param token grows with every claim of the domain, and is untouched by renewal; every write
 *     compares it, so who lost the claim changes nothing
 * @param state what was known of the domain when it was claimed
 * @param takenOver whether the last holder did not give it back: requests may have started that
 *     nobody recorded
 * @param job how far the present run has come with this domain
 * @param until when its holder must have stopped unless the lease is renewed: a margin before it
 *     ends, counted from the time the claim was asked for
 */
public record Claim(
    DomainName domain,
    long token,
    DomainState state,
    boolean takenOver,
    JobProgress job,
    Instant until) {}
