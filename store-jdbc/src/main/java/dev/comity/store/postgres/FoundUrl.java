package dev.comity.store.postgres;

import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.DomainName;
import java.util.UUID;

/**
 * A URL to insert, prepared by the thread that found it.
 *
 * @param hash identifies the URL within its domain
 * @param skipped whether it is stored as known and never requested
 */
record FoundUrl(QueuedUrl entry, DomainName domain, UUID hash, boolean skipped) {}
