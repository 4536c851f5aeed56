/**
 * Archives of exchanges: WARC files, their index (CDXJ) and packages (WACZ). {@link
 * dev.comity.archive.WarcArchive} writes every exchange before its URL is settled. Each record is a
 * gzip member of its own, compressed in the thread of its request; one lock appends. The rest of
 * the package reads finished files.
 */
@NullMarked
package dev.comity.archive;

import org.jspecify.annotations.NullMarked;
