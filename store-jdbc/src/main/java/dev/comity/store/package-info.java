/**
 * Everything that survives. One schema, made by migrations, kept in SQLite inside a data directory.
 *
 * <p>Whatever changes rows goes through one thread that owns the writing connection and commits
 * what has gathered as one group; who settles a URL waits until its group is durable. Reading goes
 * on beside it. Nothing is written when a URL is taken from the frontier but a note that it is in
 * flight: it is finished in the transaction that records its result, so a crash at any line repeats
 * at most what was in flight.
 */
@NullMarked
package dev.comity.store;

import org.jspecify.annotations.NullMarked;
