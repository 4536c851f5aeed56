/**
 * The tables a running crawl writes: claims, frontiers, settlements, runs and priorities. All
 * writes run in the writer's thread, in the transaction of their group. Taking a URL from the
 * frontier writes only that it is in flight. It is finished in the transaction that records its
 * result, so a crash repeats at most the requests in flight.
 *
 * <p>One settle passes six classes. {@code SqliteStore} prepares it in the caller's thread, with
 * the claimed domain from {@code HeldDomains}. {@code GroupWriter} runs it in its group's
 * transaction. {@code Settlements} changes the URL's row and inserts the rows of log and page.
 * {@code FrontierWriter} inserts the links. {@code StateColumns} writes the domain's row. Rarer
 * paths have classes of their own: {@code DomainRows} for domains that are not in memory, {@code
 * SingleInserts} near a limit, {@code MovedSeeds}, {@code Transitions}.
 */
@NullMarked
package dev.comity.store.crawl;

import org.jspecify.annotations.NullMarked;
