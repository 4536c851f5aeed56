/**
 * What the workers of one crawl share; any thread may use it. Slots limit requests in flight, in
 * total and per address. Budgets limit pages and the memory for bodies. Leases of all active
 * domains are renewed together. Robots.txt files are cached for the run, by authority; a file of
 * another domain is fetched by that domain's worker. When most sites fail at once, the outage guard
 * pauses every worker until a site answers.
 */
@NullMarked
package dev.comity.core.engine.shared;

import org.jspecify.annotations.NullMarked;
