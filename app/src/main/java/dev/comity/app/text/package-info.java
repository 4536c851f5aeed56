/**
 * Values as people read and write them: durations, sizes, times, tables, words. Foreign text is
 * made visible before it is printed. Width is counted in terminal cells, not in characters.
 */
@NullMarked
package dev.comity.app.text;

import org.jspecify.annotations.NullMarked;
