/**
 * Threads and the order of calls; nothing here decides anything about a site.
 *
 * <p>A {@link dev.comity.core.engine.Crawl} claims domains and gives each to a {@link
 * dev.comity.core.engine.DomainWorker}, a virtual thread of its own that alone holds the domain's
 * state. The worker asks the policy whose turn it is, takes a URL from the frontier, sends it off
 * as another virtual thread, and when that comes back lets the policy decide and the store settle,
 * in this order:
 *
 * <pre>
 * claim → turn → next → robots, scope → fetch → decide → settle
 * </pre>
 *
 * Every thread lives in a {@link dev.comity.core.engine.TaskGroup} and ends with it. Every wait
 * goes through the {@link dev.comity.core.port.Timeline}.
 */
@NullMarked
package dev.comity.core.engine;

import org.jspecify.annotations.NullMarked;
