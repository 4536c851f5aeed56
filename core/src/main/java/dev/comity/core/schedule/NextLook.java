package dev.comity.core.schedule;

import java.time.Instant;
import java.util.Optional;

/**
 * When a page is looked at again, after a visit.
 *
 * @param visits what is known of the page now
 * @param due empty for a page that is gone
 * @param reason why it is due then
 * @param domain what is known of the domain now
 */
public record NextLook(
    VisitResult result,
    PageVisits visits,
    Optional<Instant> due,
    DueReason reason,
    DomainRefresh domain) {}
