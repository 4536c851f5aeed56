/**
 * The tables a running crawl writes: claims, frontiers, settlements, runs and priorities. All
 * writes run in the writer's thread, in the transaction of their group. Taking a URL from the
 * frontier writes only that it is in flight. It is finished in the transaction that records its
 * result, so a crash repeats at most the requests in flight.
 */
@NullMarked
package dev.comity.store.crawl;

import org.jspecify.annotations.NullMarked;
