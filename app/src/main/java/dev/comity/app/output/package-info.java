/**
 * Pages and rows as lines of JSON or CSV, to a file or to standard output. A page of a stored crawl
 * is written from the store, in its order. So every settled page is in the file once, after any
 * number of kills. Text from the web is escaped where it could act on a terminal or a spreadsheet.
 */
@NullMarked
package dev.comity.app.output;

import org.jspecify.annotations.NullMarked;
