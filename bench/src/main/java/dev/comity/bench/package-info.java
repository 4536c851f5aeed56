/** What the hot paths cost, one benchmark class for each. */
@NullMarked
package dev.comity.bench;

import org.jspecify.annotations.NullMarked;
