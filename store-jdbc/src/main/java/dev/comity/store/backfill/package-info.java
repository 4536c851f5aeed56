/**
 * Takes over what other programs crawled. Rows of any source are gathered in {@link
 * dev.comity.store.backfill.StagedHistory}, a temporary database that merges spellings of a domain
 * and visits of a URL. {@link dev.comity.store.backfill.Backfill} then writes domain by domain into
 * a {@link dev.comity.store.backfill.HistoryStore}. Memory is bounded, and a second time changes
 * nothing.
 */
@NullMarked
package dev.comity.store.backfill;

import org.jspecify.annotations.NullMarked;
