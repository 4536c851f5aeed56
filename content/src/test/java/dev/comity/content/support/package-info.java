/** Pages that the tests of this module read. */
@NullMarked
package dev.comity.content.support;

import org.jspecify.annotations.NullMarked;
