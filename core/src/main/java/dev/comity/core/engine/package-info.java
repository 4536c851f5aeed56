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
 * The worker is put together from parts that its thread alone uses: {@link
 * dev.comity.core.engine.Tenure} is the claim and the domain's state, {@link
 * dev.comity.core.engine.Dispatch} uses a turn, {@link dev.comity.core.engine.Flights} has what is
 * under way, and {@link dev.comity.core.engine.Landing} deals with what comes back.
 *
 * <p>Every thread lives in a {@link dev.comity.core.engine.TaskGroup} and ends with it. Every wait
 * goes through the {@link dev.comity.core.port.Timeline}.
 */
@NullMarked
package dev.comity.core.engine;

import org.jspecify.annotations.NullMarked;
