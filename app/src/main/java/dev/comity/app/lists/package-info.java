/**
 * Lists of URLs that {@code comity fetch} takes in. A {@link dev.comity.app.lists.ListFormat} reads
 * a file row by row, each row as values by column; nothing keeps a whole list in memory. A further
 * format is one more constant there.
 */
@NullMarked
package dev.comity.app.lists;

import org.jspecify.annotations.NullMarked;
