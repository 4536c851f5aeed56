/** Opens the store of a crawl, wherever it is. */
@NullMarked
package dev.comity.store.open;

import org.jspecify.annotations.NullMarked;
