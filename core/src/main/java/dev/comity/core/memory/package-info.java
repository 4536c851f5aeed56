/** The store of a crawl that keeps nothing: everything in memory, gone with the process. */
@NullMarked
package dev.comity.core.memory;

import org.jspecify.annotations.NullMarked;
