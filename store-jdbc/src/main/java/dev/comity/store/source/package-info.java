/** The rows of sources: their intervals and last starts. */
@NullMarked
package dev.comity.store.source;

import org.jspecify.annotations.NullMarked;
