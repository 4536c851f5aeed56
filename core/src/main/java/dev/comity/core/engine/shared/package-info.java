/**
 * What the workers of one crawl share; any thread may use it. Slots limit requests in flight, in
 * total and per address. Budgets limit pages and the memory for bodies. Leases of all active
 * domains are renewed together. When most sites fail at once, the outage guard pauses every worker
 * until a site answers.
 */
@NullMarked
package dev.comity.core.engine.shared;

import org.jspecify.annotations.NullMarked;
