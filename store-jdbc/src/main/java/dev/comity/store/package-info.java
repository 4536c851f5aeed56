/**
 * Where a crawl's data lies and what can go wrong with it. A {@link dev.comity.store.DataDirectory}
 * holds one database and a lock that one crawl can have. {@code sql} is JDBC, the schema and the
 * form of stored values. {@code crawl} writes claims, frontiers and settlements; {@code sqlite} is
 * the store made of it. {@code report} reads, {@code operate} changes domains for people, and
 * {@code doctor} checks the invariants.
 */
@NullMarked
package dev.comity.store;

import org.jspecify.annotations.NullMarked;
