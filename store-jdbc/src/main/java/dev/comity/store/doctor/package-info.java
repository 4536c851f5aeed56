/**
 * Checks the invariants of a data directory. Each check is one statement about all rows, asked of
 * one moment of the database. So it can run beside a crawl. A finding names the domain or run and
 * what cannot be true.
 */
@NullMarked
package dev.comity.store.doctor;

import org.jspecify.annotations.NullMarked;
