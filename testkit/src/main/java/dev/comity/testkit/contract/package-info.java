/**
 * What every implementation of a port must do: one suite each, inherited by a test that supplies a
 * factory.
 */
@NullMarked
package dev.comity.testkit.contract;

import org.jspecify.annotations.NullMarked;
