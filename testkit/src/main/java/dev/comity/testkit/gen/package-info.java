/**
 * Seeded, hostile generators and the loop that drives them.
 *
 * <p>A property is checked on many drawn values; each is drawn from a seed of its own, which a
 * failure names, so that it can be drawn again alone. Sizes are log-uniform, because bugs live at
 * 0, 1, 2 and at the very large, seldom in between.
 */
@NullMarked
package dev.comity.testkit.gen;

import org.jspecify.annotations.NullMarked;
