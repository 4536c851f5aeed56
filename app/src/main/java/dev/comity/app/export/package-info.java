/**
 * What {@code comity export} writes: the tables of a data directory and the formats they are
 * written in. A table is a list of column names and a feed of rows; a format writes any of them,
 * row by row. {@link dev.comity.app.export.ExportFormat} is chosen by the file's ending.
 */
@NullMarked
package dev.comity.app.export;

import org.jspecify.annotations.NullMarked;
