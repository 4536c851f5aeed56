/** Helpers of the library's tests. */
@NullMarked
package dev.comity.support;

import org.jspecify.annotations.NullMarked;
