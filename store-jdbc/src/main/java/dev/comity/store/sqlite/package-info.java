/**
 * The store of a crawl in one SQLite file. {@link dev.comity.store.sqlite.SqliteStore} implements
 * the port; one process has a directory at a time. Opening it recovers what a killed process left
 * behind. Checkpoints run beside the writer. Every commit checks that the directory still exists.
 */
@NullMarked
package dev.comity.store.sqlite;

import org.jspecify.annotations.NullMarked;
