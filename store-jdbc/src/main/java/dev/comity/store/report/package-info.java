/**
 * What people read of a data directory, also while a crawl runs. The reader sees one moment of the
 * database and cannot write. Its records are plain data; commands print them as text, CSV or JSON.
 */
@NullMarked
package dev.comity.store.report;

import org.jspecify.annotations.NullMarked;
