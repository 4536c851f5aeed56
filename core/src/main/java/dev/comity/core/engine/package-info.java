/**
 * One crawl, from its plan to its end. {@link dev.comity.core.engine.Crawl} claims domains from the
 * store and starts one worker for each. It ends when nothing may be fetched soon, a budget is
 * spent, or it is told to stop.
 *
 * <p>The parts lie in packages of their own. {@code plan} holds what a crawl is given and what it
 * shows. {@code domain} is a worker and its parts. {@code shared} is what all workers share: slots,
 * budgets, leases, outages and robots.txt files.
 *
 * <p>The order of one URL is the same everywhere:
 *
 * <pre>
 * claim → turn → next → robots, scope → fetch → decide → settle
 * </pre>
 *
 * Every thread belongs to a task group and ends with it. Every wait goes through the {@link
 * dev.comity.core.port.Timeline}.
 */
@NullMarked
package dev.comity.core.engine;

import org.jspecify.annotations.NullMarked;
