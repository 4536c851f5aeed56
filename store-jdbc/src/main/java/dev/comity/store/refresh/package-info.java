/** When pages are looked at again: the columns of their rows, and what is kept of their domain. */
@NullMarked
package dev.comity.store.refresh;

import org.jspecify.annotations.NullMarked;
