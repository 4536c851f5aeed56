/** Commands about several workers on one store. */
@NullMarked
package dev.comity.app.command.fleet;

import org.jspecify.annotations.NullMarked;
