/**
 * What people do to a data directory, also while a crawl runs. An operator blocks, resets or frees
 * a domain in one transaction that also ends its claim. Intake adds seeds without a claim. Pruning
 * deletes old rows a little at a time.
 */
@NullMarked
package dev.comity.store.operate;

import org.jspecify.annotations.NullMarked;
