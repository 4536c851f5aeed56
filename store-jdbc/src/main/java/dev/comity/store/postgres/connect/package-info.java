/**
 * Connections to a PostgreSQL database. A {@link dev.comity.store.postgres.connect.WriteLane}
 * writes: when the answer to a commit is lost, it looks up whether the commit has happened. {@link
 * dev.comity.store.postgres.connect.ReadSessions} read.
 */
@NullMarked
package dev.comity.store.postgres.connect;

import org.jspecify.annotations.NullMarked;
