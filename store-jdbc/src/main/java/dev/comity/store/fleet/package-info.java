/**
 * Several workers on one server, as they are seen from outside: the run that a worker may join, and
 * the workers themselves.
 */
@NullMarked
package dev.comity.store.fleet;

import org.jspecify.annotations.NullMarked;
