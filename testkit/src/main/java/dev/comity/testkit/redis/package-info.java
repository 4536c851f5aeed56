/** Redis servers for tests: one, or a cluster of three. */
@NullMarked
package dev.comity.testkit.redis;

import org.jspecify.annotations.NullMarked;
