/**
 * The ports to what survives a crawl: domains, claims, frontiers and pages. A {@link
 * dev.comity.core.port.store.Claim} carries a token, and every write of a claim compares it. {@link
 * dev.comity.core.port.store.ClaimStore} settles a URL atomically: its fate, its links and the
 * domain's next state. What returns normally is durable. {@link
 * dev.comity.core.port.store.CrawlStore} is all that a crawl needs. {@link
 * dev.comity.core.port.store.Operations} and {@link dev.comity.core.port.store.Reports} are for
 * people. One contract suite in the test kit holds every implementation to this.
 */
@NullMarked
package dev.comity.core.port.store;

import org.jspecify.annotations.NullMarked;
