/** Starts the launcher for its tests, with stand-ins for Java and Maven. */
@NullMarked
package dev.comity.app.launcher.support;

import org.jspecify.annotations.NullMarked;
