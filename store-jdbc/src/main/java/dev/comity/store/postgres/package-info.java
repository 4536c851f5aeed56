/**
 * The store of a crawl on a PostgreSQL server, which any number of workers share. The life of a
 * write: a caller hands a {@link dev.comity.store.postgres.FlushPiece} to the {@link
 * dev.comity.store.postgres.FlushWriter}, which gathers pieces of all domains. {@link
 * dev.comity.store.postgres.Flush} writes them together: it locks the rows of their domains,
 * compares the tokens, and writes URLs, links, log and domains set by set. A {@link
 * dev.comity.store.postgres.connect.WriteLane} commits it. The lane's number shows whether a commit
 * whose answer was lost has happened.
 *
 * <p>A settle changes no row of a domain that it does not hold: it inserts URLs and arrivals in the
 * order of their keys. Leases go by the server's clock. Any worker may run any {@link
 * dev.comity.store.postgres.FleetSweep}.
 */
@NullMarked
package dev.comity.store.postgres;

import org.jspecify.annotations.NullMarked;
