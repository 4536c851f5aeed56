/**
 * Values as text: durations, sizes, times, tables, words. Width is counted in terminal cells, not
 * in characters.
 */
@NullMarked
package dev.comity.app.text;

import org.jspecify.annotations.NullMarked;
