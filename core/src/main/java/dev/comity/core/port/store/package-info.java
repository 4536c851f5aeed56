/**
 * The port to what survives a crawl: domains, claims, frontiers, runs and pages. A {@link
 * dev.comity.core.port.store.Claim} carries a token, and every write of a claim compares it. {@link
 * dev.comity.core.port.store.CrawlStore} settles a URL atomically: its fate, its links and the
 * domain's next state. What returns normally is durable. One contract suite in the test kit holds
 * every implementation to this.
 */
@NullMarked
package dev.comity.core.port.store;

import org.jspecify.annotations.NullMarked;
