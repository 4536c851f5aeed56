/**
 * Time that a test owns. Tasks run one at a time and hand on where they wait, in an order drawn
 * from a seed; when nobody can go on, time jumps to the next thing that is due. The same seed gives
 * the same history.
 */
@NullMarked
package dev.comity.testkit.time;

import org.jspecify.annotations.NullMarked;
