/** Histories drawn from a seed. */
@NullMarked
package dev.comity.testkit.sim.support;

import org.jspecify.annotations.NullMarked;
