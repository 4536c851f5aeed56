/** Webs, stores and judges for tests of the engine in virtual time. */
@NullMarked
package dev.comity.testkit.engine.support;

import org.jspecify.annotations.NullMarked;
