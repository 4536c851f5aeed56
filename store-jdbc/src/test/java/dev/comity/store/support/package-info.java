/** Stores, domains and histories that the tests of several packages use. */
@NullMarked
package dev.comity.store.support;

import org.jspecify.annotations.NullMarked;
